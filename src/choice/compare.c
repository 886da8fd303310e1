/* SPDX-License-Identifier: MIT
 *
 * imsat_compare(), in stages: the null test, without which nothing can be said; then, while
 * the budget lasts, methods that are quick, whether rows look like a mixture of normals, and
 * methods that train networks. If there is no structure these are not tried: training would
 * not make any.
 */
#include "choice/call.h"
#include "choice/comparison.h"
#include "choice/decide.h"
#include "choice/measure.h"
#include "choice/structure.h"
#include "core/alloc.h"
#include "core/clock.h"

#include <math.h>

enum { MOST_ROWS = 2000, SEEDS = 2, FEW_CLUSTERS = 20 };

/* Where in the call each stage ends. */
static const double TESTED = 0.3, QUICK = 0.5, MIXED = 0.6;

typedef struct work {
    im_call call;
    im_comparison *c;
    im_nulls nulls;
    im_structure structure;
} work;

/* ---- one method ---------------------------------------------------------------------------
 */

/* Runs on some rows, and what their clusters are worth. labels (n) may be NULL. */
static imsat_status measure(imsat_measures *out, int32_t *labels, work *w,
                            const im_portion *portion, const char *method, size_t runs,
                            imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t k = w->call.opt.k;
    im_attempt attempt = {0};
    imsat_measures m = *out;
    IM_TRY(im_attempt_fit(&attempt, &w->call.attempts, portion->data, method, k, runs, err));
    IM_TRY(im_measure_information(&m.information, &m.nats, &portion->graph, attempt.labels, k,
                                  err));
    IM_TRY(
        im_measure_silhouette(&m.silhouette, portion, attempt.labels, k, w->call.pool, err));
    if (runs > 1)
        m.seeds = attempt.result->agreement;
    if (labels)
        memcpy(labels, attempt.labels, portion->n * sizeof *labels);
    *out = m;

cleanup:
    im_attempt_clear(&attempt);
    return st;
}

/* On the rows, with as many seeds as are compared, and on halves of them. */
static imsat_status measure_data(im_compared *m, work *w, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_portion *portion = &w->call.portion;
    int32_t *labels = im_alloc(portion->n, sizeof *labels);
    if (!labels)
        return im_fail_memory(err, "the labels of a method");
    IM_TRY(measure(&m->data, labels, w, portion, m->about.method, SEEDS, err));
    m->labels = labels;
    m->about.labels = labels;
    labels = NULL;
    IM_TRY(im_attempt_halves(&m->data.strength, &m->data.rows, &w->call.attempts, portion,
                             m->about.method, w->call.opt.k, m->labels, err));

cleanup:
    im_free(labels);
    return st;
}

/* On the first draw of rows without clusters of each kind. What takes long, training and many
 * clusters, is done once. */
static imsat_status measure_nulls(im_compared *m, work *w, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const bool once = m->costly || w->call.opt.k > FEW_CLUSTERS;
    double ignored;
    for (size_t kind = 0; kind < IMSAT_NULLS; kind++) {
        const im_portion *rows = &w->nulls.draw[kind][0];
        st = measure(&m->null[kind], NULL, w, rows, m->about.method, once ? 1 : SEEDS, err);
        if (st == IMSAT_OK && !once)
            st = im_attempt_halves(&m->null[kind].strength, &ignored, &w->call.attempts, rows,
                                   m->about.method, w->call.opt.k, NULL, err);
        if (st != IMSAT_OK && st != IMSAT_EINVAL)
            return st;
    }
    return IMSAT_OK;
}

/* What a method refuses, and what there is no time for, is left out; anything else ends the
 * comparison. */
static imsat_status excuse(im_compared *m, const work *w, imsat_status st, imsat_error *err)
{
    const bool late = st == IMSAT_ESTOPPED && w->call.attempts.late;
    if (st != IMSAT_EINVAL && !late)
        return st;
    if (!m->labels)
        im_comparison_leave(
            m, late ? "the budget was over before it was done; --budget gives more"
                    : err->message);
    return IMSAT_OK;
}

static imsat_status try_method(im_compared *m, work *w, imsat_error *err)
{
    const double started = im_clock();
    imsat_status st = measure_data(m, w, err);
    if (st == IMSAT_OK)
        st = measure_nulls(m, w, err);
    m->about.seconds = im_clock() - started;
    return excuse(m, w, st, err);
}

static imsat_status try_methods(work *w, bool costly, double from, double to, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_comparison *c = w->c;
    for (size_t i = 0; i < c->about.methods; i++) {
        im_compared *m = &c->method[i];
        w->call.attempts.share = from + (to - from) * (double)i / (double)c->about.methods;
        if (m->costly != costly || m->about.left_out)
            continue;
        if (costly && !c->about.structure)
            im_comparison_leave(m, "there is no structure that training could find");
        else
            IM_TRY(try_method(m, w, err));
    }

cleanup:
    return st;
}

/* ---- is it a mixture of normals?
 * ------------------------------------------------------------
 */

static im_compared *find(im_comparison *c, const char *method)
{
    for (size_t i = 0; i < c->about.methods; i++)
        if (strcmp(c->method[i].about.method, method) == 0 && c->method[i].labels)
            return &c->method[i];
    return NULL;
}

/* Draw rows from the normals of the mixture's clusters, and have both the mixture and the
 * graph of neighbors look at them: if rows were such, their information would be alike. */
