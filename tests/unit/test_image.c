/* SPDX-License-Identifier: MIT
 * Pictures: tests/images has files of every kind, and what Pillow reads from them. */
#define _POSIX_C_SOURCE 200809L
#include "data/image.h"

#include "core/alloc.h"
#include "data/image_codec.h"
#include "failing_alloc.h"
#include "imsat/build.h"
#include "pictures.h"
#include "support.h"

#include <stdio.h>

enum { ROOM = 1 << 13 };

static unsigned char file[ROOM];

/* The bytes of a picture of the folder, to `file`; their number. */
static size_t load(const char *name)
{
    return picture_bytes(name, file, ROOM);
}

static im_image decode(size_t size, const char *name)
{
    im_image image = {0};
    imsat_error err;
    assert_true(im_image_knows(file, size));
    assert_ok(im_image_decode(&image, file, size, name, &err), &err);
    return image;
}

/* `size` bytes of `file` must be refused, and nothing be touched. */
static void assert_damaged(size_t size, const char *part)
{
    im_image image = {.height = 77};
    imsat_error err;
    unsigned char *exact = im_alloc(size, 1); /* so that a read too far is seen */
    memcpy(exact, file, size);
    assert_refused(im_image_decode(&image, exact, size, "x", &err), &err, IMSAT_EFORMAT, part);
    assert_int_equal(strncmp(err.message, "x: ", 3), 0);
    assert_int_equal(image.height, 77);
    im_free(exact);
}

static const struct picture {
    im_feature codec;
    const char *name, *expected;
} pictures[] = {
    {IM_FEATURE_PNG, "gray.png", "gray.pgm"},
    {IM_FEATURE_PNG, "gray1.png", "gray1.pgm"},
    {IM_FEATURE_PNG, "gray16.png", "gray16.pgm"},
    {IM_FEATURE_PNG, "gray_alpha.png", "gray_alpha.pgm"},
    {IM_FEATURE_PNG, "gray_key.png", "gray_key.pgm"},
    {IM_FEATURE_PNG, "rgb.png", "rgb.ppm"},
    {IM_FEATURE_PNG, "rgba.png", "rgba.ppm"},
    {IM_FEATURE_PNG, "rgb_key.png", "rgb_key.ppm"},
    {IM_FEATURE_PNG, "palette1.png", "palette1.ppm"},
    {IM_FEATURE_PNG, "palette2.png", "palette2.ppm"},
    {IM_FEATURE_PNG, "palette4.png", "palette4.ppm"},
    {IM_FEATURE_PNG, "palette8.png", "palette8.ppm"},
    {IM_FEATURE_PNG, "palette_key.png", "palette_key.ppm"},
    {IM_FEATURE_PNG, "rgb16.png", "rgb16.ppm"},
    {IM_FEATURE_PNG, "interlaced.png", "interlaced.ppm"},
    {IM_FEATURE_JPEG, "gray.jpg", "gray_jpg.pgm"},
    {IM_FEATURE_JPEG, "rgb444.jpg", "rgb444.ppm"},
    {IM_FEATURE_JPEG, "rgb420.jpg", "rgb420.ppm"},
    {IM_FEATURE_JPEG, "progressive.jpg", "progressive.ppm"},
    {IM_FEATURE_JPEG, "cmyk.jpg", "cmyk.ppm"},
    {IM_FEATURE_JPEG, "ycck.jpg", "ycck.ppm"},
    {IM_FEATURE_WEBP, "lossless.webp", "lossless.ppm"},
    {IM_FEATURE_WEBP, "lossy.webp", "lossy.ppm"},
    {IM_FEATURE_WEBP, "alpha.webp", "alpha.ppm"},
};

enum { PICTURES = sizeof pictures / sizeof *pictures };

static void pixels_are_those_that_pillow_reads(void **state)
{
    (void)state;
    for (size_t i = 0; i < PICTURES; i++) {
        if (!imsat_feature_built(pictures[i].codec))
            continue;
        im_image image = decode(load(pictures[i].name), pictures[i].name);
        assert_picture(&image, pictures[i].expected);
        im_image_clear(&image);
    }
}

static void what_was_not_built_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < PICTURES; i++) {
        im_image image = {0};
        imsat_error err;
        if (imsat_feature_built(pictures[i].codec))
            continue;
        const size_t size = load(pictures[i].name);
        assert_true(im_image_knows(file, size));
        assert_refused(im_image_decode(&image, file, size, "x", &err), &err, IMSAT_EIO,
                       imsat_feature_package(pictures[i].codec));
        assert_null(image.pixels);
    }
}

