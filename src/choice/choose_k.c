/* SPDX-License-Identifier: MIT
 *
 * imsat_choose_k(): every k of a range, by the null test (choice/structure.h) and by
 * prediction strength. The largest k that passes both is the one: fewer clusters than there
 * are have borders as good, because some lie together; more have a border through one of them,
 * which half of the rows put elsewhere than the other.
 */
#include "choice/call.h"
#include "choice/decide.h"
#include "choice/structure.h"
#include "core/alloc.h"
#include "core/clock.h"

#include <math.h>
#include <stdio.h>

enum { MOST_ROWS = 1000, SENTENCE = 320 };

struct im_k_choice {
    imsat_k_choice about;
    imsat_k_row *row; /* (count) owned */
    bool *structure;  /* (count) owned */
    char sentence[SENTENCE];
};

void imsat_k_choice_free(imsat_k_choice *choice)
{
    struct im_k_choice *own = choice ? choice->own : NULL;
    if (!own)
        return;
    im_free(own->row);
    im_free(own->structure);
    im_free(own);
}

const imsat_k_row *imsat_k_choice_row(const imsat_k_choice *choice, size_t i)
{
    return choice && i < choice->count ? &choice->own->row[i] : NULL;
}

/* Of both testers, those whose information is as good as the best may show their strength: the
 * one with more counts. */
static imsat_status measure_strength(imsat_k_row *row, const im_structure *s, im_call *call,
                                     imsat_error *err)
{
    static const double TIE = 0.1;
    imsat_status st = IMSAT_OK;
    const double least =
        s->data[s->best] - TIE * fmax(s->data[s->best] - s->without[s->best], 0);
    double best = -1;
    for (size_t t = 0; t < IM_TESTERS; t++) {
        double strength = NAN;
        if (!(s->data[t] >= least))
            continue;
        IM_TRY(im_attempt_halves(&strength, NULL, &call->attempts, &call->portion,
                                 im_structure_tester[t], row->k, NULL, err));
        if (strength > best) {
            best = strength;
            row->method = im_structure_tester[t];
            row->information = s->data[t];
            row->without = s->without[t];
            row->deviation = s->deviation;
        }
    }
    row->strength = best < 0 ? NAN : best;

cleanup:
    return st;
}

static imsat_status try_k(imsat_k_row *row, bool *structure, const im_nulls *nulls,
                          im_call *call, double from, double to, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_structure s;
    IM_TRY(
        im_structure_test(&s, &call->portion, nulls, row->k, &call->attempts, from, to, err));
    *row = (imsat_k_row){row->k, NULL, NAN, NAN, NAN, NAN, 0};
    *structure = s.found;
    if (s.best < IM_TESTERS) {
        row->method = im_structure_tester[s.best];
        row->information = s.data[s.best];
        row->without = s.without[s.best];
        row->deviation = s.deviation;
        IM_TRY(measure_strength(row, &s, call, err));
    }

cleanup:
    return st;
}

static void conclude(struct im_k_choice *own)
{
    imsat_k_choice *about = &own->about;
    bool any = false;
    about->k = im_decide_k(own->row, about->count, own->structure);
    for (size_t i = 0; i < about->count; i++)
        any = any || own->structure[i];
    if (about->k)
        snprintf(own->sentence, SENTENCE,
                 "k = %zu stands out: of all k whose clusters half of the rows find as the "
                 "other half does, it is the largest.",
                 about->k);
    else if (any)
        snprintf(
            own->sentence, SENTENCE,
            "No k stands out: there are clusters, but for no k do both halves of the rows "
            "have the same ones.");
    else
        snprintf(own->sentence, SENTENCE,
                 "No k stands out: for no k are these rows better separated than rows without "
                 "clusters.");
}

static imsat_status new_choice(struct im_k_choice **out, size_t from, size_t to,
                               imsat_error *err)
{
    const size_t count = to - from + 1;
    struct im_k_choice *own = im_alloc(1, sizeof *own);
    if (own) {
        own->row = im_alloc(count, sizeof *own->row);
        own->structure = im_alloc(count, sizeof *own->structure);
        own->about = (imsat_k_choice){.count = count, .own = own, .sentence = own->sentence};
    }
    *out = own;
    if (!own || !own->row || !own->structure)
        return im_fail_memory(err, "the numbers of clusters to choose from");
    for (size_t i = 0; i < count; i++)
        own->row[i].k = from + i;
    return IMSAT_OK;
}

static imsat_status work(struct im_k_choice *own, im_call *call, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_nulls nulls = {0};
    const size_t count = own->about.count;
    IM_TRY(im_call_check_rows(call, own->row[count - 1].k, err));
    IM_TRY(im_nulls_draw(&nulls, &call->portion, false, &call->attempts, err));
    for (size_t i = 0; i < count; i++)
        IM_TRY(try_k(&own->row[i], &own->structure[i], &nulls, call, (double)i / (double)count,
                     (double)(i + 1) / (double)count, err));
    own->about.rows = call->portion.n;
    conclude(own);

cleanup:
    im_nulls_clear(&nulls);
    return st;
}

imsat_status imsat_choose_k(imsat_k_choice **out, const imsat_data *data,
                            const imsat_options *options, size_t from, size_t to,
                            double budget, imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE(data);
    IM_REQUIRE(options);
    imsat_status st = IMSAT_OK;
    struct im_k_choice *own = NULL;
    im_call call;
    if (from < 2 || to < from || to > data->rows)
        return im_fail(err, IMSAT_EINVAL,
                       "k from %zu to %zu, and must be from 2 on, ascending, and no more than "
                       "the %zu rows",
                       from, to, data->rows);
    st = im_call_begin(&call, data, options, to, MOST_ROWS, budget, err);
    if (st == IMSAT_OK)
        st = new_choice(&own, from, to, err);
    if (st == IMSAT_OK)
        st = work(own, &call, err);
    st = im_call_end(&call, st, err);
    if (st == IMSAT_OK) {
        own->about.seconds = im_clock() - call.attempts.started;
        *out = &own->about;
        own = NULL;
    }
    if (own)
        imsat_k_choice_free(&own->about);
    return st;
}
