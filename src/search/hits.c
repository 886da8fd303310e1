/* SPDX-License-Identifier: MIT
 *
 * Hits; see hits.h. The ids of a code ascend, so the ids of a query are a merge: a heap holds
 * the next id of every code, by distance and id. */
#include "search/hits.h"

#include "core/alloc.h"

#include <string.h>

enum { TASK = 16 /* queries */ };

typedef struct next_id {
    int64_t id;
    uint32_t distance;
    uint32_t at, end; /* of index->ids */
} next_id;

typedef struct merge {
    const im_found *found;
    const imsat_index *index;
    size_t queries;
    size_t *start;
    int64_t *ids;
    int32_t *distance;
    next_id *heap; /* (threads, room) owned */
    size_t room;
} merge;

static bool before(const next_id *a, const next_id *b)
{
    return a->distance != b->distance ? a->distance < b->distance : a->id < b->id;
}

static void sift_down(next_id *heap, size_t n, size_t at)
{
    const next_id moved = heap[at];
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && before(&heap[child + 1], &heap[child]))
            child++;
        if (!before(&heap[child], &moved))
            break;
        heap[at] = heap[child];
    }
    heap[at] = moved;
}

static void emit(const merge *m, size_t q, next_id *heap)
{
    size_t n = m->found[q].length;
    for (size_t i = 0; i < n; i++) {
        const im_near near = m->found[q].list[i];
        const uint32_t *first = m->index->first + near.code;
        heap[i] = (next_id){m->index->ids[first[0]], near.distance, first[0], first[1]};
    }
    for (size_t i = n / 2; i-- > 0;)
        sift_down(heap, n, i);
    for (size_t to = m->start[q]; to < m->start[q + 1]; to++) {
        m->ids[to] = heap[0].id;
        m->distance[to] = (int32_t)heap[0].distance;
        if (++heap[0].at < heap[0].end)
            heap[0].id = m->index->ids[heap[0].at];
        else
            heap[0] = heap[--n];
        sift_down(heap, n, 0);
    }
}

static void run_task(void *context, size_t task, int thread)
{
    const merge *m = context;
    for (size_t q = task * TASK; q < (task + 1) * TASK && q < m->queries; q++)
        emit(m, q, m->heap + (size_t)thread * m->room);
}

/* How many ids a query gets. */
static size_t ids_of(const im_found *found, const imsat_index *index, size_t count)
{
    size_t ids = 0;
    for (size_t i = 0; i < found->length; i++) {
        const uint32_t *first = index->first + found->list[i].code;
        ids += first[1] - first[0];
    }
    return count && ids > count ? count : ids;
}

imsat_status im_hits_new(imsat_hits *out, const im_found *found, size_t queries,
                         const imsat_index *index, size_t count, im_pool *pool,
                         imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    merge m = {.found = found, .index = index, .queries = queries, .room = 1};
    m.start = im_alloc(queries + 1, sizeof *m.start);
    for (size_t q = 0; m.start && q < queries; q++) {
        m.start[q + 1] = m.start[q] + ids_of(&found[q], index, count);
        m.room = found[q].length > m.room ? found[q].length : m.room;
    }
    m.ids = m.start ? im_alloc(m.start[queries], sizeof *m.ids) : NULL;
    m.distance = m.start ? im_alloc(m.start[queries], sizeof *m.distance) : NULL;
    m.heap = im_alloc((size_t)im_pool_threads(pool) * m.room, sizeof *m.heap);
    if (!m.start || !m.ids || !m.distance || !m.heap) {
        st = im_fail_memory(err, "the hits");
        goto cleanup;
    }
    im_pool_run(pool, run_task, &m, (queries + TASK - 1) / TASK);
    *out = (imsat_hits){queries, m.start, m.ids, m.distance};
    m.start = NULL;
    m.ids = NULL;
    m.distance = NULL;

cleanup:
    im_free(m.start);
    im_free(m.ids);
    im_free(m.distance);
    im_free(m.heap);
    return st;
}

void imsat_hits_clear(imsat_hits *hits)
{
    im_free(hits->start);
    im_free(hits->ids);
    im_free(hits->distance);
    *hits = (imsat_hits){0};
}
