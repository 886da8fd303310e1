/* SPDX-License-Identifier: MIT
 * What an index is made of: distinct codes, ids, tables. */
#include "search/index_build.h"

#include "codes.h"
#include "core/alloc.h"
#include "support.h"

#include <string.h>

/* Every row is found under its code, every code in every table. */
static void check_rows(codes_kind kind, size_t rows, size_t bits)
{
    imsat_error err;
    codes_case c;
    imsat_index *index;
    const size_t words = im_words_of(bits);
    codes_case_make(&c, kind, rows, 1, bits);
    uint64_t *codes = im_alloc(rows * words, sizeof *codes);
    im_words_pack(codes, &c.codes);
    assert_ok(im_index_build(&index, codes, c.ids, rows, bits, &err), &err);
    assert_ok(im_index_check(index, &err), &err);
    assert_int_equal(index->rows, rows);
    for (size_t i = 0; i < rows; i++) {
        size_t seen = 0, at = 0;
        for (size_t k = 0; k < index->distinct; k++)
            for (uint32_t e = index->first[k]; e < index->first[k + 1]; e++)
                if (index->ids[e] == c.ids[i]) {
                    at = k;
                    seen++;
                }
        assert_int_equal(seen, 1);
        assert_memory_equal(index->codes + at * words, codes + i * words,
                            words * sizeof *codes);
    }
    im_free(codes);
    imsat_index_free(index);
    codes_case_clear(&c);
}

static void rows_are_under_their_codes(void **state)
{
    (void)state;
    check_rows(CODES_RANDOM, 301, 64);
    check_rows(CODES_RANDOM, 67, 129);
    check_rows(CODES_CLUSTERED, 401, 31);
    check_rows(CODES_CLUSTERED, 333, 256);
    check_rows(CODES_CLUSTERED, 100, 1);
}

/* About log2 of the codes in a sub-code, never 2 more. */
static void the_number_of_tables_fits_the_codes(void **state)
{
    (void)state;
    assert_int_equal(im_index_best_tables(64, IM_INDEX_FEW - 1), 0);
    assert_int_equal(im_index_best_tables(64, 10000000), 3);
    assert_int_equal(im_index_best_tables(64, 100000), 4);
    assert_int_equal(im_index_best_tables(128, 1000000), 6);
    assert_int_equal(im_index_best_tables(1024, 1000), 102);
    for (size_t bits = 1; bits <= IMSAT_MAX_BITS; bits++)
        for (size_t codes = IM_INDEX_FEW; codes < UINT32_MAX; codes *= 3) {
            imsat_index index;
            const size_t tables = im_index_best_tables(bits, codes);
            assert_int_equal(im_index_shape(&index, bits, codes, codes, tables, NULL),
                             IMSAT_OK);
            assert_true((bits + tables - 1) / tables <= 8 + 2 ||
                        (uint64_t)1 << (bits + tables - 1) / tables <= 8 * codes);
        }
}

static void ids_must_differ(void **state)
{
    (void)state;
    imsat_error err;
    imsat_index *index = NULL;
    const uint64_t codes[] = {3, 1, 2, 1};
    const int64_t ids[] = {-7, 5, 6, -7};
    assert_refused(im_index_build(&index, codes, ids, 4, 2, &err), &err, IMSAT_EINVAL,
                   "the id -7 is given twice, for rows 0 and 3; ids must differ");
    assert_null(index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_under_their_codes),
        cmocka_unit_test(the_number_of_tables_fits_the_codes),
        cmocka_unit_test(ids_must_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
