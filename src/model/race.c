/* SPDX-License-Identifier: MIT
 *
 * A race of seeds (imsat_race() in imsat/imsat.h). In heat h of H = ceil(log2 runs) the seeds
 * that are left are trained from the beginning for
 *
 *     epochs / (LAST_SHARE 2^(H - 1 - h))       epochs, at least 1
 *
 * and the better half, by the objective over all data, goes on; of equal ones the lower seed.
 * So eight seeds take 8/20 + 4/10 + 2/5 = 1.2 trainings, and the one to the end makes it 2.2.
 * Seeds begin anew in each heat, because a training is a function of its seed: to keep the
 * states of all would save half of the heats, and take the memory of as many networks.
 *
 * What the heats have found is kept beside the checkpoint, in CHECKPOINT.race, by lines:
 *
 *     imsat-race-1 IDENTITY          of data and options
 *     HEAT SEED OBJECTIVE            of a training that is finished, in order
 *
 * The seeds of a heat follow from the lines of the heat before, so this is all there is to
 * know.
 */
#include "core/alloc.h"
#include "core/bytes.h"
#include "core/checksum.h"
#include "core/path.h"
#include "core/strbuf.h"
#include "data/dataset.h"
#include "data/number.h"
#include "model/check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { LAST_SHARE = 5, MOST = 1024 };

typedef struct race {
    const imsat_data *data;
    imsat_options given, opt; /* the caller's, and with all that is open decided */
    float *radius;            /* owned, or NULL */
    uint64_t identity;
    char *path;         /* owned: of what is kept; NULL: nothing is */
    im_strbuf kept;     /* its text */
    size_t heats, heat; /* how many, and which is run */
    size_t left;        /* seeds in the race, */
    uint64_t seed[MOST];
    double objective[MOST]; /* and what they came to in this heat */
    size_t done, all;       /* trainings, for progress */
} race;

static size_t heat_epochs(const race *r)
{
    const size_t share = (size_t)LAST_SHARE << (r->heats - 1 - r->heat);
    return r->opt.epochs > share ? r->opt.epochs / share : 1;
}

/* ---- what is kept -------------------------------------------------------------------------
 */

/* A number for the data and all options that can change the result. */
static imsat_status identify(race *r, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_strbuf text = {0};
    char value[256];
    const im_stage none = {0};
    IM_TRY(im_data_fingerprint(&r->identity, r->data, &none, err));
    im_strbuf_format(&text, "%s %" PRIu64, IMSAT_VERSION, r->identity);
    for (size_t i = 0; imsat_option_at(i); i++) {
        const imsat_option *option = imsat_option_at(i);
        if (!option->recorded || option->type == IMSAT_OPTION_VECTOR)
            continue;
        IM_TRY(imsat_options_get(&r->opt, option->name, value, sizeof value, err));
        im_strbuf_format(&text, " %s=%s", option->name, value);
    }
    if (r->opt.prior)
        im_strbuf_format(&text, " prior=%016" PRIx64,
                         im_checksum_of(r->opt.prior, r->opt.k * sizeof *r->opt.prior));
    if (r->opt.radius)
        im_strbuf_format(
            &text, " radius=%016" PRIx64,
            im_checksum_of(r->opt.radius, imsat_data_rows(r->data) * sizeof *r->opt.radius));
    IM_TRY(im_strbuf_check(&text, "the options of a race", err));
    r->identity = im_checksum_of(text.text, text.used);

cleanup:
    im_strbuf_clear(&text);
    return st;
}

static imsat_status refuse_kept(const race *r, imsat_status status, const char *why,
                                imsat_error *err)
{
    return im_fail(err, status, "%s: %s; remove it, or leave out --resume, to begin anew",
                   r->path, why);
}

/* The lines of a race before, if it is to be resumed. */
static imsat_status open_kept(race *r, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_bytes bytes = {0};
    char head[64];
    const int size = snprintf(head, sizeof head, "imsat-race-1 %016" PRIx64 "\n", r->identity);
    if (r->path && r->opt.resume && im_path_exists(r->path)) {
        IM_TRY(im_bytes_open(&bytes, r->path, err));
        im_strbuf_bytes(&r->kept, (const char *)bytes.data, bytes.size);
        if (r->kept.used < (size_t)size || memcmp(r->kept.text, head, (size_t)size) != 0)
            st = refuse_kept(r, IMSAT_EMISMATCH, "is a race of other data or options", err);
    } else {
        im_strbuf_put(&r->kept, head);
    }

cleanup:
    im_bytes_clear(&bytes);
    return st == IMSAT_OK ? im_strbuf_check(&r->kept, "a race", err) : st;
}

/* "\n2 17 " */
static void line_start(char text[64], const race *r, size_t i)
{
    snprintf(text, 64, "\n%zu %" PRIu64 " ", r->heat, r->seed[i]);
}

/* Whether the objective of seed i in this heat is kept; then it is taken. */
static imsat_status find_kept(bool *found, race *r, size_t i, imsat_error *err)
{
    char start[64];
    line_start(start, r, i);
    const char *at = strstr(r->kept.text, start);
    *found = at != NULL;
    if (!at)
        return IMSAT_OK;
    at += strlen(start);
    const im_number number = im_number_parse(&r->objective[i], at, strcspn(at, "\n"));
    return number == IM_NUMBER_FINITE
               ? IMSAT_OK
               : refuse_kept(r, IMSAT_EFORMAT, "an objective in it is no number", err);
}

