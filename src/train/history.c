/* SPDX-License-Identifier: MIT
 * See history.h. */
#include "train/history.h"

#include "core/alloc.h"
#include "core/status.h"
#include "core/strbuf.h"
#include "data/record.h"
#include "data/tensor.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

#define POINTS_KEY "history.points"
#define TERMS_KEY  "history.terms"

enum { MOST = IM_HISTORY_RUNS * IM_HISTORY_POINTS };

/* ---- its memory -------------------------------------------------------------------------
 */

static imsat_status make(im_history **out, size_t room, unsigned terms, imsat_error *err)
{
    im_history *h = im_alloc(1, sizeof *h);
    if (!h)
        return im_fail_memory(err, "the course of the training");
    bool all = true;
    h->room = room;
    h->every = 1;
    h->run = im_alloc(room, sizeof *h->run);
    h->epoch = im_alloc(room, sizeof *h->epoch);
    h->objective = im_alloc(room, sizeof *h->objective);
    for (size_t t = 0; t < IMSAT_TERMS; t++)
        if (terms & 1U << t) {
            h->column[t] = h->term[t] = im_alloc(room, sizeof *h->term[t]);
            all = all && h->term[t];
        }
    h->about = (imsat_history){0, h->run, h->epoch, h->objective, h->column};
    if (!all || !h->run || !h->epoch || !h->objective) {
        im_history_free(h);
        return im_fail_memory(err, "the course of the training");
    }
    *out = h;
    return IMSAT_OK;
}

imsat_status im_history_new(im_history **out, size_t runs, unsigned terms, imsat_error *err)
{
    return make(out, im_size_min(runs, IM_HISTORY_RUNS) * IM_HISTORY_POINTS, terms, err);
}

void im_history_free(im_history *history)
{
    if (!history)
        return;
    im_free(history->run);
    im_free(history->epoch);
    im_free(history->objective);
    for (size_t t = 0; t < IMSAT_TERMS; t++)
        im_free(history->term[t]);
    im_free(history);
}

/* ---- taking -----------------------------------------------------------------------------
 */

static void copy_point(im_history *h, size_t to, size_t from)
{
    h->run[to] = h->run[from];
    h->epoch[to] = h->epoch[from];
    h->objective[to] = h->objective[from];
    for (size_t t = 0; t < IMSAT_TERMS; t++)
        if (h->term[t])
            h->term[t][to] = h->term[t][from];
}

/* Where the run that ends before point `end` begins. */
static size_t start_of(const im_history *h, size_t end)
{
    size_t start = end;
    while (start > 0 && h->run[start - 1] == h->run[end - 1])
        start--;
    return start;
}

static size_t count_runs(const im_history *h)
{
    size_t runs = 0;
    for (size_t end = h->about.count; end > 0; end = start_of(h, end))
        runs++;
    return runs;
}

/* The last run goes, or the one before it if that is the best. */
static void drop_run(im_history *h, size_t best)
{
    size_t end = h->about.count, start = start_of(h, end);
    if (h->run[start] == best) {
        end = start;
        start = start_of(h, end);
    }
    for (size_t i = end; i < h->about.count; i++)
        copy_point(h, start + i - end, i);
    h->about.count -= end - start;
}

void im_history_begin(im_history *h, size_t run, size_t best)
{
    const size_t count = h->about.count;
    h->number = run;
    if (count > 0 && h->run[count - 1] == run) {
        h->first = start_of(h, count);
        h->every = h->epoch[h->first];
        return;
    }
    if (count_runs(h) == IM_HISTORY_RUNS)
        drop_run(h, best);
    h->first = h->about.count;
    h->every = 1;
}

/* Every second point of the run under way goes. */
static void thin(im_history *h)
{
    const size_t kept = (h->about.count - h->first) / 2;
    for (size_t i = 0; i < kept; i++)
        copy_point(h, h->first + i, h->first + 2 * i + 1);
    h->about.count = h->first + kept;
    h->every *= 2;
}

static float single(double value)
{
    return (float)fmax(fmin(value, (double)FLT_MAX), -(double)FLT_MAX);
}

void im_history_restart(im_history *h)
{
    h->about.count = h->first;
    h->every = 1;
}

void im_history_take(im_history *h, const imsat_progress *p)
{
    if (!h || !p->epoch_done || p->epoch > UINT32_MAX)
        return;
    if (p->epoch == 1)
        im_history_restart(h);
    if (h->about.count - h->first == IM_HISTORY_POINTS)
        thin(h);
    const size_t at = h->about.count;
    if (p->epoch != (at - h->first + 1) * h->every)
        return;
    assert(at < h->room);
    h->run[at] = (uint32_t)h->number;
    h->epoch[at] = (uint32_t)p->epoch;
    h->objective[at] = single(p->objective);
    for (size_t t = 0; t < IMSAT_TERMS; t++)
        if (h->term[t])
            h->term[t][at] = single(p->term[t]);
    h->about.count++;
}

/* ---- files ------------------------------------------------------------------------------
 */

/* The checksum of a file is of its record and its numbers, not of the names of tensors: so the
 * record says which terms there are. "sat cond_entropy" */
