/* SPDX-License-Identifier: MIT
 * The nearest codes while they come in: the bound, ties, room. */
#define _GNU_SOURCE
#include "search/nearest.h"

#include "core/alloc.h"
#include "core/rng.h"
#include "imsat/process.h"
#include "process.h"
#include "support.h"

#include <stdlib.h>
#include <unistd.h>

enum { CODES = 1500, BITS = 20 };

static uint32_t first[CODES + 1];
static int64_t ids[3 * CODES];
static const imsat_index index_of = {
    .bits = BITS, .words = 1, .distinct = CODES, .rows = CODES, .first = first, .ids = ids};

/* Code c has one id, a scrambled c. */
static void one_id_each(void)
{
    for (uint32_t c = 0; c < CODES; c++) {
        first[c + 1] = c + 1;
        ids[c] = (int64_t)im_rng_permute(c, CODES, (im_rng){8, IM_STREAM_INIT, 0, 0});
    }
}

static bool has(const im_found *found, uint32_t code, uint32_t distance)
{
    for (size_t i = 0; i < found->length; i++)
        if (found->list[i].code == code)
            return found->list[i].distance == distance;
    return false;
}

static void the_bound_shrinks_with_the_ids(void **state)
{
    (void)state;
    im_nearest n;
    im_found found;
    imsat_index several = index_of;
    several.rows = 2 * CODES;
    for (uint32_t c = 0; c < CODES; c++) /* code c has c % 3 + 1 ids */
        first[c + 1] = first[c] + c % 3 + 1;
    for (size_t i = 0; i < 3 * CODES; i++)
        ids[i] = (int64_t)i;
    assert_int_equal(im_nearest_new(&n, &several, 4, NULL), IMSAT_OK);
    im_nearest_begin(&n, 17);
    assert_int_equal(n.bound, 17);
    im_nearest_add(&n, 5, 9); /* 3 ids */
    assert_int_equal(n.bound, 17);
    im_nearest_add(&n, 3, 11); /* 1 */
    assert_int_equal(n.bound, 11);
    im_nearest_add(&n, 4, 10); /* 2 */
    assert_int_equal(n.bound, 10);
    im_nearest_add(&n, 1, 2); /* 2 */
    assert_int_equal(n.bound, 9);
    im_nearest_add(&n, 2, 0); /* 3 */
    assert_int_equal(n.bound, 2);
    assert_int_equal(im_nearest_end(&found, &n, NULL), IMSAT_OK);
    assert_true(found.done && found.length == 2 && has(&found, 1, 2) && has(&found, 2, 0));
    im_free(found.list);
    im_nearest_begin(&n, 3);
    assert_int_equal(n.bound, 3);
    assert_int_equal(im_nearest_end(&found, &n, NULL), IMSAT_OK);
    assert_int_equal(found.length, 0);
    im_free(found.list);
    im_nearest_clear(&n);
}

/* Many codes at one distance: those with the smallest ids stay, in little room. */
static void of_equal_distances_the_smallest_ids_stay(void **state)
{
    (void)state;
    enum { WANTED = 40, NEARER = 13 };
    im_nearest n;
    im_found found;
    one_id_each();
    assert_int_equal(im_nearest_new(&n, &index_of, WANTED, NULL), IMSAT_OK);
    im_nearest_begin(&n, BITS);
    for (uint32_t c = 0; c < CODES; c++)
        im_nearest_add(&n, c, ids[c] % 100 == 7 && ids[c] < 100 * NEARER ? 3 : 6);
    assert_int_equal(n.bound, 6);
    assert_true(n.room <= 256);
    assert_int_equal(im_nearest_end(&found, &n, NULL), IMSAT_OK);
    assert_int_equal(found.length, WANTED);
    for (uint32_t c = 0; c < CODES; c++) {
        const bool nearer = ids[c] % 100 == 7 && ids[c] < 100 * NEARER;
        const bool small = ids[c] < WANTED - NEARER + 1; /* 7 is nearer, so one more */
        assert_int_equal(has(&found, c, nearer ? 3 : 6), nearer || small);
    }
    im_free(found.list);
    im_nearest_clear(&n);
}

