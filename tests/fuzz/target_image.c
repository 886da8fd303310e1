/* SPDX-License-Identifier: MIT
 *
 * Pictures: one that is accepted has pixels, gray or of three colors, stays what it is in its
 * own size, and has no value in another size that is not between its least and its largest.
 * The mutator corrects the checksums of PNG. What there is to begin with is in the corpus,
 * since a build may lack any of the codecs. */
#include "data/image.h"

#include "fuzz.h"

#include <string.h>
#include <zlib.h>

enum { MOST = 2048, SMALL = 1 << 16 /* pixels of a picture that is looked at */ };

/* The pixels that a file may have, as ours and as those of the library, of four bytes each. */
static void begin(void)
{
    const size_t pixels = IM_IMAGE_FREE_PIXELS + (size_t)MOST * IM_IMAGE_PIXELS_A_BYTE;
    fuzz_allow(8 * pixels + (1 << 20), 4);
}

/* The least and the largest value of a channel. */
static void find_range(int range[2], const im_image *image, size_t channel)
{
    range[0] = 255;
    range[1] = 0;
    for (size_t i = channel; i < image->height * image->width * image->channels;
         i += image->channels) {
        const int value = image->pixels[i];
        range[0] = value < range[0] ? value : range[0];
        range[1] = value > range[1] ? value : range[1];
    }
}

static void check_size(const im_image *image, size_t height, size_t width)
{
    im_image other = {0};
    imsat_error err;
    fuzz_succeeded(im_image_resize(&other, image, height, width, &err), &err);
    REQUIRE(other.height == height && other.width == width &&
                other.channels == image->channels && other.pixels,
            "another size than was asked for");
    for (size_t c = 0; c < image->channels; c++) {
        int before[2], after[2];
        find_range(before, image, c);
        find_range(after, &other, c);
        REQUIRE(after[0] >= before[0] && after[1] <= before[1],
                "values from %d to %d become %d to %d", before[0], before[1], after[0],
                after[1]);
    }
    if (height == image->height && width == image->width)
        REQUIRE(memcmp(other.pixels, image->pixels, height * width * image->channels) == 0,
                "the same size is another picture");
    im_image_clear(&other);
}

static void check_pixels(im_image *image)
{
    imsat_error err;
    check_size(image, image->height, image->width);
    check_size(image, 3, 5);
    fuzz_succeeded(im_image_convert(image, 3, &err), &err);
    check_size(image, 2 * image->height, 1);
    fuzz_succeeded(im_image_convert(image, 1, &err), &err);
    check_size(image, 7, 7);
}

static bool run(const uint8_t *input, size_t size)
{
    const char *path = "fuzzed.picture";
    im_image image = {0};
    imsat_error err = {{0}};
    const imsat_status st = im_image_decode(&image, input, size, path, &err);
    if (st != IMSAT_OK) {
        REQUIRE(!image.pixels, "a picture after a failure");
        fuzz_refused(st, &err, path);
        return false;
    }
    REQUIRE(im_image_knows(input, size), "a picture that nobody knows");
    REQUIRE(image.pixels && image.height && image.width &&
                image.height * image.width <= IM_IMAGE_MAX_PIXELS &&
                (image.channels == 1 || image.channels == 3),
            "%zu x %zu pixels of %zu channels", image.height, image.width, image.channels);
    if (image.height * image.width <= SMALL)
        check_pixels(&image);
    im_image_clear(&image);
    return true;
}

static uint32_t load_big(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
           bytes[3];
}

/* Each chunk of a PNG file: its length, four letters, its contents, their checksum. */
static void correct_checksums(uint8_t *png, size_t size)
{
    for (size_t at = 8; size - at >= 12;) {
        const size_t length = load_big(png + at);
        if (length > size - at - 12)
            return;
        const uLong sum = crc32(0, png + at + 4, (unsigned)length + 4);
        uint8_t *end = png + at + 8 + length;
        for (int i = 0; i < 4; i++)
            end[i] = (uint8_t)(sum >> (24 - 8 * i));
        at += length + 12;
    }
}

static size_t mutate(uint8_t *input, size_t size, size_t room)
{
    size = LLVMFuzzerMutate(input, size, room);
    if (size > 20 && memcmp(input, "\x89PNG", 4) == 0 && fuzz_below(8))
        correct_checksums(input, size);
    return size;
}

const fuzz_target fuzz_this = {"image", MOST, begin, run, mutate};
