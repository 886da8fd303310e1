/* SPDX-License-Identifier: MIT
 *
 * Hits; see hits.h. Codes are sorted by distance, and the ids of all codes at one distance by
 * id. At the largest distance often only a few of very many ids are wanted, and sorting them
 * all would be a waste. There the lists of the codes, each in ascending order, are merged by a
 * heap that holds the next id of every code, until there are enough. */
#include "search/hits.h"

#include "core/alloc.h"
#include "search/sort.h"

enum { TASK = 16 /* queries */ };

typedef struct next_id {
    int64_t id;
    uint32_t at, end; /* of index->ids */
} next_id;

/* What a thread works with. */
typedef struct merger {
    im_sort_pair *code; /* (most codes of a query) owned: distance and code */
    im_sort_pair *id;   /* (most ids of a query) owned */
    im_sort_pair *scratch;
    next_id *heap; /* (most codes of a query) owned */
} merger;

typedef struct merge {
    const im_found *found;
    const imsat_index *index;
    size_t queries;
    size_t *start;
    int64_t *ids;
    int32_t *distance;
    merger *per_thread; /* (threads) owned */
} merge;

/* An index may be mapped, and turn to zeros at any time (core/map.h); what was found is thrown
 * away then, but until then nothing may be written where it does not belong. So an array that
 * was measured by index->first is filled by its length, not by index->first once more. */
static size_t ids_of_code(const imsat_index *index, size_t code)
{
    const im_index_range ids = im_index_ids(index, code);
    return ids.end > ids.first ? ids.end - ids.first : 0;
}

/* ---- the ids at one distance -------------------------------------------------- */

/* All ids of the codes; they have `most`. */
static void emit_all(int64_t *to, size_t most, const im_sort_pair *code, size_t codes,
                     const imsat_index *index, merger *work)
{
    const uint64_t sign = (uint64_t)1 << 63;
    size_t n = 0;
    for (size_t c = 0; c < codes; c++) {
        const im_index_range ids = im_index_ids(index, code[c].row);
        for (uint32_t i = ids.first; i < ids.end && n < most; i++)
            work->id[n++].key = (uint64_t)im_index_id(index, i) ^ sign;
    }
    if (codes > 1)
        im_sort_pairs(work->id, work->scratch, n);
    for (size_t i = 0; i < n; i++)
        to[i] = (int64_t)(work->id[i].key ^ sign);
}

static void sift_down(next_id *heap, size_t n, size_t at)
{
    const next_id moved = heap[at];
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && heap[child + 1].id < heap[child].id)
            child++;
        if (heap[child].id >= moved.id)
            break;
        heap[at] = heap[child];
    }
    heap[at] = moved;
}

/* The `wanted` smallest ids of the codes, which have as many. */
static void emit_some(int64_t *to, size_t wanted, const im_sort_pair *code, size_t codes,
                      const imsat_index *index, next_id *heap)
{
    for (size_t c = 0; c < codes; c++) {
        const im_index_range ids = im_index_ids(index, code[c].row);
        heap[c] = (next_id){im_index_id(index, ids.first), ids.first, ids.end};
    }
    for (size_t c = codes / 2; c-- > 0;)
        sift_down(heap, codes, c);
    for (size_t i = 0; i < wanted && codes; i++) {
        to[i] = heap[0].id;
        if (++heap[0].at < heap[0].end)
            heap[0].id = im_index_id(index, heap[0].at);
        else
            heap[0] = heap[--codes];
        sift_down(heap, codes, 0);
    }
}

/* ---- all distances ------------------------------------------------------------ */

static void emit(const merge *m, size_t q, merger *work)
{
    const imsat_index *index = m->index;
    const size_t codes = m->found[q].length;
    size_t to = m->start[q];
    for (size_t c = 0; c < codes; c++)
        work->code[c] = (im_sort_pair){m->found[q].list[c].distance, m->found[q].list[c].code};
    im_sort_pairs(work->code, work->scratch, codes);
    for (size_t c = 0, end; c < codes && to < m->start[q + 1]; c = end) {
        const im_sort_pair *code = work->code + c;
        const size_t room = m->start[q + 1] - to;
        size_t ids = 0;
        for (end = c; end < codes && work->code[end].key == code->key; end++)
            ids += ids_of_code(index, work->code[end].row);
        if (ids <= room) {
            emit_all(m->ids + to, ids, code, end - c, index, work);
        } else {
            emit_some(m->ids + to, room, code, end - c, index, work->heap);
            ids = room;
        }
        for (size_t i = 0; i < ids; i++)
            m->distance[to++] = (int32_t)code->key;
    }
}

static void run_task(void *context, size_t task, int thread)
{
    const merge *m = context;
    for (size_t q = task * TASK; q < (task + 1) * TASK && q < m->queries; q++)
        emit(m, q, &m->per_thread[thread]);
}

