/* SPDX-License-Identifier: MIT
 *
 * One kind of picture file, as image.c sees it, and what the files that read them share. Each
 * kind is a file, image_png.c and so on, and that file alone knows the library that reads it.
 *
 * Prefixes: im_image_.
 */
#ifndef IM_DATA_IMAGE_CODEC_H
#define IM_DATA_IMAGE_CODEC_H

#include "core/feature.h"
#include "data/image.h"

typedef struct im_image_codec {
    im_feature feature;
    bool (*knows)(const unsigned char *head, size_t size);

    /* As im_image_decode(); NULL in a build without the library of `feature`. */
    imsat_status (*decode)(im_image *out, const unsigned char *data, size_t size,
                           const char *path, imsat_error *err);
} im_image_codec;

extern const im_image_codec im_image_png, im_image_jpeg, im_image_webp;

/* Refuse a picture without pixels or with too many, before any memory is taken for them. */
imsat_status im_image_check(size_t height, size_t width, const char *path, imsat_error *err);

/* The same, and a file of `bytes` that claims more pixels than one of its size may have. */
imsat_status im_image_check_file(size_t height, size_t width, size_t bytes, const char *path,
                                 imsat_error *err);

/* A picture whose pixels are not set, of 1 to 4 channels: 2 and 4 are gray and color with
 * their opacity. The size is checked. */
imsat_status im_image_new(im_image *out, size_t height, size_t width, size_t channels,
                          const char *path, imsat_error *err);

/* Lay a picture with opacity on white; the others stay as they are. */
void im_image_flatten(im_image *image);

/* Turn a picture as Exif's orientation, 1 to 8, says that it must be to be seen upright; other
 * numbers say nothing. */
imsat_status im_image_orient(im_image *image, unsigned orientation, const char *path,
                             imsat_error *err);

/* Exif's orientation, from the contents of an APP1 segment; 0 if there is none. */
unsigned im_image_exif(const unsigned char *data, size_t size);

#endif