static imsat_status test_normals(work *w, imsat_error *err)
{
    enum { DRAWS = 6, WAYS = 2 };
    static const char *const way[WAYS] = {"gmm", "spectral"};
    imsat_status st = IMSAT_OK;
    const im_compared *mixture = find(w->c, "gmm");
    const double data[WAYS] = {mixture ? mixture->data.information : NAN,
                               w->structure.data[1]};
    double value[WAYS][DRAWS];
    im_portion drawn = {0};
    if (!mixture || !w->c->about.structure || isnan(data[1]) || w->call.attempts.late)
        return IMSAT_OK;
    for (size_t i = 0; i < DRAWS; i++) {
        IM_TRY(im_null_normals(&drawn, &w->call.portion, mixture->labels, w->call.opt.k,
                               w->call.opt.seed, (uint32_t)i, w->call.pool, err));
        for (size_t j = 0; j < WAYS; j++)
            IM_TRY(im_attempt_information(&value[j][i], &w->call.attempts, &drawn, way[j],
                                          w->call.opt.k, err));
        im_portion_clear(&drawn);
        w->call.attempts.share = QUICK + (MIXED - QUICK) * (double)(i + 1) / DRAWS;
    }
    w->c->about.normals =
        im_decide_alike(data[0], value[0], DRAWS) && im_decide_alike(data[1], value[1], DRAWS);

cleanup:
    im_portion_clear(&drawn);
    return st == IMSAT_ESTOPPED && w->call.attempts.late ? IMSAT_OK : st;
}

/* ---- the whole
 * ------------------------------------------------------------------------------
 */

static imsat_status test_structure(work *w, imsat_error *err)
{
    imsat_comparison *about = &w->c->about;
    const imsat_status st = im_structure_test(&w->structure, &w->call.portion, &w->nulls,
                                              about->k, &w->call.attempts, 0, TESTED, err);
    const size_t best = w->structure.best;
    if (st != IMSAT_OK)
        return st;
    if (best == IM_TESTERS)
        return im_fail(err, IMSAT_EINVAL,
                       "neither k-means nor spectral clustering finds %zu clusters in these "
                       "rows; try a smaller k",
                       about->k);
    about->structure = w->structure.found;
    about->information = w->structure.data[best];
    about->without = w->structure.without[best];
    about->deviation = w->structure.deviation;
    return IMSAT_OK;
}

static imsat_status decide(work *w, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_comparison *c = w->c;
    const size_t count = c->about.methods;
    size_t mixture = count;
    im_candidate *candidates = im_alloc(count, sizeof *candidates);
    if (!candidates)
        return im_fail_memory(err, "the methods to choose from");
    for (size_t i = 0; i < count; i++) {
        const im_compared *m = &c->method[i];
        candidates[i] = (im_candidate){m->labels != NULL, m->data.information, m->data.nats};
        if (c->about.normals == 1 && m == find(c, "gmm"))
            mixture = i;
    }
    c->about.best = count;
    if (c->about.structure)
        c->about.best = im_decide_method(candidates, count, c->about.without, mixture);
    if (c->about.structure && c->about.best == count) {
        st = w->call.attempts.late
                 ? im_fail(err, IMSAT_ESTOPPED, "stopped before any method was done")
                 : im_fail(err, IMSAT_EINVAL, "no method could be run: %s", c->method[0].why);
        goto cleanup;
    }
    if (c->about.best < count)
        IM_TRY(im_comparison_simplest(&c->about.best, c, c->about.best, err));
    IM_TRY(im_comparison_agree(c, err));
    im_comparison_say(c);

cleanup:
    im_free(candidates);
    return st;
}

static imsat_status compare(work *w, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_portion *portion = &w->call.portion;
    imsat_comparison *about = &w->c->about;
    about->k = w->call.opt.k;
    about->rows = portion->n;
    about->row = w->c->row = portion->row;
    portion->row = NULL;
    IM_TRY(im_call_check_rows(&w->call, about->k, err));
    IM_TRY(im_nulls_draw(&w->nulls, portion, true, &w->call.attempts, err));
    IM_TRY(test_structure(w, err));
    IM_TRY(try_methods(w, false, TESTED, QUICK, err));
    IM_TRY(test_normals(w, err));
    IM_TRY(try_methods(w, true, MIXED, 1, err));
    IM_TRY(decide(w, err));
    about->seconds = im_clock() - w->call.attempts.started;

cleanup:
    return st;
}

imsat_status imsat_compare(imsat_comparison **out, const imsat_data *data,
                           const imsat_options *options, const char *methods, double budget,
                           imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE(data);
    IM_REQUIRE(options);
    imsat_error own = {""};
    imsat_error *told = err ? err : &own; /* what a method refuses is part of the result */
    work w = {0};
    imsat_status st =
        im_call_begin(&w.call, data, options, options->k, MOST_ROWS, budget, told);
    if (st == IMSAT_OK)
        st = im_comparison_new(&w.c, methods, data->dim, told);
    if (st == IMSAT_OK)
        st = compare(&w, told);
    im_nulls_clear(&w.nulls);
    st = im_call_end(&w.call, st, told);
    if (st == IMSAT_OK) {
        *out = &w.c->about;
        w.c = NULL;
    }
    imsat_comparison_free(w.c ? &w.c->about : NULL);
    return st;
}