static void without_a_count_all_stay(void **state)
{
    (void)state;
    im_nearest n;
    im_found found;
    one_id_each();
    assert_int_equal(im_nearest_new(&n, &index_of, 0, NULL), IMSAT_OK);
    im_nearest_begin(&n, 9);
    for (uint32_t c = 0; c < CODES; c++)
        im_nearest_add(&n, c, c % 10);
    assert_int_equal(n.bound, 9);
    assert_int_equal(im_nearest_end(&found, &n, NULL), IMSAT_OK);
    assert_int_equal(found.length, CODES);
    assert_true(has(&found, 1234, 4));
    im_free(found.list);
    im_nearest_clear(&n);
}

/* ---- an index that is lost (core/map.h) ------------------------------------------ */

enum { MANY = 1 << 20, SECONDS = 100 };

/* A mapped index of codes with one id each, and the file of it. */
static imsat_index map_index(const char *path)
{
    const size_t size = (MANY + 1) * sizeof(uint32_t) + MANY * sizeof(int64_t);
    uint32_t *numbers = im_alloc(size, 1);
    im_bytes bytes = {0};
    if (!numbers)
        abort();
    for (uint32_t c = 0; c <= MANY; c++)
        numbers[c] = c; /* the ids are 0, and not looked at before they are lost */
    write_file(path, numbers, size);
    im_free(numbers);
    if (im_bytes_open(&bytes, path, NULL) != IMSAT_OK)
        abort();
    return (imsat_index){.bits = BITS,
                         .words = 1,
                         .distinct = MANY,
                         .rows = MANY,
                         .first = (const uint32_t *)(const void *)bytes.data,
                         .ids = (const int64_t *)(const void *)bytes.data,
                         .memory = bytes};
}

static void lose(const imsat_index *index, const char *path)
{
    if (truncate(path, 0) != 0 || *(const volatile uint32_t *)index->first != 0 ||
        !im_bytes_lost(&index->memory))
        abort();
}

/* All codes seem to be near, and the list must not have them all. */
static int add_what_is_lost(const void *path)
{
    imsat_guard_maps();
    imsat_index index = map_index(path);
    im_nearest n;
    im_found found;
    if (im_nearest_new(&n, &index, 0, NULL) != IMSAT_OK)
        return 1;
    im_nearest_begin(&n, BITS);
    lose(&index, path);
    for (uint32_t c = 0; c < MANY; c++)
        im_nearest_add(&n, c, 0);
    if (n.room > 1024 || im_nearest_end(&found, &n, NULL) != IMSAT_ENOMEM)
        return 2;
    im_nearest_clear(&n);
    im_bytes_clear(&index.memory);
    return 0;
}

/* All ids seem to be the same, and a choice among them must not take forever. */
static int choose_of_what_is_lost(const void *path)
{
    alarm(SECONDS);
    imsat_guard_maps();
    imsat_index index = map_index(path);
    im_nearest n;
    im_found found;
    if (im_nearest_new(&n, &index, MANY / 3 * 2, NULL) != IMSAT_OK)
        return 1;
    im_nearest_begin(&n, BITS);
    for (uint32_t c = 0; c < MANY; c++)
        im_nearest_add(&n, c, 7);
    lose(&index, path);
    if (im_nearest_end(&found, &n, NULL) != IMSAT_OK)
        return 2;
    im_free(found.list);
    im_nearest_clear(&n);
    im_bytes_clear(&index.memory);
    return 0;
}

static void a_lost_index_takes_neither_memory_nor_time(void **state)
{
    (void)state;
    assert_int_equal(process_run(add_what_is_lost, in_folder("index")), 0);
    assert_int_equal(process_run(choose_of_what_is_lost, in_folder("index")), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bound_shrinks_with_the_ids),
        cmocka_unit_test(of_equal_distances_the_smallest_ids_stay),
        cmocka_unit_test(without_a_count_all_stay),
        cmocka_unit_test(a_lost_index_takes_neither_memory_nor_time),
    };
    return cmocka_run_group_tests_name("nearest", tests, folder_setup, folder_teardown);
}
