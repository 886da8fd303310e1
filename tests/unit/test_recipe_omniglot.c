/* SPDX-License-Identifier: MIT
 * Omniglot from small archives in its layouts: which drawings become rows, and what of them.
 */
#include "augment/affine.h"
#include "core/feature.h"
#include "data/dataset.h"
#include "data_files.h"
#include "failing_alloc.h"
#include "imsat/build.h"
#include "pictures.h"
#include "set_files.h"
#include "tar_files.h"
#include "zips.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PIXELS = 441, WARPS = 20 };

/* Drawings, in the order of an archive: not that of their names. */
static const char *const drawings[] = {
    "images_background/Armenian/character01/0136_01.png",
    "images_background/Arcadian/character02/0111_01.png",
    "images_background/Arcadian/character01/0110_02.png",
    "images_background/Arcadian/character01/0110_01.png",
    "images_background/Anglo-Saxon_Futhorc/character01/0081_01.png",
    "images_background/Alphabet_of_the_Magi/character01/0709_01.png",
    "images_background/Latin/character01/0682_01.png", /* is none of the four */
};

enum { DRAWINGS = sizeof drawings / sizeof *drawings };

static const int32_t characters[] = {0, 1, 2, 2, 3, 4}; /* of the drawings, sorted by name */

static unsigned char png[4096];
static size_t png_size;

static int start(void **state)
{
    png_size = picture_bytes("gray1.png", png, sizeof png);
    return set_files_start(state);
}

static void put_zip(size_t count)
{
    static zip_maker zip;
    zip = (zip_maker){0};
    for (size_t i = 0; i < count; i++)
        zip_add(&zip, drawings[i], png, png_size, i % 2);
    zip_end(&zip, false);
    set_put("images_background.zip", zip.bytes, zip.size, false);
}

static void put_tar(void)
{
    static tar_bytes tar;
    tar = (tar_bytes){0};
    for (size_t i = 0; i < DRAWINGS; i++)
        tar_add(&tar, '0', drawings[i], png, png_size);
    tar_end(&tar);
    set_put("omniglot_four_png.tar.gz", tar.data, tar.size, true);
}

static void put_folder(void)
{
    for (size_t i = 0; i < DRAWINGS; i++)
        set_put(drawings[i], png, png_size, false);
}

/* Every drawing is the same picture, so that each of its warps has one image to be of. */
static void check_rows(const imsat_data *data, uint64_t seed)
{
    const imsat_image shape = {21, 21, 1};
    float row[PIXELS], image[PIXELS], warped[PIXELS];
    im_image picture = {0}, small = {0};
    assert_ok(im_image_decode(&picture, png, png_size, "png", NULL), NULL);
    assert_ok(im_image_resize(&small, &picture, 21, 21, NULL), NULL);
    for (size_t j = 0; j < PIXELS; j++)
        image[j] = (float)(255 - small.pixels[j]);
    for (size_t i = 0; i < imsat_data_rows(data); i += 7) {
        const im_rng rng = {seed, IM_STREAM_WARPS, (uint32_t)(i % WARPS), 0};
        im_affine_apply(warped, image, shape,
                        im_affine_draw(rng, (uint32_t)(i / WARPS), shape, IMSAT_WARPS_CORNER));
        assert_ok(imsat_data_read(data, i, 1, row, NULL), NULL);
        for (size_t j = 0; j < PIXELS; j++)
            assert_true(row[j] == floorf(warped[j] + 0.5F)); /* a byte */
    }
    im_image_clear(&picture);
    im_image_clear(&small);
}

static void check(uint64_t seed)
{
    int32_t labels[6 * WARPS];
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        labels[i] = characters[i / WARPS];
    imsat_data *data = set_prepare("omniglot", &(imsat_prepare_options){.seed = seed});
    assert_int_equal(imsat_data_dim(data), PIXELS);
    assert_int_equal(imsat_data_image(data).width, 21);
    assert_set_labels(data, labels, 6 * WARPS);
    check_rows(data, seed);
    imsat_data_free(data);
}

static void four_alphabets_are_warped(void **state)
{
    (void)state;
    set_folder("zip");
    put_zip(DRAWINGS);
    check(3);
    set_folder("tar");
    put_tar();
    check(4);
    set_folder("folder");
    put_folder();
    check(5);
}

/* 97 characters of the first alphabet leave 3 for the others. */
static void a_hundred_characters_are_taken(void **state)
{
    (void)state;
    char name[128];
    set_folder("many");
    put_folder();
    for (int i = 2; i <= 97; i++) {
        snprintf(name, sizeof name,
                 "images_background/Alphabet_of_the_Magi/character%02d/1_01.png", i);
        set_put(name, png, png_size, false);
    }
    imsat_data *data = set_prepare("omniglot", NULL);
    assert_int_equal(imsat_data_rows(data), (97 + 1 + 2 + 1) * WARPS);
    assert_int_equal(imsat_data_labels(data)[imsat_data_rows(data) - 1], 99);
    imsat_data_free(data);
}

static void an_alphabet_that_is_missing_is_named(void **state)
{
    (void)state;
    set_folder("three");
    put_zip(5);
    assert_not_prepared("omniglot", NULL, IMSAT_EFORMAT,
                        "images_background.zip: has no drawings "
                        "Alphabet_of_the_Magi/CHARACTER/NAME.png");
    set_folder("damaged");
    set_put("images_background/Arcadian/character01/1.png", png, png_size - 20, false);
    assert_not_prepared("omniglot", NULL, IMSAT_EFORMAT, "Arcadian/character01/1.png");
}

static imsat_status attempt(void *context, imsat_error *err)
{
    imsat_data *data = NULL;
    const imsat_status st = imsat_sets_prepare(&data, NULL, "omniglot", context, NULL, err);
    assert_true((data == NULL) == (st != IMSAT_OK));
    imsat_data_free(data);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char folder[512];
    snprintf(folder, sizeof folder, "%s", set_folder("a"));
    put_zip(6);
    assert_true(fail_each(attempt, folder) >= 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_alphabets_are_warped),
        cmocka_unit_test(a_hundred_characters_are_taken),
        cmocka_unit_test(an_alphabet_that_is_missing_is_named),
        cmocka_unit_test(every_allocation_may_fail),
    };
    if (!imsat_feature_built(IM_FEATURE_PNG))
        return 0;
    return cmocka_run_group_tests(tests, start, set_files_end);
}