imsat_status im_history_record(im_safetensors *record, const im_history *history,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_strbuf terms = {0};
    if (!history || history->about.count == 0)
        return IMSAT_OK;
    for (size_t t = 0; t < IMSAT_TERMS; t++)
        if (history->term[t])
            im_strbuf_format(&terms, "%s%s", terms.used > 0 ? " " : "",
                             imsat_term_name((imsat_term)t));
    IM_TRY(im_strbuf_check(&terms, "the course of the training", err));
    IM_TRY(im_record_count(record, POINTS_KEY, history->about.count, err));
    if (terms.used > 0)
        IM_TRY(im_safetensors_set(record, TERMS_KEY, terms.text, err));

cleanup:
    im_strbuf_clear(&terms);
    return st;
}

/* The tensors: one list for saving and loading. */
typedef struct array {
    char name[40];
    im_tensor_type type;
    void *data; /* of elements of 4 bytes */
    double least;
} array;

enum { WIDTH = 4, MOST_ARRAYS = 3 + IMSAT_TERMS };

static size_t list_arrays(array list[MOST_ARRAYS], const im_history *h)
{
    size_t n = 0;
    list[n++] = (array){"history.run", IM_TENSOR_U32, h->run, 0};
    list[n++] = (array){"history.epoch", IM_TENSOR_U32, h->epoch, 1};
    list[n++] = (array){"history.objective", IM_TENSOR_F32, h->objective, -HUGE_VAL};
    for (size_t t = 0; t < IMSAT_TERMS; t++)
        if (h->term[t]) {
            snprintf(list[n].name, sizeof list[n].name, "history.%s",
                     imsat_term_name((imsat_term)t));
            list[n].type = IM_TENSOR_F32;
            list[n].data = h->term[t];
            list[n++].least = -HUGE_VAL;
        }
    return n;
}

imsat_status im_history_add(im_safetensors *file, const im_history *history, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    array list[MOST_ARRAYS];
    if (!history || history->about.count == 0)
        return IMSAT_OK;
    const size_t n = list_arrays(list, history);
    for (size_t i = 0; i < n; i++)
        IM_TRY(im_safetensors_add(file, list[i].name, list[i].type, list[i].data, 1,
                                  &history->about.count, err));

cleanup:
    return st;
}

/* Runs ascend and are not too many, and a run's epochs are as they are taken. */
static imsat_status check_points(const im_history *h, const char *path, size_t runs,
                                 imsat_error *err)
{
    size_t first = 0, held = 0;
    for (size_t i = 0; i < h->about.count; i++) {
        if (i == 0 || h->run[i] != h->run[i - 1]) {
            first = i;
            held++;
        }
        if ((i > 0 && h->run[i] < h->run[i - 1]) || held > IM_HISTORY_RUNS)
            return im_fail(err, IMSAT_EFORMAT,
                           "%s: element %zu of history.run is %u; runs must be in order, and "
                           "at most %d",
                           path, i, h->run[i], IM_HISTORY_RUNS);
        if (h->run[i] >= runs)
            return im_fail(err, IMSAT_EFORMAT,
                           "%s: element %zu of history.run is %u, and must be below %zu", path,
                           i, h->run[i], runs);
        if (h->epoch[i] != (uint64_t)(i - first + 1) * h->epoch[first] ||
            i - first >= IM_HISTORY_POINTS)
            return im_fail(err, IMSAT_EFORMAT,
                           "%s: element %zu of history.epoch is %u; epochs of a run must be "
                           "evenly spread, and at most %d",
                           path, i, h->epoch[i], IM_HISTORY_POINTS);
    }
    return IMSAT_OK;
}

static imsat_status get_count(size_t *out, const im_safetensors *file, const char *path,
                              size_t most, imsat_error *err)
{
    uint64_t count = 0;
    const imsat_status st =
        im_safetensors_value(file, POINTS_KEY)
            ? im_record_get_within(&count, file, path, POINTS_KEY, 1, most, err)
            : IMSAT_OK;
    *out = (size_t)count;
    return st;
}

imsat_status im_history_read(im_history *into, const im_safetensors *file, const char *path,
                             size_t runs, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    array list[MOST_ARRAYS];
    const size_t n = list_arrays(list, into);
    size_t count = 0;
    IM_TRY(get_count(&count, file, path, into->room, err));
    for (size_t i = 0; count > 0 && i < n; i++) {
        const im_tensor *found;
        IM_TRY(im_safetensors_get(&found, file, path, list[i].name, list[i].type, 1, &count,
                                  err));
        IM_TRY(im_tensor_check(found, path, list[i].least, HUGE_VAL, err));
        memcpy(list[i].data, found->data, count * WIDTH);
    }
    into->about.count = count;
    IM_TRY(check_points(into, path, runs, err));

cleanup:
    return st;
}

/* Those that this library knows. */
static unsigned terms_of(const im_safetensors *file)
{
    unsigned terms = 0;
    const char *text = im_safetensors_value(file, TERMS_KEY);
    while (text && *text) {
        const size_t length = strcspn(text, " ");
        for (size_t t = 0; t < IMSAT_TERMS; t++) {
            const char *name = imsat_term_name((imsat_term)t);
            if (strlen(name) == length && memcmp(name, text, length) == 0)
                terms |= 1U << t;
        }
        text += length + (text[length] == ' ');
    }
    return terms;
}

imsat_status im_history_load(im_history **out, const im_safetensors *file, const char *path,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_history *made = NULL;
    size_t count = 0;
    IM_TRY(get_count(&count, file, path, MOST, err));
    if (count == 0)
        return IMSAT_OK;
    IM_TRY(make(&made, count, terms_of(file), err));
    IM_TRY(im_history_read(made, file, path, SIZE_MAX, err));
    *out = made;
    made = NULL;

cleanup:
    im_history_free(made);
    return st;
}