static imsat_status keep(race *r, size_t i, imsat_error *err)
{
    char start[64], number[IM_NUMBER_ROOM];
    line_start(start, r, i);
    im_strbuf_put(&r->kept, start + 1); /* a line ends where the one before does */
    im_strbuf_bytes(&r->kept, number, im_number_text(number, r->objective[i], false));
    im_strbuf_put(&r->kept, "\n");
    return r->path ? im_strbuf_save(&r->kept, r->path, err)
                   : im_strbuf_check(&r->kept, "a race", err);
}

/* ---- heats --------------------------------------------------------------------------------
 */

/* Tell of a training as a part of the whole race. */
static int on_progress(void *user, const imsat_progress *progress)
{
    const race *r = user;
    const double part = strcmp(progress->stage, "train") == 0 ? progress->fraction : 0;
    const imsat_progress p = {
        .stage = "race", .fraction = ((double)r->done + part) / (double)r->all, .runs = 1};
    return r->opt.progress ? r->opt.progress(r->opt.progress_user, &p) : 0;
}

static imsat_status train(race *r, size_t i, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_model *model = NULL;
    imsat_result *result = NULL;
    imsat_options o = r->given;
    o.runs = 1;
    o.seed = r->seed[i];
    o.epochs = heat_epochs(r);
    o.checkpoint = NULL;
    o.resume = 0;
    if (r->radius)
        o.radius = r->radius;
    o.progress = on_progress;
    o.progress_user = r;
    IM_TRY(o.task == IMSAT_TASK_HASH ? imsat_hash(&model, r->data, &o, &result, err)
                                     : imsat_cluster(&model, r->data, &o, &result, err));
    r->objective[i] = imsat_result_run(result, 0)->objective;
    st = keep(r, i, err);

cleanup:
    imsat_result_free(result);
    imsat_model_free(model);
    return st;
}

/* The better half of the seeds stays, in the order of the seeds. */
static void halve(race *r)
{
    const size_t wanted = (r->left + 1) / 2;
    size_t kept = 0;
    for (size_t i = 0; i < r->left; i++) {
        size_t better = 0;
        for (size_t j = 0; j < r->left; j++)
            better += r->objective[j] < r->objective[i] ||
                      (j < i && r->objective[j] == r->objective[i]);
        if (better < wanted)
            r->seed[kept++] = r->seed[i];
    }
    r->left = wanted;
}

static imsat_status run_heats(race *r, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (r->heat = 0; r->heat < r->heats; r->heat++) {
        for (size_t i = 0; i < r->left; i++, r->done++) {
            bool found;
            IM_TRY(find_kept(&found, r, i, err));
            if (!found)
                IM_TRY(train(r, i, err));
        }
        halve(r);
    }

cleanup:
    return st;
}

/* ---- the race -----------------------------------------------------------------------------
 */

static imsat_status check(const race *r, imsat_error *err)
{
    const im_method *method = im_methods_find(r->opt.method);
    if (!method->recipe)
        return im_fail(err, IMSAT_EINVAL,
                       "a race is of networks that are trained by IMSAT or RIM; method %s has "
                       "no objective that shows early how a run will end",
                       r->opt.method);
    if (r->opt.task == IMSAT_TASK_CLUSTER && im_options_number_open(r->opt.mu))
        return im_fail(err, IMSAT_EINVAL,
                       "mu is left open: objectives of different mu cannot be compared; set "
                       "mu for a race, to 4 lambda, say");
    if (r->opt.runs > MOST)
        return im_fail(err, IMSAT_EINVAL, "runs is %zu: a race is of at most %d", r->opt.runs,
                       MOST);
    return IMSAT_OK;
}

static imsat_status prepare(race *r, imsat_error *err)
{
    const im_method *method = im_methods_find(r->opt.method);
    if (r->opt.checkpoint) {
        const size_t room = strlen(r->opt.checkpoint) + sizeof ".race";
        r->path = im_alloc(room, 1);
        if (!r->path)
            return im_fail_memory(err, "the name of a file");
        snprintf(r->path, room, "%s.race", r->opt.checkpoint);
    }
    for (r->left = 0; r->left < r->opt.runs; r->left++)
        r->seed[r->left] = r->opt.seed + r->left;
    for (size_t left = r->left; left > 1; left = (left + 1) / 2) {
        r->heats++;
        r->all += left;
    }
    if (!(method->uses & IM_USES_RADIUS) || r->opt.radius)
        return IMSAT_OK;
    r->radius = im_alloc(imsat_data_rows(r->data), sizeof *r->radius);
    if (!r->radius)
        return im_fail_memory(err, "the radius of every row");
    return imsat_neighbor_radius(r->radius, NULL, r->data, &r->given, err);
}

imsat_status imsat_race(uint64_t *seed, const imsat_data *data, const imsat_options *options,
                        imsat_error *err)
{
    IM_REQUIRE(seed);
    IM_REQUIRE(data);
    IM_REQUIRE(options);
    imsat_status st = IMSAT_OK;
    race *r = im_alloc(1, sizeof *r);
    if (!r)
        return im_fail_memory(err, "a race");
    r->data = data;
    IM_TRY(im_check_adopt(&r->given, options, err));
    IM_TRY(im_check_resolve(&r->opt, options, data, err));
    IM_TRY(check(r, err));
    IM_TRY(prepare(r, err));
    IM_TRY(identify(r, err));
    IM_TRY(open_kept(r, err));
    IM_TRY(run_heats(r, err));
    *seed = r->seed[0];

cleanup:
    im_free(r->radius);
    im_free(r->path);
    im_strbuf_clear(&r->kept);
    im_free(r);
    return st;
}