/* How many ids a query gets. */
static size_t ids_of(const im_found *found, const imsat_index *index, size_t count)
{
    size_t ids = 0;
    for (size_t i = 0; i < found->length; i++)
        ids += ids_of_code(index, found->list[i].code);
    ids = im_size_min(ids, index->rows);
    return count && ids > count ? count : ids;
}

/* ---- memory ------------------------------------------------------------------- */

/* start, and memory for the ids and for the threads. */
static imsat_status merge_new(merge *m, size_t count, size_t threads, imsat_error *err)
{
    size_t codes = 1, ids = 1;
    m->start = im_alloc(m->queries + 1, sizeof *m->start);
    m->per_thread = im_alloc(threads, sizeof *m->per_thread);
    if (!m->start || !m->per_thread)
        return im_fail_memory(err, "the hits");
    for (size_t q = 0; q < m->queries; q++) {
        const size_t here = ids_of(&m->found[q], m->index, count);
        m->start[q + 1] = m->start[q] + here;
        ids = here > ids ? here : ids;
        codes = m->found[q].length > codes ? m->found[q].length : codes;
    }
    m->ids = im_alloc(m->start[m->queries], sizeof *m->ids);
    m->distance = im_alloc(m->start[m->queries], sizeof *m->distance);
    if (!m->ids || !m->distance)
        return im_fail_memory(err, "the hits");
    for (size_t t = 0; t < threads; t++) {
        merger *own = &m->per_thread[t];
        own->code = im_alloc(codes, sizeof *own->code);
        own->id = im_alloc(ids, sizeof *own->id);
        own->scratch = im_alloc(codes > ids ? codes : ids, sizeof *own->scratch);
        own->heap = im_alloc(codes, sizeof *own->heap);
        if (!own->code || !own->id || !own->scratch || !own->heap)
            return im_fail_memory(err, "the hits");
    }
    return IMSAT_OK;
}

static void merge_clear(merge *m, size_t threads)
{
    for (size_t t = 0; m->per_thread && t < threads; t++) {
        im_free(m->per_thread[t].code);
        im_free(m->per_thread[t].id);
        im_free(m->per_thread[t].scratch);
        im_free(m->per_thread[t].heap);
    }
    im_free(m->per_thread);
    im_free(m->start);
    im_free(m->ids);
    im_free(m->distance);
}

imsat_status im_hits_new(imsat_hits *out, const im_found *found, size_t queries,
                         const imsat_index *index, size_t count, im_pool *pool,
                         imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t threads = (size_t)im_pool_threads(pool);
    merge m = {.found = found, .index = index, .queries = queries};
    IM_TRY(merge_new(&m, count, threads, err));
    im_pool_run(pool, run_task, &m, (queries + TASK - 1) / TASK);
    *out = (imsat_hits){queries, m.start, m.ids, m.distance};
    m.start = NULL;
    m.ids = NULL;
    m.distance = NULL;

cleanup:
    merge_clear(&m, threads);
    return st;
}

/* ---- two parts ----------------------------------------------------------------- */

static bool comes_first(const imsat_hits *a, size_t i, const imsat_hits *b, size_t j)
{
    if (a->distance[i] != b->distance[j])
        return a->distance[i] < b->distance[j];
    return a->ids[i] <= b->ids[j];
}

/* The hits of one query: both lists are in order. */
static void join_query(imsat_hits *out, size_t q, const imsat_hits *a, const imsat_hits *b)
{
    size_t i = a->start[q], j = b->start[q];
    for (size_t to = out->start[q]; to < out->start[q + 1]; to++) {
        const bool first =
            j == b->start[q + 1] || (i < a->start[q + 1] && comes_first(a, i, b, j));
        const imsat_hits *from = first ? a : b;
        const size_t at = first ? i++ : j++;
        out->ids[to] = from->ids[at];
        out->distance[to] = from->distance[at];
    }
}

imsat_status im_hits_join(imsat_hits *hits, const imsat_hits *more, size_t count,
                          imsat_error *err)
{
    const size_t queries = hits->queries;
    imsat_hits out = {.queries = queries, .start = im_alloc(queries + 1, sizeof *out.start)};
    for (size_t q = 0; out.start && q < queries; q++) {
        const size_t found =
            hits->start[q + 1] - hits->start[q] + more->start[q + 1] - more->start[q];
        out.start[q + 1] = out.start[q] + (count && found > count ? count : found);
    }
    const size_t total = out.start ? out.start[queries] : 0;
    out.ids = im_alloc(total, sizeof *out.ids);
    out.distance = im_alloc(total, sizeof *out.distance);
    if (!out.start || !out.ids || !out.distance) {
        imsat_hits_clear(&out);
        return im_fail_memory(err, "the hits");
    }
    for (size_t q = 0; q < queries; q++)
        join_query(&out, q, hits, more);
    imsat_hits_clear(hits);
    *hits = out;
    return IMSAT_OK;
}

void imsat_hits_clear(imsat_hits *hits)
{
    if (!hits)
        return;
    im_free(hits->start);
    im_free(hits->ids);
    im_free(hits->distance);
    *hits = (imsat_hits){0};
}
