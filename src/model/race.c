/* SPDX-License-Identifier: MIT
 *
 * See race.h. In heat h of H = ceil(log2 runs) the seeds that are left go on to epoch
 *
 *     e_h = epochs / (LAST_SHARE 2^(H - 1 - h)),     at least 1
 *
 * of their training, and the better half, by the objective over all data, stays; of equal ones
 * the lower seed. With N = 2^H seeds and E epochs that are
 *
 *     N e_0 + N/2 (e_1 - e_0) + .. + 2 (e_{H-1} - e_{H-2}) + E - e_{H-1} = E (1 +
 * H/LAST_SHARE)
 *
 * epochs in all: eight seeds take as long as two trainings. Nothing in a training knows of the
 * heats, so the winner's is the one of its seed alone.
 *
 * A seed's state is a checkpoint of that training. Where no checkpoint is asked for, states
 * are held in memory; else they are files beside it, CHECKPOINT.seedS, and what the heats have
 * found is in CHECKPOINT.race, by lines:
 *
 *     imsat-race-2 IDENTITY          of data and options
 *     HEAT SEED OBJECTIVE            of a seed that came to the end of a heat, in order
 *
 * A line is written when the state is. So which seeds are left, and where each stands, is
 * known at any moment; a seed whose state is lost begins anew, and ends the same. Files of
 * dropped seeds are removed, and that of the winner becomes CHECKPOINT.
 */
#include "model/race.h"

#include "core/alloc.h"
#include "core/bytes.h"
#include "core/checksum.h"
#include "core/path.h"
#include "core/strbuf.h"
#include "data/number.h"
#include "model/checkpoint.h"

#include <inttypes.h>
#include <stdio.h>

enum { LAST_SHARE = 3 };

typedef struct race {
    const im_runs *given;
    const imsat_options *opt; /* of all seeds */
    uint64_t identity;
    char *path, *file;  /* owned: CHECKPOINT.race, and room for CHECKPOINT.seedS; NULL: none */
    im_strbuf kept;     /* the text of the first */
    size_t heats, heat; /* how many, and which is run */
    size_t left;        /* seeds in the race, */
    size_t number[IM_RACE_MOST];
    double objective[IM_RACE_MOST]; /* and what they came to in this heat */
    im_safetensors *state;          /* (runs) owned: of seeds by number, where no file is */
    size_t done, all;               /* epochs, for progress */
} race;

/* The epoch that a seed is at after so many heats. */
static size_t end_of(const race *r, size_t heats)
{
    const size_t share = (size_t)LAST_SHARE << (r->heats - heats);
    return heats == 0 ? 0 : r->opt->epochs > share ? r->opt->epochs / share : 1;
}

static size_t heat_epochs(const race *r)
{
    return end_of(r, r->heat + 1) - end_of(r, r->heat);
}

/* ---- files --------------------------------------------------------------------------------
 */

enum { NAME_ROOM = 32 }; /* of ".seed18446744073709551615" */

/* The file of a seed's state. */
static const char *file_of(const race *r, size_t number)
{
    if (r->file)
        snprintf(r->file, strlen(r->opt->checkpoint) + NAME_ROOM, "%s.seed%" PRIu64,
                 r->opt->checkpoint, r->opt->seed + number);
    return r->file;
}

static void forget(race *r, size_t number)
{
    im_safetensors_clear(&r->state[number]);
    r->state[number] = (im_safetensors){0};
    if (r->file)
        remove(file_of(r, number));
}

