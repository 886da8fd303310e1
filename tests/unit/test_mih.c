/* SPDX-License-Identifier: MIT
 * Multi-index hashing: which queries it answers and which it leaves; that the answers are
 * right is in test_search. tsan: all. */
#include "search/mih.h"

#include "codes.h"
#include "core/alloc.h"
#include "search/hamming_kernels.h"
#include "support.h"

#include <math.h>

enum { ROWS = 3001, QUERIES = 30, BITS = 64 };

typedef struct fixture {
    codes_case c;
    imsat_index *index;
    uint64_t queries[QUERIES];
    im_found found[QUERIES];
    uint32_t which[QUERIES];
    im_search search;
} fixture;

/* Clustered codes; every third query is far from all of them. */
static void make(fixture *f, double patience)
{
    imsat_error err;
    codes_case_make(&f->c, CODES_CLUSTERED, ROWS, QUERIES, BITS);
    assert_ok(imsat_index_new(&f->index, &f->c.codes, f->c.ids, &err), &err);
    im_words_pack(f->queries, &f->c.queries);
    for (uint32_t q = 0; q < QUERIES; q++) {
        f->found[q] = (im_found){0};
        f->which[q] = q;
        if (q % 3 == 2)
            f->queries[q] = 0x0123456789abcdef * (2 * q + 1);
    }
    f->search = (im_search){.index = f->index,
                            .queries = f->queries,
                            .count = 5,
                            .radius = BITS,
                            .kernel = &im_hamming_ref,
                            .patience = patience};
    assert_ok(im_pool_new(&f->search.pool, 2, &err), &err);
}

static void clear(fixture *f)
{
    for (size_t q = 0; q < QUERIES; q++)
        im_free(f->found[q].list);
    im_pool_free(f->search.pool);
    imsat_index_free(f->index);
    codes_case_clear(&f->c);
}

static size_t run(fixture *f)
{
    imsat_error err;
    size_t left = 99;
    assert_ok(im_mih(f->found, &f->search, f->which, QUERIES, &left, &err), &err);
    return left;
}

static void far_queries_are_left_to_the_scan(void **state)
{
    (void)state;
    fixture f;
    make(&f, 4);
    assert_true(f.index->tables > 3);
    assert_int_equal(run(&f), QUERIES / 3);
    for (size_t i = 0; i < QUERIES / 3; i++)
        assert_int_equal(f.which[i], 3 * i + 2);
    for (size_t q = 0; q < QUERIES; q++)
        assert_int_equal(f.found[q].done, q % 3 != 2);
    clear(&f);
}

static void patience_decides(void **state)
{
    (void)state;
    fixture f;
    make(&f, 0);
    assert_int_equal(run(&f), QUERIES);
    for (uint32_t q = 0; q < QUERIES; q++)
        assert_true(f.which[q] == q && !f.found[q].done && !f.found[q].list);
    f.search.patience = INFINITY;
    assert_int_equal(run(&f), 0);
    for (size_t q = 0; q < QUERIES; q++)
        assert_true(f.found[q].done && f.found[q].length > 0 && f.found[q].length <= 5);
    clear(&f);
}

/* Codes are met in several tables and counted once, or the bound would be wrong. */
static void no_code_is_found_twice(void **state)
{
    (void)state;
    fixture f;
    static unsigned char seen[ROWS];
    make(&f, INFINITY);
    f.search.count = 0;
    f.search.radius = 40;
    assert_int_equal(run(&f), 0);
    for (size_t q = 0; q < QUERIES; q++) {
        memset(seen, 0, sizeof seen);
        for (size_t i = 0; i < f.found[q].length; i++)
            assert_int_equal(seen[f.found[q].list[i].code]++, 0);
        for (size_t c = 0; c < f.index->distinct; c++)
            assert_int_equal(seen[c],
                             __builtin_popcountll(f.index->codes[c] ^ f.queries[q]) <= 40);
    }
    clear(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(far_queries_are_left_to_the_scan),
        cmocka_unit_test(patience_decides),
        cmocka_unit_test(no_code_is_found_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
