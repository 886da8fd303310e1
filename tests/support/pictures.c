/* SPDX-License-Identifier: MIT
 * See pictures.h. */
#include "pictures.h"

#include "data/image_codec.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

enum { ROOM = 1 << 13 };

size_t picture_bytes(const char *name, unsigned char *bytes, size_t room)
{
    char path[512];
    snprintf(path, sizeof path, "%s/tests/images/%s", IMSAT_SOURCE, name);
    const size_t size = read_file(path, bytes, room);
    assert_true(size > 0 && size < room);
    return size;
}

/* "P5" or "P6", width, height, 255 and one blank, then the pixels. */
im_image picture_load(const char *name)
{
    unsigned char bytes[ROOM];
    char kind = 0;
    size_t height = 0, width = 0;
    int header = 0;
    im_image image = {0};
    imsat_error err;
    const size_t size = picture_bytes(name, bytes, ROOM);
    bytes[size] = '\0';
    assert_int_equal(
        sscanf((char *)bytes, "P%c %zu %zu 255%n", &kind, &width, &height, &header), 3);
    assert_ok(im_image_new(&image, height, width, kind == '6' ? 3 : 1, name, &err), &err);
    assert_int_equal(size, (size_t)header + 1 + height * width * image.channels);
    memcpy(image.pixels, bytes + header + 1, height * width * image.channels);
    return image;
}

void assert_picture(const im_image *image, const char *name)
{
    im_image expected = picture_load(name);
    assert_int_equal(image->height, expected.height);
    assert_int_equal(image->width, expected.width);
    assert_int_equal(image->channels, expected.channels);
    for (size_t i = 0; i < image->height * image->width * image->channels; i++)
        if (image->pixels[i] != expected.pixels[i])
            fail_msg("%s: at %zu %d, not %d", name, i, image->pixels[i], expected.pixels[i]);
    im_image_clear(&expected);
}
