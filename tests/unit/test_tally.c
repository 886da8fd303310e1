/* SPDX-License-Identifier: MIT
 * Passes over a gallery against a sorted list of it. */
#include "evaluate/tally.h"

#include "hash_case.h"
#include "support.h"

enum { QUERIES = 5, CLASSES = 3 };

typedef struct fixture {
    hash_side gallery, queries;
    im_gallery in;
    im_labeled asked;
    uint64_t *codes, *query_codes; /* the same as words */
    size_t *all, *relevant;
    im_tally tally;
    void *block;
    hash_entry *entries; /* (rows) */
} fixture;

static uint64_t *words_of(const imsat_codes *codes)
{
    uint64_t *words = im_alloc(codes->rows * im_words_of(codes->bits), sizeof *words);
    assert_non_null(words);
    im_words_pack(words, codes);
    return words;
}

static void fixture_make(fixture *f, size_t rows, size_t bits)
{
    const size_t words = im_words_of(bits);
    hash_side_make(&f->gallery, rows, bits, CLASSES, 5);
    hash_side_make(&f->queries, QUERIES, bits, CLASSES + 1, 6);
    f->codes = words_of(&f->gallery.codes);
    f->query_codes = words_of(&f->queries.codes);
    f->in = (im_gallery){
        im_hamming_select(false), {f->codes, f->gallery.labels, rows}, bits, words};
    f->asked = (im_labeled){f->query_codes, f->queries.labels, QUERIES};
    f->all = im_alloc(QUERIES * (bits + 1), sizeof *f->all);
    f->relevant = im_alloc(QUERIES * (bits + 1), sizeof *f->relevant);
    f->entries = im_alloc(rows, sizeof *f->entries);
    im_carver measure = {NULL, 0};
    im_tally_carve(&f->tally, &measure, bits, words);
    f->block = im_alloc(measure.used, 1);
    im_carver carver = {f->block, 0};
    im_tally_carve(&f->tally, &carver, bits, words);
    assert_true(f->all && f->relevant && f->entries && f->block);
    memset(f->all, 1, QUERIES * (bits + 1) * sizeof *f->all);
    memset(f->relevant, 1, QUERIES * (bits + 1) * sizeof *f->relevant);
}

static void fixture_clear(fixture *f)
{
    hash_side_clear(&f->gallery);
    hash_side_clear(&f->queries);
    im_free(f->codes);
    im_free(f->query_codes);
    im_free(f->all);
    im_free(f->relevant);
    im_free(f->entries);
    im_free(f->block);
}

/* The counts of a query are those of the list. */
static void assert_counts(const fixture *f, size_t q)
{
    const size_t width = f->in.bits + 1;
    for (size_t d = 0; d < width; d++) {
        size_t all = 0, relevant = 0;
        for (size_t i = 0; i < f->in.in.rows; i++) {
            all += f->entries[i].distance == d;
            relevant += f->entries[i].distance == d && f->entries[i].relevant;
        }
        assert_int_equal(f->all[q * width + d], all);
        assert_int_equal(f->relevant[q * width + d], relevant);
    }
}

static void check(size_t rows, size_t bits)
{
    fixture f;
    double ap[QUERIES], share[QUERIES];
    fixture_make(&f, rows, bits);
    im_tally_count(f.all, f.relevant, &f.in, &f.asked, &f.tally);
    im_tally_ap(ap, f.all, f.relevant, &f.in, &f.asked, &f.tally);
    for (size_t q = 0; q < QUERIES; q++) {
        hash_entries(f.entries, &f.gallery, &f.queries, q);
        assert_counts(&f, q);
        assert_near(ap[q], hash_ap_listed(f.entries, rows), 1e-13);
    }
    for (size_t at = 1; at < 2 * rows; at = at < rows && 3 * at > rows ? rows : 3 * at) {
        im_tally_at(share, at, f.all, f.relevant, &f.in, &f.asked, &f.tally);
        for (size_t q = 0; q < QUERIES; q++) {
            hash_entries(f.entries, &f.gallery, &f.queries, q);
            assert_near(share[q], hash_at_listed(f.entries, rows, at), 0);
        }
    }
    fixture_clear(&f);
}

static void like_a_sorted_list(void **state)
{
    (void)state;
    const size_t bits[] = {1, 7, 16, 64, 65, 200};
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        check(61 + i, bits[i]);
        check(1, bits[i]);
    }
}

static void several_runs(void **state)
{
    (void)state;
    check(3 * IM_HAMMING_RUN - 1, 16);
    check(2 * IM_HAMMING_RUN, 65);
    check(5 * IM_HAMMING_RUN + 1, 9);
}

/* A distance of 1024 needs more than 10 bits. */
static void the_largest_distance(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f, 3, IMSAT_MAX_BITS);
    memset(f.query_codes, 0, IMSAT_MAX_BITS / 8);
    memset(f.codes, 0xff, 3 * (IMSAT_MAX_BITS / 8));
    im_tally_count(f.all, f.relevant, &f.in, &f.asked, &f.tally);
    assert_int_equal(f.all[IMSAT_MAX_BITS], 3);
    fixture_clear(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(like_a_sorted_list),
        cmocka_unit_test(several_runs),
        cmocka_unit_test(the_largest_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