/* A number for the data and all options that can change the result. */
static imsat_status identify(race *r, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_strbuf text = {0};
    char value[256];
    const imsat_options *o = r->opt;
    im_strbuf_format(&text, "%s %" PRIu64, IMSAT_VERSION, r->given->fingerprint);
    for (size_t i = 0; imsat_option_at(i); i++) {
        const imsat_option *option = imsat_option_at(i);
        if (!option->recorded || option->type == IMSAT_OPTION_VECTOR)
            continue;
        IM_TRY(imsat_options_get(o, option->name, value, sizeof value, err));
        im_strbuf_format(&text, " %s=%s", option->name, value);
    }
    if (o->prior)
        im_strbuf_format(&text, " prior=%016" PRIx64,
                         im_checksum_of(o->prior, o->k * sizeof *o->prior));
    if (o->radius)
        im_strbuf_format(
            &text, " radius=%016" PRIx64,
            im_checksum_of(o->radius, r->given->given.data->rows * sizeof *o->radius));
    IM_TRY(im_strbuf_check(&text, "the options of a race", err));
    r->identity = im_checksum_of(text.text, text.used);

cleanup:
    im_strbuf_clear(&text);
    return st;
}

static imsat_status refuse(const char *path, imsat_status status, const char *why,
                           imsat_error *err)
{
    return im_fail(err, status, "%s: %s; remove it, or leave out --resume, to begin anew",
                   path, why);
}

/* The lines of a race before. */
static imsat_status read_kept(race *r, const char *head, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_bytes bytes = {0};
    IM_TRY(im_bytes_open(&bytes, r->path, err));
    im_strbuf_bytes(&r->kept, (const char *)bytes.data, bytes.size);
    IM_TRY(im_bytes_check(&bytes, im_strbuf_check(&r->kept, "a race", err), err));
    if (strncmp(r->kept.text, head, strlen(head)) != 0)
        st = refuse(r->path, IMSAT_EMISMATCH, "is a race of other data or options", err);

cleanup:
    im_bytes_clear(&bytes);
    return st;
}

/* What is known of the race, if it is to be resumed; else nothing, on disk, too. */
static imsat_status open_kept(race *r, imsat_error *err)
{
    char head[64];
    snprintf(head, sizeof head, "imsat-race-2 %016" PRIx64 "\n", r->identity);
    if (r->path && r->opt->resume && im_path_exists(r->path))
        return read_kept(r, head, err);
    if (r->path && r->opt->resume && im_path_exists(r->opt->checkpoint))
        return refuse(r->opt->checkpoint, IMSAT_EMISMATCH,
                      "is no checkpoint of a race, of which a file of this name and \".race\" "
                      "tells",
                      err);
    for (size_t i = 0; i < r->left; i++)
        forget(r, i);
    im_strbuf_put(&r->kept, head);
    return r->path ? im_strbuf_save(&r->kept, r->path, err)
                   : im_strbuf_check(&r->kept, "a race", err);
}

/* "\n2 17 " */
static void line_start(char text[64], const race *r, size_t i)
{
    snprintf(text, 64, "\n%zu %" PRIu64 " ", r->heat, r->opt->seed + r->number[i]);
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
               : refuse(r->path, IMSAT_EFORMAT, "an objective in it is no number", err);
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

/* Tell of a seed's training as a part of the whole race. */
static int on_progress(void *user, const imsat_progress *progress)
{
    const race *r = user;
    const double epochs = (double)heat_epochs(r), before = (double)end_of(r, r->heat);
    double part = epochs;
    if (strcmp(progress->stage, "train") == 0)
        part = progress->fraction * (double)r->opt->epochs - before;
    part = part < 0 ? 0 : part > epochs ? epochs : part;
    imsat_progress p = *progress;
    p.stage = "race";
    p.fraction = ((double)r->done + part) / (double)r->all;
    return r->opt->progress ? r->opt->progress(r->opt->progress_user, &p) : 0;
}

/* A seed was stopped, and the way to go on is that of the race. */
static imsat_status stopped(const race *r, uint64_t seed, imsat_error *err)
{
    const char *path = r->opt->checkpoint;
    return im_fail(err, IMSAT_ESTOPPED,
                   "stopped in heat %zu of %zu of a race, seed %" PRIu64 "; %s%s", r->heat + 1,
                   r->heats, seed, path ? "resume from " : "no checkpoint was asked for",
                   path ? path : "");
}

/* Seed i to the end of this heat, from where it stands. */
static imsat_status run_heat(race *r, size_t i, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t number = r->number[i];
    imsat_options opt = *r->opt;
    im_runs runs = *r->given;
    im_safetensors from = r->state[number];
    r->state[number] = (im_safetensors){0};
    opt.seed += number;
    opt.runs = 1;
    opt.race = 0;
    opt.checkpoint = file_of(r, number);
    opt.progress = on_progress;
    opt.progress_user = r;
    runs.given.opt = &opt;
    runs.before = number;
    runs.all = r->opt->runs;
    if (opt.checkpoint && im_path_exists(opt.checkpoint))
        IM_TRY(im_checkpoint_open(&from, &runs, err));
    if (!opt.checkpoint) {
        opt.checkpoint_every = SIZE_MAX; /* the state is held once, at the end */
        runs.held = &r->state[number];
    }
    IM_TRY(im_runs_pause(&r->objective[i], &runs, &from, end_of(r, r->heat + 1), err));
    st = keep(r, i, err);

cleanup:
    im_safetensors_clear(&from);
    return st == IMSAT_ESTOPPED ? stopped(r, opt.seed, err) : st;
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
            r->number[kept++] = r->number[i];
        else
            forget(r, r->number[i]);
    }
    r->left = wanted;
}

