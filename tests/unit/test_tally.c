/* SPDX-License-Identifier: MIT
 * Passes over a gallery against a sorted list of it. */
#include "evaluate/tally.h"

#include "hash_case.h"
#include "support.h"

/* More rows than two pieces have. */
enum { ROWS = 4999, QUERIES = 5, CLASSES = 3 };

typedef struct fixture {
    hash_side gallery, queries;
    im_labeled in, asked; /* the same, as im_tally_*() take them */
    size_t *all, *relevant;
    im_tally tally;
    void *block;
    hash_entry *entries; /* (ROWS) */
} fixture;

static void fixture_make(fixture *f, size_t rows, size_t bits)
{
    hash_side_make(&f->gallery, rows, bits, CLASSES, 5);
    hash_side_make(&f->queries, QUERIES, bits, CLASSES + 1, 6);
    f->in = (im_labeled){&f->gallery.codes, f->gallery.labels};
    f->asked = (im_labeled){&f->queries.codes, f->queries.labels};
    f->all = im_alloc(QUERIES * (bits + 1), sizeof *f->all);
    f->relevant = im_alloc(QUERIES * (bits + 1), sizeof *f->relevant);
    f->entries = im_alloc(rows, sizeof *f->entries);
    im_carver measure = {NULL, 0};
    im_tally_carve(&f->tally, &measure, bits);
    f->block = im_alloc(measure.used, 1);
    im_carver carver = {f->block, 0};
    im_tally_carve(&f->tally, &carver, bits);
    assert_true(f->all && f->relevant && f->entries && f->block);
    memset(f->all, 1, QUERIES * (bits + 1) * sizeof *f->all);
    memset(f->relevant, 1, QUERIES * (bits + 1) * sizeof *f->relevant);
    im_tally_count(f->all, f->relevant, f->in, f->asked, 0, 2, &f->tally);
    im_tally_count(f->all + 2 * (bits + 1), f->relevant + 2 * (bits + 1), f->in, f->asked, 2,
                   QUERIES - 2, &f->tally);
}

static void fixture_clear(fixture *f)
{
    hash_side_clear(&f->gallery);
    hash_side_clear(&f->queries);
    im_free(f->all);
    im_free(f->relevant);
    im_free(f->entries);
    im_free(f->block);
}

static void check(size_t rows, size_t bits)
{
    fixture f;
    fixture_make(&f, rows, bits);
    for (size_t q = 0; q < QUERIES; q++) {
        const im_ranking ranking = {bits, f.all + q * (bits + 1), f.relevant + q * (bits + 1)};
        hash_entries(f.entries, &f.gallery, &f.queries, q);
        for (size_t d = 0; d <= bits; d++) {
            size_t all = 0, relevant = 0;
            for (size_t i = 0; i < rows; i++) {
                all += f.entries[i].distance == d;
                relevant += f.entries[i].distance == d && f.entries[i].relevant;
            }
            assert_int_equal(ranking.all[d], all);
            assert_int_equal(ranking.relevant[d], relevant);
        }
        assert_near(im_tally_ap(f.in, f.asked, q, ranking, &f.tally),
                    hash_ap_listed(f.entries, rows), 1e-13);
        for (size_t at = 1; at < 2 * rows; at = at * 3 + 1)
            assert_near(im_tally_at(f.in, f.asked, q, ranking, at, &f.tally),
                        hash_at_listed(f.entries, rows, at), 0);
        assert_near(im_tally_at(f.in, f.asked, q, ranking, rows, &f.tally),
                    hash_at_listed(f.entries, rows, rows), 0);
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

static void several_pieces(void **state)
{
    (void)state;
    check(ROWS, 16);
    check(ROWS, 65);
    check(2048, 9);
}

/* A distance of 1024 needs more than 10 bits. */
static void the_largest_distance(void **state)
{
    (void)state;
    fixture f;
    fixture_make(&f, 3, IMSAT_MAX_BITS);
    memset(f.queries.codes.bytes, 0, IMSAT_MAX_BITS / 8);
    memset(f.gallery.codes.bytes, 0xff, 3 * (IMSAT_MAX_BITS / 8));
    im_tally_count(f.all, f.relevant, f.in, f.asked, 0, 1, &f.tally);
    assert_int_equal(f.all[IMSAT_MAX_BITS], 3);
    fixture_clear(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(like_a_sorted_list),
        cmocka_unit_test(several_pieces),
        cmocka_unit_test(the_largest_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