static void other_bytes_are_refused(void **state)
{
    (void)state;
    memcpy(file, "GIF89a--------------", 20);
    assert_false(im_image_knows(file, 20));
    assert_damaged(20, "is not a PNG, JPEG or WebP image");
    assert_damaged(0, "is not a PNG, JPEG or WebP image");
    memcpy(file, "RIFF\4\0\0\0WAVE", 12);
    assert_false(im_image_knows(file, 12));
    memcpy(file, "RIFF\4\0\0\0WEBP", 12);
    assert_true(im_image_knows(file, 12));
    assert_false(im_image_knows(file, 11));
}

/* A file that ends anywhere, and one with a byte changed anywhere, is refused or read; cut
 * short by more than what follows the pixels, it is refused. */
static void a_cut_is_noticed_wherever_it_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < PICTURES; i++) {
        if (!imsat_feature_built(pictures[i].codec))
            continue;
        const size_t size = load(pictures[i].name);
        for (size_t cut = size - 5; cut >= 12; cut--)
            assert_damaged(cut, "image is damaged: ");
    }
}

static void a_changed_byte_does_no_harm(void **state)
{
    (void)state;
    for (size_t i = 0; i < PICTURES; i++) {
        if (!imsat_feature_built(pictures[i].codec))
            continue;
        const size_t size = load(pictures[i].name);
        for (size_t at = 12; at < size; at++) {
            im_image image = {0};
            imsat_error err = {{0}};
            file[at] ^= 0x81;
            const imsat_status st = im_image_decode(&image, file, size, "x", &err);
            assert_true(st == IMSAT_OK || strncmp(err.message, "x: ", 3) == 0);
            im_image_clear(&image);
            file[at] ^= 0x81;
        }
    }
}

static void an_animation_is_refused(void **state)
{
    (void)state;
    if (!imsat_feature_built(IM_FEATURE_WEBP))
        skip();
    assert_damaged(load("animation.webp"), "is an animation");
}

/* Put a size into the header of a PNG file, and the checksum that belongs to it. */
static void set_png_size(uint32_t width, uint32_t height)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < 4; i++) {
        file[16 + i] = (unsigned char)(width >> (24 - 8 * i));
        file[20 + i] = (unsigned char)(height >> (24 - 8 * i));
    }
    for (size_t i = 12; i < 29; i++) {
        crc ^= file[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320U : 0);
    }
    for (size_t i = 0; i < 4; i++)
        file[29 + i] = (unsigned char)(~crc >> (24 - 8 * i));
}

/* Both sizes, of two bytes. */
static void set_jpeg_size(unsigned char high, unsigned char low)
{
    size_t at = 2; /* the segment SOF0: length, bits, height, width */
    while (file[at + 1] != 0xc0)
        at += 2 + (size_t)(file[at + 2] << 8 | file[at + 3]);
    memcpy(file + at + 5, (unsigned char[]){high, low, high, low}, 4);
}

/* Refused by its header: no memory is taken for pixels, and no time. */
static void a_picture_that_is_too_large_is_refused(void **state)
{
    (void)state;
    if (imsat_feature_built(IM_FEATURE_PNG)) {
        const size_t size = load("rgb.png");
        set_png_size(11586, 11585);
        assert_damaged(
            size, "x: an image of 11585 x 11586 pixels; imsat reads at most 134217728, and "
                  "1048576 in a row or column: make it smaller");
        set_png_size(2147483647, 2147483647);
        assert_damaged(size, "2147483647 x 2147483647 pixels; imsat reads at most");
        set_png_size(1, 1048577);
        assert_damaged(size, "1048577 x 1 pixels; imsat reads at most");
        set_png_size(13, 9);
        im_image image = decode(size, "rgb.png");
        im_image_clear(&image);
    }
    if (imsat_feature_built(IM_FEATURE_JPEG)) {
        const size_t size = load("rgb444.jpg");
        set_jpeg_size(0xfd, 0xfd); /* libjpeg itself has a limit of 65500 */
        assert_damaged(size, "pixels; imsat reads at most");
    }
}

/* 4000 x 4000 in some hundred bytes: no memory is taken for them. */
static void a_picture_that_its_file_cannot_hold_is_refused(void **state)
{
    (void)state;
    const char *part = "x: an image of 4000 x 4000 pixels in ";
    failing_alloc_arm(0);
    if (imsat_feature_built(IM_FEATURE_PNG)) {
        const size_t size = load("rgb.png");
        set_png_size(4000, 4000);
        assert_damaged(size, part);
    }
    if (imsat_feature_built(IM_FEATURE_JPEG)) {
        const size_t size = load("rgb444.jpg");
        set_jpeg_size(4000 >> 8, 4000 & 0xff);
        assert_damaged(size, part);
    }
    if (imsat_feature_built(IM_FEATURE_WEBP)) {
        const size_t size = load("lossless.webp");
        const uint32_t sizes = 3999 | 3999 << 14; /* of 14 bits each, less 1 */
        memcpy(file + 21, &sizes, sizeof sizes);
        assert_damaged(size, part);
    }
    assert_true(failing_alloc_largest() < 1 << 22);
}

