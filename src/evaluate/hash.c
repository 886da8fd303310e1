/* SPDX-License-Identifier: MIT
 *
 * How well a search by Hamming distance finds codes of the query's class. For one query, with
 * codes in the order of their distances and G relevant ones among them:
 *
 *     average precision   1/G sum over relevant codes of (relevant codes so far / codes so
 * far) precision at N      relevant codes among the N nearest / N precision within r  relevant
 * codes within distance r / codes within distance r recall within r     relevant codes within
 * distance r / G
 *
 * and the scores are means over the queries. evaluate/ranking.c and evaluate/tally.c have the
 * first two for each rule of ties.
 *
 * Queries go through in chunks: tasks fill the results of a chunk, then they are added in the
 * order of the queries. So the sums do not depend on the threads, and memory does not grow
 * with the queries.
 */
#include "core/threads.h"
#include "data/codes.h"
#include "evaluate/tally.h"

#include <stdint.h>

enum { CHUNK = 1024, TASK = 16 /* queries */ };

typedef struct evaluation {
    im_labeled gallery, queries;
    const imsat_hash_options *options;
    size_t first, count;    /* queries of this chunk */
    size_t *all, *relevant; /* (CHUNK, bits + 1) */
    double *ap, *at;        /* (CHUNK) */
    size_t *answered;       /* (bits + 1): queries with codes within r */
    im_tally *tally;        /* (threads) */
} evaluation;

const char *imsat_ties_name(imsat_ties ties)
{
    static const char *const names[IMSAT_TIES] = {"block", "expected", "id"};
    return (unsigned)ties < IMSAT_TIES ? names[ties] : NULL;
}

void imsat_hash_options_init(imsat_hash_options *options)
{
    *options = (imsat_hash_options){.ties = IMSAT_TIES_BLOCK, .at = 500, .radius = 2};
}

void imsat_hash_score_clear(imsat_hash_score *score)
{
    im_free(score->recall);
    im_free(score->precision);
    *score = (imsat_hash_score){0};
}

/* A bit behind the last one would be a distance that no array has room for. */
static imsat_status check_codes(const imsat_codes *codes, const char *what, imsat_error *err)
{
    const size_t bytes = imsat_code_bytes(codes->bits);
    const uint8_t padding = im_codes_padding(codes->bits);
    if (codes->bits == 0 || codes->bits > IMSAT_MAX_BITS)
        return im_fail(err, IMSAT_EINVAL, "%s codes of %zu bits: must be from 1 to %d", what,
                       codes->bits, IMSAT_MAX_BITS);
    if (codes->rows == 0)
        return im_fail(err, IMSAT_EINVAL, "there are no %s codes", what);
    for (size_t i = 0; padding && i < codes->rows; i++)
        if (codes->bytes[(i + 1) * bytes - 1] & padding)
            return im_fail(err, IMSAT_EINVAL,
                           "%s code %zu has a bit set behind the last of its %zu", what, i,
                           codes->bits);
    return IMSAT_OK;
}

static imsat_status check(const imsat_codes *gallery, const imsat_codes *queries,
                          const imsat_hash_options *options, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    if (options->at == 0)
        return im_fail(err, IMSAT_EINVAL, "precision at N = 0: N must be 1 or more");
    if (!imsat_ties_name(options->ties))
        return im_fail(err, IMSAT_EINVAL, "there is no rule %d for ties", (int)options->ties);
    IM_TRY(check_codes(gallery, "gallery", err));
    IM_TRY(check_codes(queries, "query", err));
    if (gallery->bits != queries->bits)
        st = im_fail(err, IMSAT_EMISMATCH,
                     "the gallery has codes of %zu bits, the queries of %zu", gallery->bits,
                     queries->bits);

cleanup:
    return st;
}

/* One list measures (base NULL) and lays out. */
static size_t lay_out(evaluation *e, void *base, int threads)
{
    im_carver carver = {base, 0};
    const size_t bits = e->gallery.codes->bits;
    im_tally unplaced, *tally;
    e->all = im_carve(&carver, CHUNK * (bits + 1), sizeof *e->all);
    e->relevant = im_carve(&carver, CHUNK * (bits + 1), sizeof *e->relevant);
    e->ap = im_carve(&carver, CHUNK, sizeof *e->ap);
    e->at = im_carve(&carver, CHUNK, sizeof *e->at);
    e->answered = im_carve(&carver, bits + 1, sizeof *e->answered);
    e->tally = tally = im_carve(&carver, (size_t)threads, sizeof *e->tally);
    for (int i = 0; i < threads; i++)
        im_tally_carve(tally ? &tally[i] : &unplaced, &carver, bits);
    return carver.used;
}

/* The counts of query q of the chunk. */
static im_ranking ranking_of(const evaluation *e, size_t q)
{
    const size_t bits = e->gallery.codes->bits;
    return (im_ranking){bits, e->all + q * (bits + 1), e->relevant + q * (bits + 1)};
}