static imsat_status run_heats(race *r, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (r->heat = 0; r->heat < r->heats; r->heat++) {
        for (size_t i = 0; i < r->left; i++, r->done += heat_epochs(r)) {
            bool found;
            IM_TRY(find_kept(&found, r, i, err));
            if (!found)
                IM_TRY(run_heat(r, i, err));
        }
        halve(r);
    }

cleanup:
    return st;
}

/* ---- the race -----------------------------------------------------------------------------
 */

static imsat_status prepare(race *r, imsat_error *err)
{
    r->state = im_alloc(r->opt->runs, sizeof *r->state);
    if (!r->state)
        return im_fail_memory(err, "the states of the seeds");
    if (r->opt->checkpoint) {
        const size_t room = strlen(r->opt->checkpoint) + NAME_ROOM;
        r->path = im_alloc(room, 1);
        r->file = im_alloc(room, 1);
        if (!r->path || !r->file)
            return im_fail_memory(err, "the name of a file");
        snprintf(r->path, room, "%s.race", r->opt->checkpoint);
    }
    for (r->left = 0; r->left < r->opt->runs; r->left++)
        r->number[r->left] = r->left;
    for (size_t left = r->left; left > 1; left = (left + 1) / 2)
        r->heats++;
    for (size_t left = r->left; left > 1; left = (left + 1) / 2, r->heat++)
        r->all += left * heat_epochs(r);
    return IMSAT_OK;
}

/* The state of the one that is left, to the place where the training looks for it. */
static imsat_status hand_over(im_safetensors *state, race *r, imsat_error *err)
{
    const size_t winner = r->number[0];
    const char *file = file_of(r, winner);
    *state = r->state[winner];
    r->state[winner] = (im_safetensors){0};
    if (file && im_path_exists(file) && rename(file, r->opt->checkpoint) != 0)
        return im_fail_file(err, r->opt->checkpoint);
    return IMSAT_OK;
}

imsat_status im_race_run(size_t *winner, im_safetensors *state, const im_runs *given,
                         imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    race *r = im_alloc(1, sizeof *r);
    if (!r)
        return im_fail_memory(err, "a race");
    r->given = given;
    r->opt = given->given.opt;
    IM_TRY(prepare(r, err));
    IM_TRY(identify(r, err));
    IM_TRY(open_kept(r, err));
    IM_TRY(run_heats(r, err));
    IM_TRY(hand_over(state, r, err));
    *winner = r->number[0];

cleanup:
    for (size_t i = 0; r->state && i < r->opt->runs; i++)
        im_safetensors_clear(&r->state[i]);
    im_free(r->state);
    im_free(r->path);
    im_free(r->file);
    im_strbuf_clear(&r->kept);
    im_free(r);
    return st;
}
