/* SPDX-License-Identifier: MIT
 * The pictures of tests/images, and those that Pillow made of them. */
#ifndef TESTS_PICTURES_H
#define TESTS_PICTURES_H

#include "data/image.h"

/* The bytes of a file of the folder, at most `room`; their number. */
size_t picture_bytes(const char *name, unsigned char *bytes, size_t room);

/* A .ppm or .pgm file of the folder; freed by im_image_clear(). */
im_image picture_load(const char *name);

/* Fail unless the picture is this file, in every pixel. */
void assert_picture(const im_image *image, const char *name);

#endif