/* libpng takes a block for a chunk before it looks whether the bytes are there. */
static void a_chunk_that_claims_gigabytes_is_refused(void **state)
{
    (void)state;
    if (!imsat_feature_built(IM_FEATURE_PNG))
        skip();
    const size_t size = load("palette4.png"), at = 8 + 25; /* PLTE follows IHDR */
    memcpy(file + at, "\x7f\0\0\0sPLT", 8);
    failing_alloc_arm(0);
    assert_damaged(size, "damaged: ");
    assert_true(failing_alloc_largest() < 1 << 25);
}

static void an_orientation_is_applied(void **state)
{
    static const unsigned char tag[] = {0x01, 0x12, 0, 3, 0, 0, 0, 1, 0};
    (void)state;
    if (!imsat_feature_built(IM_FEATURE_JPEG))
        skip();
    const size_t size = load("turned.jpg");
    size_t at = 0;
    while (memcmp(file + at, tag, sizeof tag) != 0)
        at++;
    at += sizeof tag;
    for (unsigned char n = 0; n <= 9; n++) {
        char expected[32];
        snprintf(expected, sizeof expected, "turned%d.ppm", n >= 1 && n <= 8 ? n : 1);
        file[at] = n;
        im_image image = decode(size, "turned.jpg");
        assert_picture(&image, expected);
        im_image_clear(&image);
    }
}

/* Where the marker 0xff `code` is, from `at` on; `code` 0: any marker. */
static size_t find_marker(size_t at, unsigned char code)
{
    while (file[at] != 0xff || file[at + 1] == 0 || (code && file[at + 1] != code))
        at++;
    return at;
}

/* More scans than any program writes: the first one of a progressive file again and again. */
static void endless_scans_are_refused(void **state)
{
    (void)state;
    if (!imsat_feature_built(IM_FEATURE_JPEG))
        skip();
    imsat_error err;
    im_image image = {0};
    const size_t size = load("progressive.jpg"), copies = 600;
    const size_t scan = find_marker(0, 0xda), next = find_marker(scan + 2, 0);
    const size_t length = next - scan, total = size + copies * length;
    unsigned char *long_file = im_alloc(total, 1);
    memcpy(long_file, file, next);
    for (size_t i = 0; i < copies; i++)
        memcpy(long_file + next + i * length, file + scan, length);
    memcpy(long_file + next + copies * length, file + next, size - next);
    assert_refused(im_image_decode(&image, long_file, total, "x", &err), &err, IMSAT_EFORMAT,
                   "x: the JPEG image has more than 500 scans");
    im_free(long_file);
}

/* Some programs leave a few bytes between segments. libjpeg warns of them, and no pixel is
 * lost. */
static void bytes_between_segments_are_skipped(void **state)
{
    (void)state;
    if (!imsat_feature_built(IM_FEATURE_JPEG))
        skip();
    const size_t size = load("rgb444.jpg"), at = find_marker(2, 0xdb), extra = 5;
    memmove(file + at + extra, file + at, size - at);
    memset(file + at, 0, extra);
    im_image image = decode(size + extra, "rgb444.jpg");
    assert_picture(&image, "rgb444.ppm");
    im_image_clear(&image);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    const size_t *size = context;
    im_image image = {0};
    const imsat_status st = im_image_decode(&image, file, *size, "x", err);
    assert_true((st == IMSAT_OK) == (image.pixels != NULL));
    im_image_clear(&image);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (size_t i = 0; i < PICTURES; i++) {
        size_t size = load(pictures[i].name);
        if (imsat_feature_built(pictures[i].codec))
            assert_true(fail_each(attempt, &size) >= 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_are_those_that_pillow_reads),
        cmocka_unit_test(what_was_not_built_is_refused),
        cmocka_unit_test(other_bytes_are_refused),
        cmocka_unit_test(a_cut_is_noticed_wherever_it_is),
        cmocka_unit_test(a_changed_byte_does_no_harm),
        cmocka_unit_test(an_animation_is_refused),
        cmocka_unit_test(a_picture_that_is_too_large_is_refused),
        cmocka_unit_test(a_picture_that_its_file_cannot_hold_is_refused),
        cmocka_unit_test(a_chunk_that_claims_gigabytes_is_refused),
        cmocka_unit_test(an_orientation_is_applied),
        cmocka_unit_test(endless_scans_are_refused),
        cmocka_unit_test(bytes_between_segments_are_skipped),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("image", tests, NULL, NULL);
}
