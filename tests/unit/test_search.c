/* SPDX-License-Identifier: MIT
 * All methods, kernels and numbers of threads against a plain loop over all codes.
 * tsan: options_are_heeded. */
#include "search/search.h"

#include "codes.h"
#include "failing_alloc.h"
#include "process.h"
#include "support.h"

#include "core/alloc.h"
#include "search/hamming_kernels.h"
#include "search/hits.h"

#include <math.h>

enum { ROWS = 613, QUERIES = 71, THREADS = 3, RADII = 11 };

/* Under a sanitizer every other number of bits, the first, the last and those around a word,
 * and every other radius. */
enum { EVERY = SANITIZED ? 2 : 1 };

static im_pool *pool[THREADS];

static int pools_make(void **state)
{
    (void)state;
    for (int t = 0; t < THREADS; t++)
        if (im_pool_new(&pool[t], t + 1, NULL) != IMSAT_OK)
            return -1;
    return 0;
}

static int pools_free(void **state)
{
    (void)state;
    for (int t = 0; t < THREADS; t++)
        im_pool_free(pool[t]);
    return 0;
}

static void search_and_check(const im_search *search, imsat_search_method method,
                             const codes_case *c)
{
    imsat_error err;
    imsat_hits hits;
    im_found *found = im_alloc(c->queries.rows, sizeof *found);
    assert_non_null(found);
    assert_ok(im_search_run(found, search, c->queries.rows, method, &err), &err);
    assert_ok(im_hits_new(&hits, found, c->queries.rows, search->index, search->count,
                          search->pool, &err),
              &err);
    assert_hits(&hits, c, search->count, search->radius);
    for (size_t q = 0; q < c->queries.rows; q++)
        im_free(found[q].list);
    im_free(found);
    imsat_hits_clear(&hits);
}

/* One count and radius: every way to the same answer. Hashing with all patience never leaves
 * a query to the scan. */
static void every_way(im_search search, const codes_case *c)
{
    static const double patience[] = {INFINITY, IM_SEARCH_PATIENCE, 20};
    const im_hamming_kernel *kernels[] = {&im_hamming_ref, im_hamming_avx2(),
                                          im_hamming_avx512(), im_hamming_neon()};
    search.radius = search.radius < c->codes.bits ? search.radius : c->codes.bits;
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        for (int t = 0; kernels[k] && t < THREADS; t++) {
            search.kernel = kernels[k];
            search.pool = pool[t];
            search.patience = patience[t];
            for (int m = 0; m < IMSAT_SEARCH_METHODS; m++)
                search_and_check(&search, (imsat_search_method)m, c);
        }
}

static void check_bits(codes_kind kind, size_t bits)
{
    imsat_error err;
    codes_case c;
    imsat_index *index;
    codes_case_make(&c, kind, ROWS, QUERIES, bits);
    assert_ok(imsat_index_new(&index, &c.codes, c.ids, &err), &err);
    uint64_t *queries = im_alloc(QUERIES * im_words_of(bits), sizeof *queries);
    assert_non_null(queries);
    im_words_pack(queries, &c.queries);
    im_search search = {.index = index, .queries = queries};
    for (size_t r = 0; r < RADII; r += EVERY) {
        search.radius = r;
        search.count = 0;
        every_way(search, &c);
        search.count = 10;
        every_way(search, &c);
    }
    const size_t counts[] = {1, 10, 100, ROWS - 1, ROWS, ROWS + 9};
    search.radius = IMSAT_ANY_DISTANCE;
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        search.count = counts[k];
        every_way(search, &c);
    }
    im_free(queries);
    imsat_index_free(index);
    codes_case_clear(&c);
}

static const size_t all_bits[] = {1, 7, 8, 16, 31, 64, 65, 128, 256};

static void random_codes(void **state)
{
    (void)state;
    for (size_t b = 0; b < sizeof all_bits / sizeof *all_bits; b += EVERY)
        check_bits(CODES_RANDOM, all_bits[b]);
}

static void clustered_codes(void **state)
{
    (void)state;
    for (size_t b = 0; b < sizeof all_bits / sizeof *all_bits; b += EVERY)
        check_bits(CODES_CLUSTERED, all_bits[b]);
}

/* ---- the public function ----------------------------------------------------- */

static void make(codes_case *c, imsat_index **index, size_t bits)
{
    imsat_error err;
    codes_case_make(c, CODES_CLUSTERED, 401, 47, bits);
    assert_ok(imsat_index_new(index, &c->codes, c->ids, &err), &err);
}