static double average_precision(const evaluation *e, size_t q, const im_tally *tally)
{
    const im_ranking ranking = ranking_of(e, q);
    switch (e->options->ties) {
    case IMSAT_TIES_EXPECTED: return im_ranking_ap_expected(ranking);
    case IMSAT_TIES_ID:
        return im_tally_ap(e->gallery, e->queries, e->first + q, ranking, tally);
    default: return im_ranking_ap_block(ranking);
    }
}

static double precision_at(const evaluation *e, size_t q, const im_tally *tally)
{
    const im_ranking ranking = ranking_of(e, q);
    if (e->options->ties == IMSAT_TIES_EXPECTED)
        return im_ranking_at_expected(ranking, e->options->at);
    return im_tally_at(e->gallery, e->queries, e->first + q, ranking, e->options->at, tally);
}

static void evaluate_task(void *context, size_t task, int thread)
{
    const evaluation *e = context;
    const size_t first = task * TASK, width = e->gallery.codes->bits + 1;
    const size_t end = first + TASK < e->count ? first + TASK : e->count;
    const im_tally *tally = &e->tally[thread];
    im_tally_count(e->all + first * width, e->relevant + first * width, e->gallery, e->queries,
                   e->first + first, end - first, tally);
    for (size_t q = first; q < end; q++) {
        e->ap[q] = average_precision(e, q, tally);
        e->at[q] = precision_at(e, q, tally);
    }
}

/* Add query q of the chunk to the sums. */
static void add_query(imsat_hash_score *sums, const evaluation *e, size_t q)
{
    const im_ranking ranking = ranking_of(e, q);
    const size_t total = im_ranking_relevant(ranking);
    size_t codes = 0, relevant = 0;
    sums->map += e->ap[q];
    sums->precision_at += e->at[q];
    sums->irrelevant += total == 0;
    for (size_t r = 0; r <= ranking.bits; r++) {
        codes += ranking.all[r];
        relevant += ranking.relevant[r];
        if (codes > 0) {
            e->answered[r]++;
            sums->precision[r] += (double)relevant / (double)codes;
        }
        if (total > 0)
            sums->recall[r] += (double)relevant / (double)total;
    }
}

/* From sums to means. */
static void divide(imsat_hash_score *score, const evaluation *e)
{
    const double queries = (double)score->queries;
    const size_t radius = e->options->radius < score->bits ? e->options->radius : score->bits;
    for (size_t r = 0; r <= score->bits; r++) {
        const double mean_of = e->options->skip_empty ? (double)e->answered[r] : queries;
        score->recall[r] /= queries;
        if (e->answered[r] > 0)
            score->precision[r] /= mean_of;
    }
    score->map /= queries;
    score->precision_at /= queries;
    score->precision_radius = score->precision[radius];
    score->empty = score->queries - e->answered[radius];
}

imsat_status imsat_evaluate_hash(imsat_hash_score *score, const imsat_codes *gallery,
                                 const int32_t *gallery_labels, const imsat_codes *queries,
                                 const int32_t *query_labels,
                                 const imsat_hash_options *options, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_hash_options defaults;
    imsat_hash_score sums = {0};
    im_pool *pool = NULL;
    void *block = NULL;
    imsat_hash_options_init(&defaults);
    evaluation e = {.gallery = {gallery, gallery_labels},
                    .queries = {queries, query_labels},
                    .options = options ? options : &defaults};
    IM_TRY(check(gallery, queries, e.options, err));
    IM_TRY(im_pool_new(&pool, e.options->threads, err));
    sums.queries = queries->rows;
    sums.gallery = gallery->rows;
    sums.bits = gallery->bits;
    sums.recall = im_alloc(sums.bits + 1, sizeof *sums.recall);
    sums.precision = im_alloc(sums.bits + 1, sizeof *sums.precision);
    block = im_alloc(lay_out(&e, NULL, im_pool_threads(pool)), 1);
    if (!sums.recall || !sums.precision || !block) {
        st = im_fail_memory(err, "the scores of the queries");
        goto cleanup;
    }
    lay_out(&e, block, im_pool_threads(pool));
    for (; e.first < queries->rows; e.first += CHUNK) {
        const size_t left = queries->rows - e.first;
        e.count = left < CHUNK ? left : CHUNK;
        im_pool_run(pool, evaluate_task, &e, (e.count + TASK - 1) / TASK);
        for (size_t q = 0; q < e.count; q++)
            add_query(&sums, &e, q);
    }
    divide(&sums, &e);
    *score = sums;
    sums = (imsat_hash_score){0};

cleanup:
    im_free(block);
    im_pool_free(pool);
    imsat_hash_score_clear(&sums);
    return st;
}
