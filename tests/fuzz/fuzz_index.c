/* SPDX-License-Identifier: MIT
 *
 * Mutated indexes. Half of them are bent as bytes of the file, half as arrays, which are then
 * saved under a checksum that is right. Each is refused with IMSAT_EFORMAT, or it is opened
 * and every search in it stays inside of its arrays, which the address sanitizer watches. The
 * argument is the number of mutations. */
#include "search/index.h"

#include "core/alloc.h"
#include "core/rng.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 301, BITS = 27, WIDTH = 4, ROOM = 1 << 16, QUERIES = 5 };

static unsigned long mutations = 1000;
static uint8_t bytes_of_codes[ROWS * WIDTH];
static const imsat_codes codes = {bytes_of_codes, ROWS, BITS};

/* Four random words, the index-th of mutation `number`. */
static void draw(uint32_t word[4], uint32_t number, uint32_t index)
{
    const im_rng rng = {2017, IM_STREAM_INIT, 1, 0};
    im_rng_block(word, rng, number, index);
}

static imsat_index *make_index(void)
{
    imsat_index *index = NULL;
    imsat_error err;
    for (uint32_t i = 0; i < ROWS; i++) {
        uint32_t word[4];
        draw(word, i, 9);
        memcpy(bytes_of_codes + i * WIDTH, word, WIDTH);
        bytes_of_codes[(i + 1) * WIDTH - 1] &= 0xe0;
        if (i % 5 == 0 && i) /* some codes twice */
            memcpy(bytes_of_codes + i * WIDTH, bytes_of_codes, WIDTH);
    }
    assert_ok(imsat_index_new(&index, &codes, NULL, &err), &err);
    assert_true(index->tables > 0);
    return index;
}

/* Change one to four bytes of a file, or cut it. */
static size_t bend_file(unsigned char *bytes, size_t size, uint32_t number)
{
    uint32_t word[4], edit[4];
    draw(word, number, 0);
    for (uint32_t i = 0; i <= word[0] % 4; i++) {
        draw(edit, number, 1 + i);
        bytes[edit[0] % (edit[1] % 2 ? size : 1024)] = (unsigned char)edit[2];
    }
    return word[1] % 8 ? size : word[2] % size;
}

/* Change one to three elements of one array and save that. */
static void save_bent(const imsat_index *index, const char *path, uint32_t number)
{
    uint32_t word[4], edit[4];
    im_index_array arrays[IM_INDEX_ARRAYS];
    const void *data[IM_INDEX_ARRAYS];
    imsat_index changed = *index;
    imsat_error err;
    draw(word, number, 0);
    im_index_arrays(arrays, index);
    for (size_t i = 0; i < IM_INDEX_ARRAYS; i++)
        data[i] = arrays[i].data;
    const im_index_array *array = &arrays[word[0] % IM_INDEX_ARRAYS];
    unsigned char *bent = im_alloc(array->count, array->size);
    assert_non_null(bent);
    memcpy(bent, array->data, array->count * array->size);
    for (uint32_t i = 0; i <= word[1] % 3; i++) {
        draw(edit, number, 1 + i);
        unsigned char *element = bent + edit[0] % array->count * array->size;
        const unsigned char *other = bent + edit[1] % array->count * array->size;
        if (edit[2] % 3 == 0)
            memcpy(element, other, array->size);
        else
            element[edit[3] % array->size] ^= (unsigned char)(1U << edit[2] % 8);
    }
    data[word[0] % IM_INDEX_ARRAYS] = bent;
    im_index_place(&changed, data);
    assert_ok(imsat_index_save(&changed, path, &err), &err);
    im_free(bent);
}

/* Search by every method, for the nearest and within a radius. */
static size_t search_all(const imsat_index *index)
{
    const imsat_codes queries = {bytes_of_codes, QUERIES, BITS};
    size_t found = 0;
    if (imsat_index_bits(index) != BITS)
        return 0;
    for (int m = 0; m < IMSAT_SEARCH_METHODS; m++)
        for (size_t radius = 0; radius < 2; radius++) {
            imsat_search_options options;
            imsat_hits hits = {0};
            imsat_error err;
            imsat_search_options_init(&options);
            options.method = (imsat_search_method)m;
            options.threads = 1;
            options.count = radius ? 0 : 9;
            options.radius = radius ? 6 : IMSAT_ANY_DISTANCE;
            assert_ok(imsat_search(&hits, index, &queries, &options, &err), &err);
            found += hits.start[QUERIES];
            imsat_hits_clear(&hits);
        }
    return found;
}

static void mutated_indexes_are_searched_or_refused(void **state)
{
    (void)state;
    static unsigned char seed[ROOM], bytes[ROOM];
    imsat_index *good = make_index();
    imsat_error err = {{0}};
    unsigned long opened = 0;
    size_t found = 0;
    assert_ok(imsat_index_save(good, in_folder("seed"), &err), &err);
    const size_t size = read_file(in_folder("seed"), seed, ROOM);
    assert_true(size < ROOM);
    assert_true(search_all(good) > 0);
    for (unsigned long i = 0; i < mutations; i++) {
        const char *path = in_folder("mutant");
        imsat_index *index = NULL;
        if (i % 2) {
            save_bent(good, path, (uint32_t)i);
        } else {
            memcpy(bytes, seed, size);
            write_file(path, bytes, bend_file(bytes, size, (uint32_t)i));
        }
        const imsat_status st = imsat_index_open(&index, path, &err);
        if (st == IMSAT_OK) {
            found += search_all(index);
            opened++;
        } else if (st != IMSAT_EFORMAT || !strstr(err.message, "mutant: ")) {
            fail_msg("mutation %lu: %s: %s", i, imsat_status_name(st), err.message);
        }
        imsat_index_free(index);
    }
    print_message("%lu of %lu mutants were opened, %zu answers\n", opened, mutations, found);
    assert_true(opened < mutations / 2);
    imsat_index_free(good);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mutated_indexes_are_searched_or_refused),
    };
    if (argc > 1)
        mutations = strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests_name("fuzz index", tests, folder_setup, folder_teardown);
}
