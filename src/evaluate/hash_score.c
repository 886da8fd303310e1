/* SPDX-License-Identifier: MIT
 *
 * How well a search by Hamming distance finds codes of the query's class. For one query, with
 * codes in the order of their distances and G relevant ones among them:
 *
 *     average precision    1/G sum over the relevant codes of their precision,
 *                          which is (relevant codes so far) / (codes so far)
 *     precision at N       (relevant codes among the N nearest) / N
 *     precision within r   (relevant codes within r) / (codes within r)
 *     recall within r      (relevant codes within r) / G
 *
 * and the scores are means over the queries. evaluate/ranking.c and evaluate/tally.c have the
 * first two for each rule of ties.
 *
 * Queries go through in pieces: tasks fill the results of a piece, then they are added in the
 * order of the queries. So the sums do not depend on the threads, and the counts of distances,
 * the largest array, are held for a piece only.
 */
#include "core/threads.h"
#include "evaluate/tally.h"

#include <stdint.h>

enum { PIECE = 1024, TASK = IM_TALLY_QUERIES /* queries */ };

typedef struct evaluation {
    im_gallery gallery;
    im_labeled queries;
    const imsat_evaluate_hash_options *options;
    uint64_t *codes;        /* owned: the words of the gallery, then of the queries */
    size_t first, count;    /* queries of this piece */
    size_t *all, *relevant; /* (PIECE, bits + 1) */
    double *ap, *at;        /* (PIECE) */
    size_t *answered;       /* (bits + 1): queries with codes within r */
    im_tally *tally;        /* (threads) */
} evaluation;

const char *imsat_ties_name(imsat_ties ties)
{
    static const char *const names[IMSAT_TIES] = {"block", "expected", "id", "trapezoid"};
    return (unsigned)ties < IMSAT_TIES ? names[ties] : NULL;
}

void imsat_evaluate_hash_options_init(imsat_evaluate_hash_options *options)
{
    if (!options)
        return;
    *options = (imsat_evaluate_hash_options){.ties = IMSAT_TIES_BLOCK, .at = 500, .radius = 2};
}

void imsat_hash_score_clear(imsat_hash_score *score)
{
    if (!score)
        return;
    im_free(score->recall);
    im_free(score->precision);
    *score = (imsat_hash_score){0};
}

static imsat_status check(const imsat_codes *gallery, const imsat_codes *queries,
                          const imsat_evaluate_hash_options *options, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    if (options->at == 0)
        return im_fail(err, IMSAT_EINVAL, "precision at N = 0: N must be 1 or more");
    if (!imsat_ties_name(options->ties))
        return im_fail(err, IMSAT_EINVAL, "there is no rule %d for ties", (int)options->ties);
    if (gallery->rows == 0 || queries->rows == 0)
        return im_fail(err, IMSAT_EINVAL, "there are no codes in the %s",
                       gallery->rows == 0 ? "gallery" : "queries");
    IM_TRY(im_words_check(gallery, "the codes of the gallery", err));
    IM_TRY(im_words_check(queries, "the codes of the queries", err));
    if (gallery->bits != queries->bits)
        st = im_fail(err, IMSAT_EMISMATCH,
                     "the gallery has codes of %zu bits, the queries of %zu", gallery->bits,
                     queries->bits);

cleanup:
    return st;
}

/* The codes of both sides as words. */
static imsat_status pack(evaluation *e, const imsat_codes *gallery, const imsat_codes *queries,
                         imsat_error *err)
{
    const size_t words = im_words_of(gallery->bits);
    e->codes = im_alloc(gallery->rows + queries->rows, words * sizeof *e->codes);
    if (!e->codes)
        return im_fail_memory(err, "the codes");
    uint64_t *behind = e->codes + gallery->rows * words;
    im_words_pack(e->codes, gallery);
    im_words_pack(behind, queries);
    e->gallery.kernel = im_hamming_select(false);
    e->gallery.in.codes = e->codes;
    e->gallery.in.rows = gallery->rows;
    e->gallery.bits = gallery->bits;
    e->gallery.words = words;
    e->queries.codes = behind;
    e->queries.rows = queries->rows;
    return IMSAT_OK;
}

