/* SPDX-License-Identifier: MIT
 * See probe.h. */
#include "neighbors/probe.h"

#include "core/alloc.h"
#include "linear/keep.h"
#include "linear/knn.h"

#include <assert.h>
#include <math.h>

enum {
    BATCH = 16,      /* rounds whose cells are found together: 2 BATCH bytes a row */
    MOST_ROWS = 1536 /* of a task */
};

/* Rows queue[from] .. queue[to - 1] meet a cell. */
struct im_probe_task {
    size_t cell, from, to;
};

static void probe_task(void *context, size_t number, int thread)
{
    const im_probe *p = context;
    const im_probe_task task = p->tasks[number];
    const size_t first = p->cells->start[task.cell];
    const im_knn_rows rows = {.frame = p->frame,
                              .count = task.to - task.from,
                              .numbers = p->queue + task.from,
                              .places = p->places,
                              .sq_norm = p->sq_norm,
                              .among = true,
                              .capacity = p->capacity,
                              .heaps = p->keys};
    const im_knn_columns columns = {.frame = p->frame,
                                    .sq_norm = p->sq_norm,
                                    .first = first,
                                    .count = p->cells->start[task.cell + 1] - first};
    im_knn_offer(&p->tiles.per_thread[thread], &rows, &columns);
}

/* ---- rounds ---------------------------------------------------------------- */

/* queue and begin of the round: a counting sort of the rows by their cell. */
static void sort_rows(im_probe *p, size_t column)
{
    const size_t cells = p->cells->count;
    memset(p->begin, 0, (cells + 1) * sizeof *p->begin);
    for (size_t i = 0; i < p->count; i++)
        p->begin[p->nearest[i * p->batch + column] + 1]++;
    for (size_t c = 0; c < cells; c++)
        p->begin[c + 1] += p->begin[c];
    for (size_t i = 0; i < p->count; i++)
        p->queue[p->begin[p->nearest[i * p->batch + column]]++] = (uint32_t)i;
    for (size_t c = cells; c > 0; c--) /* filling moved each to its end */
        p->begin[c] = p->begin[c - 1];
    p->begin[0] = 0;
}

static size_t list_tasks(im_probe *p)
{
    size_t count = 0;
    for (size_t c = 0; c < p->cells->count; c++)
        for (size_t from = p->begin[c]; from < p->begin[c + 1]; from += p->room)
            p->tasks[count++] =
                (im_probe_task){c, from, im_size_min(from + p->room, p->begin[c + 1])};
    return count;
}

imsat_status im_probe_run(im_probe *p, size_t rounds, im_pool *pool, const im_stage *stage,
                          imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t first = p->probed;
    assert(rounds <= p->cells->count);
    for (; p->probed < rounds; p->probed++) {
        const double all = (double)(rounds - first), done = (double)(p->probed - first);
        const im_stage part = im_stage_part(stage, done / all, (done + 1) / all);
        const im_stage look = im_stage_part(&part, 0, p->probed == p->known ? 0.1 : 0);
        const im_stage work = im_stage_part(&part, 0.1, 1);
        if (p->probed == p->known) {
            p->batch = im_size_min(BATCH, rounds - p->probed);
            IM_TRY(im_cells_nearest(p->nearest, p->batch, p->after, p->cells, p->frame,
                                    p->places, p->count, pool, &look, err));
            p->known += p->batch;
        }
        sort_rows(p, p->probed + p->batch - p->known);
        IM_TRY(im_stage_run(&work, pool, probe_task, p, list_tasks(p), BATCH * BATCH, err));
    }

cleanup:
    return st;
}

/* ---- memory ---------------------------------------------------------------- */

imsat_status im_probe_new(im_probe *out, const im_frame *frame, const im_cells *cells,
                          const float *sq_norm, const uint32_t *places, size_t count,
                          size_t capacity, im_pool *pool, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t threads = (size_t)im_pool_threads(pool);
    im_probe p = {.frame = frame,
                  .cells = cells,
                  .sq_norm = sq_norm,
                  .places = places,
                  .count = count,
                  .capacity = capacity,
                  .room = im_tile_room(MOST_ROWS, frame->d, threads)};
    assert(capacity >= 1 && frame->order && frame->d == cells->d);
    p.keys = im_alloc(count * capacity, sizeof *p.keys);
    p.nearest = im_alloc(count * BATCH, sizeof *p.nearest);
    p.after = im_alloc(count, sizeof *p.after);
    p.queue = im_alloc(count, sizeof *p.queue);
    p.begin = im_alloc(cells->count + 1, sizeof *p.begin);
    p.tasks = im_alloc(cells->count + count / p.room, sizeof *p.tasks);
    if (!p.keys || !p.nearest || !p.after || !p.queue || !p.begin || !p.tasks) {
        st = im_fail_memory(err, "the neighbors of all rows (--neighbor says how many)");
        goto cleanup;
    }
    IM_TRY(im_tile_set_new(&p.tiles, threads, p.room, frame->d, err));
    im_keep_reset(p.keys, count * capacity, im_keep_pair(INFINITY, UINT32_MAX));
    *out = p;
    p = (im_probe){0};

cleanup:
    im_probe_clear(&p);
    return st;
}

void im_probe_clear(im_probe *p)
{
    im_free(p->keys);
    im_free(p->nearest);
    im_free(p->after);
    im_free(p->queue);
    im_free(p->begin);
    im_free(p->tasks);
    im_tile_set_clear(&p->tiles);
    *p = (im_probe){0};
}