static void options_are_heeded(void **state)
{
    (void)state;
    imsat_error err;
    codes_case c;
    imsat_index *index;
    imsat_search_options opt;
    imsat_search_options_init(&opt);
    assert_int_equal(opt.count, 10);
    assert_true(opt.radius == IMSAT_ANY_DISTANCE && opt.method == IMSAT_SEARCH_AUTO);
    make(&c, &index, 45);
    for (int m = 0; m < IMSAT_SEARCH_METHODS; m++) {
        imsat_hits hits;
        opt = (imsat_search_options){
            .count = 23, .radius = 6, .method = (imsat_search_method)m, .threads = m};
        assert_ok(imsat_search(&hits, index, &c.queries, &opt, &err), &err);
        assert_hits(&hits, &c, 23, 6);
        imsat_hits_clear(&hits);
        assert_null(hits.start);
    }
    imsat_index_free(index);
    codes_case_clear(&c);
}

static void nothing_is_found_in_nothing(void **state)
{
    (void)state;
    imsat_error err;
    codes_case c;
    imsat_index *index, *empty;
    imsat_hits hits;
    imsat_search_options opt;
    imsat_search_options_init(&opt);
    make(&c, &index, 45);
    assert_ok(imsat_index_new(&empty, &(imsat_codes){NULL, 0, 45}, NULL, &err), &err);
    assert_ok(imsat_search(&hits, empty, &c.queries, &opt, &err), &err);
    assert_true(hits.queries == 47 && hits.start[47] == 0);
    imsat_hits_clear(&hits);
    assert_ok(imsat_search(&hits, index, &(imsat_codes){NULL, 0, 45}, &opt, &err), &err);
    assert_true(hits.queries == 0 && hits.start[0] == 0);
    imsat_hits_clear(&hits);
    imsat_index_free(empty);
    imsat_index_free(index);
    codes_case_clear(&c);
}

/* An index whose rows from `cut` on are its tail. */
static imsat_index *in_parts(const codes_case *c, size_t cut)
{
    imsat_error err;
    imsat_index *index;
    const size_t width = imsat_code_bytes(c->codes.bits);
    const imsat_codes front = {c->codes.bytes, cut, c->codes.bits};
    const imsat_codes back = {c->codes.bytes + cut * width, c->codes.rows - cut, front.bits};
    assert_ok(imsat_index_new(&index, &front, c->ids, &err), &err);
    assert_ok(imsat_index_new(&index->tail, &back, c->ids + cut, &err), &err);
    assert_int_equal(imsat_index_rows(index), c->codes.rows);
    assert_int_equal(imsat_index_journal_rows(index), c->codes.rows - cut);
    return index;
}

/* Equal codes and equal distances in both parts, nothing in one of them: the answers are those
 * of one part. */
static void two_parts_answer_as_one(void **state)
{
    (void)state;
    imsat_error err;
    static const size_t bits[] = {3, 16, 65}, cuts[] = {0, 1, 200, 612, ROWS};
    static const size_t asked[][2] = {{1, IMSAT_ANY_DISTANCE},
                                      {10, IMSAT_ANY_DISTANCE},
                                      {ROWS - 1, IMSAT_ANY_DISTANCE},
                                      {ROWS, IMSAT_ANY_DISTANCE},
                                      {7, 2},
                                      {0, 0},
                                      {0, 5},
                                      {0, IMSAT_ANY_DISTANCE}};
    for (size_t b = 0; b < sizeof bits / sizeof *bits; b++) {
        codes_case c;
        codes_case_make(&c, CODES_CLUSTERED, ROWS, QUERIES, bits[b]);
        for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
            imsat_index *index = in_parts(&c, cuts[i]);
            for (size_t a = 0; a < sizeof asked / sizeof *asked; a++)
                for (int m = 0; m < IMSAT_SEARCH_METHODS; m++) {
                    imsat_hits hits;
                    const imsat_search_options opt = {asked[a][0], asked[a][1],
                                                      (imsat_search_method)m, 1 + m};
                    assert_ok(imsat_search(&hits, index, &c.queries, &opt, &err), &err);
                    assert_hits(&hits, &c, opt.count, opt.radius);
                    imsat_hits_clear(&hits);
                }
            imsat_index_free(index);
        }
        codes_case_clear(&c);
    }
}