/* One list measures (base NULL) and lays out. */
static size_t lay_out(evaluation *e, void *base, int threads)
{
    im_carver carver = {base, 0};
    const size_t bits = e->gallery.bits;
    im_tally unplaced;
    e->all = im_carve(&carver, PIECE * (bits + 1), sizeof *e->all);
    e->relevant = im_carve(&carver, PIECE * (bits + 1), sizeof *e->relevant);
    e->ap = im_carve(&carver, PIECE, sizeof *e->ap);
    e->at = im_carve(&carver, PIECE, sizeof *e->at);
    e->answered = im_carve(&carver, bits + 1, sizeof *e->answered);
    e->tally = im_carve(&carver, (size_t)threads, sizeof *e->tally);
    for (int i = 0; i < threads; i++)
        im_tally_carve(e->tally ? &e->tally[i] : &unplaced, &carver, bits, e->gallery.words);
    return carver.used;
}

/* The counts of query q of the piece. */
static im_ranking ranking_of(const evaluation *e, size_t q)
{
    const size_t bits = e->gallery.bits;
    return (im_ranking){bits, e->all + q * (bits + 1), e->relevant + q * (bits + 1)};
}

static void evaluate_task(void *context, size_t task, int thread)
{
    const evaluation *e = context;
    const size_t first = task * TASK, left = e->count - first;
    const size_t counts = first * (e->gallery.bits + 1);
    const im_labeled queries = {e->queries.codes + (e->first + first) * e->gallery.words,
                                e->queries.labels + e->first + first,
                                left < TASK ? left : TASK};
    const im_tally *tally = &e->tally[thread];
    const imsat_ties ties = e->options->ties;
    size_t *all = e->all + counts, *relevant = e->relevant + counts;
    im_tally_count(all, relevant, &e->gallery, &queries, tally);
    if (ties == IMSAT_TIES_ID)
        im_tally_ap(e->ap + first, all, relevant, &e->gallery, &queries, tally);
    if (ties != IMSAT_TIES_EXPECTED)
        im_tally_at(e->at + first, e->options->at, all, relevant, &e->gallery, &queries,
                    tally);
    for (size_t q = first; q < first + queries.rows; q++) {
        if (ties == IMSAT_TIES_BLOCK)
            e->ap[q] = im_ranking_ap_block(ranking_of(e, q));
        if (ties == IMSAT_TIES_TRAPEZOID)
            e->ap[q] = im_ranking_ap_trapezoid(ranking_of(e, q));
        if (ties != IMSAT_TIES_EXPECTED)
            continue;
        e->ap[q] = im_ranking_ap_expected(ranking_of(e, q));
        e->at[q] = im_ranking_at_expected(ranking_of(e, q), e->options->at);
    }
}

/* Add query q of the piece to the sums. */
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
                                 const imsat_evaluate_hash_options *options, imsat_error *err)
{
    IM_REQUIRE(score);
    IM_REQUIRE(gallery);
    IM_REQUIRE(gallery_labels);
    IM_REQUIRE(queries);
    IM_REQUIRE(query_labels);
    imsat_status st = IMSAT_OK;
    imsat_evaluate_hash_options defaults;
    imsat_hash_score sums = {0};
    im_pool *pool = NULL;
    void *block = NULL;
    imsat_evaluate_hash_options_init(&defaults);
    evaluation e = {.gallery.in.labels = gallery_labels,
                    .queries.labels = query_labels,
                    .options = options ? options : &defaults};
    IM_TRY(check(gallery, queries, e.options, err));
    IM_TRY(pack(&e, gallery, queries, err));
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
    for (; e.first < queries->rows; e.first += PIECE) {
        const size_t left = queries->rows - e.first;
        e.count = left < PIECE ? left : PIECE;
        im_pool_run(pool, evaluate_task, &e, (e.count + TASK - 1) / TASK);
        for (size_t q = 0; q < e.count; q++)
            add_query(&sums, &e, q);
    }
    divide(&sums, &e);
    *score = sums;
    sums = (imsat_hash_score){0};

cleanup:
    im_free(block);
    im_free(e.codes);
    im_pool_free(pool);
    imsat_hash_score_clear(&sums);
    return st;
}
