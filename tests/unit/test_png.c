/* SPDX-License-Identifier: MIT
 * Small PNG files, chunk by chunk. */
#include "plot/png.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "support.h"

#include <zlib.h>

static size_t word_at(const unsigned char *at)
{
    return (size_t)at[0] << 24 | (size_t)at[1] << 16 | (size_t)at[2] << 8 | at[3];
}

/* A chunk is sound; returns its size. */
static size_t assert_chunk(const unsigned char *at, const char *name)
{
    const size_t size = word_at(at);
    assert_memory_equal(at + 4, name, 4);
    assert_int_equal(word_at(at + 8 + size), crc32(0, at + 4, (uInt)(size + 4)));
    return size;
}

/* The file holds these pixels. */
static void assert_png(const unsigned char *file, size_t size, const uint8_t *pixels,
                       size_t height, size_t width, size_t channels)
{
    unsigned char rows[512];
    uLongf room = sizeof rows;
    const unsigned char *at = file + 8;
    const size_t row = width * channels;
    assert_memory_equal(file, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(assert_chunk(at, "IHDR"), 13);
    assert_int_equal(word_at(at + 8), width);
    assert_int_equal(word_at(at + 12), height);
    assert_int_equal(at[16], 8);
    assert_int_equal(at[17], channels == 3 ? 2 : 0);
    at += 25;
    const size_t packed = assert_chunk(at, "IDAT");
    assert_int_equal(uncompress(rows, &room, at + 8, (uLong)packed), Z_OK);
    assert_int_equal(room, height * (row + 1));
    for (size_t i = 0; i < height; i++) {
        assert_int_equal(rows[i * (row + 1)], 0);
        assert_memory_equal(rows + i * (row + 1) + 1, pixels + i * row, row);
    }
    at += 12 + packed;
    assert_int_equal(assert_chunk(at, "IEND"), 0);
    assert_ptr_equal(at + 12, file + size);
}

static void pixels_come_back(void **state)
{
    (void)state;
    uint8_t pixels[5 * 7 * 3];
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(i * 37);
    for (size_t channels = 1; channels <= 3; channels += 2) {
        unsigned char *file = NULL;
        size_t size = 0;
        assert_ok(im_png_encode(&file, &size, pixels, 5, 7, channels, NULL), NULL);
        assert_png(file, size, pixels, 5, 7, channels);
        im_free(file);
    }
}

static imsat_status try_once(void *context, imsat_error *err)
{
    static const uint8_t pixels[6] = {1, 2, 3, 4, 5, 6};
    unsigned char *file = NULL;
    size_t size;
    (void)context;
    const imsat_status st = im_png_encode(&file, &size, pixels, 2, 3, 1, err);
    im_free(file);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_int_equal(fail_each(try_once, NULL), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_come_back),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
