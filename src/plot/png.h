/* SPDX-License-Identifier: MIT
 *
 * Small pictures as PNG, written by zlib alone: libpng is a library that imsat can do without,
 * and pages should be the same wherever they are made. (zlib's own bytes may differ from one
 * version of it to the next; the pixels do not.)
 */
#ifndef IM_PLOT_PNG_H
#define IM_PLOT_PNG_H

#include "core/status.h"

#include <stdint.h>

/* pixels (height, width, channels), 1 channel (gray) or 3. *out (*size) is freed by
 * im_free(). */
imsat_status im_png_encode(unsigned char **out, size_t *size, const uint8_t *pixels,
                           size_t height, size_t width, size_t channels, imsat_error *err);

#endif