/* A file that was made to mislead may have an id in both parts: it is found twice. */
static void an_id_in_both_parts_is_found_twice(void **state)
{
    (void)state;
    imsat_error err;
    codes_case c;
    imsat_index *index;
    imsat_hits hits;
    const imsat_search_options opt = {.count = 20, .radius = IMSAT_ANY_DISTANCE};
    make(&c, &index, 45);
    assert_ok(imsat_index_new(&index->tail, &c.codes, c.ids, &err), &err);
    assert_ok(imsat_search(&hits, index, &c.queries, &opt, &err), &err);
    for (size_t q = 0; q < c.queries.rows; q++)
        for (size_t i = 0; i < 20; i++) {
            assert_int_equal(hits.ids[20 * q + i], c.order[q * c.codes.rows + i / 2]);
            assert_int_equal(hits.distance[20 * q + i], c.distance[q * c.codes.rows + i / 2]);
        }
    imsat_hits_clear(&hits);
    imsat_index_free(index);
    codes_case_clear(&c);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    imsat_error err;
    codes_case c;
    imsat_index *index;
    imsat_hits hits = {.queries = 99};
    imsat_search_options opt;
    imsat_search_options_init(&opt);
    make(&c, &index, 45);
    imsat_codes queries = c.queries;
    queries.bits = 46;
    assert_refused(imsat_search(&hits, index, &queries, &opt, &err), &err, IMSAT_EMISMATCH,
                   "the queries have 46 bits, the codes of the index 45");
    queries.bits = 41;
    assert_refused(imsat_search(&hits, index, &queries, &opt, &err), &err, IMSAT_EINVAL,
                   "behind the last of its 41 bits");
    opt.method = IMSAT_SEARCH_METHODS;
    assert_refused(imsat_search(&hits, index, &c.queries, &opt, &err), &err, IMSAT_EINVAL,
                   "the search method 3 is unknown");
    opt.method = IMSAT_SEARCH_SCAN;
    opt.threads = -1;
    assert_refused(imsat_search(&hits, index, &c.queries, &opt, &err), &err, IMSAT_EINVAL,
                   "threads");
    assert_int_equal(hits.queries, 99);
    imsat_index_free(index);
    codes_case_clear(&c);
}

static void methods_have_names(void **state)
{
    (void)state;
    assert_string_equal(imsat_search_method_name(IMSAT_SEARCH_AUTO), "auto");
    assert_string_equal(imsat_search_method_name(IMSAT_SEARCH_SCAN), "scan");
    assert_string_equal(imsat_search_method_name(IMSAT_SEARCH_MIH), "mih");
    assert_null(imsat_search_method_name(IMSAT_SEARCH_METHODS));
}

typedef struct attempt {
    const codes_case *c;
    const imsat_index *index;
    imsat_search_options opt;
} attempt;

static imsat_status try_search(void *context, imsat_error *err)
{
    attempt *a = context;
    imsat_hits hits = {.queries = 99};
    const imsat_status st = imsat_search(&hits, a->index, &a->c->queries, &a->opt, err);
    if (st != IMSAT_OK) {
        assert_int_equal(hits.queries, 99);
        return st;
    }
    assert_hits(&hits, a->c, a->opt.count, a->opt.radius);
    imsat_hits_clear(&hits);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    codes_case c;
    imsat_index *index;
    make(&c, &index, 45);
    for (int m = 0; m < IMSAT_SEARCH_METHODS; m++) {
        attempt a = {&c, index, {0, 30, (imsat_search_method)m, 2}};
        assert_true(fail_each(try_search, &a) > 50);
    }
    imsat_index_free(index);
    index = in_parts(&c, 150);
    attempt a = {&c, index, {9, 30, IMSAT_SEARCH_AUTO, 2}};
    assert_true(fail_each(try_search, &a) > 100);
    imsat_index_free(index);
    codes_case_clear(&c);
}

static void search_some(const imsat_index *index, const codes_case *c, size_t queries)
{
    imsat_error err;
    imsat_hits hits;
    imsat_search_options opt;
    imsat_search_options_init(&opt);
    opt.threads = THREADS;
    const imsat_codes asked = {c->queries.bytes, queries, c->queries.bits};
    assert_ok(imsat_search(&hits, index, &asked, &opt, &err), &err);
    imsat_hits_clear(&hits);
}

static void threads_stay_with_the_index(void **state)
{
    (void)state;
    imsat_error err;
    codes_case c;
    imsat_index *index;
    const int before = process_threads();
    codes_case_make(&c, CODES_RANDOM, ROWS, QUERIES, 64);
    assert_ok(imsat_index_new(&index, &c.codes, c.ids, &err), &err);
    search_some(index, &c, 1);
    assert_threads(before); /* one query is one task */
    search_some(index, &c, QUERIES);
    assert_threads(before + THREADS - 1);
    search_some(index, &c, QUERIES);
    assert_threads(before + THREADS - 1);
    imsat_index_free(index);
    assert_threads(before);
    codes_case_clear(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_codes),
        cmocka_unit_test(clustered_codes),
        cmocka_unit_test(options_are_heeded),
        cmocka_unit_test(nothing_is_found_in_nothing),
        cmocka_unit_test(two_parts_answer_as_one),
        cmocka_unit_test(an_id_in_both_parts_is_found_twice),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(methods_have_names),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(threads_stay_with_the_index),
    };
    return cmocka_run_group_tests(tests, pools_make, pools_free);
}
