/* SPDX-License-Identifier: MIT
 *
 * Pictures of a folder or an archive as rows of uint8, (height, width, channels) each, by
 * im_pictures_reader (reader.h). A shape that is asked for is made of all of them; without
 * one, all must have that of the first.
 */
#ifndef IM_DATA_PICTURES_H
#define IM_DATA_PICTURES_H

#include "core/status.h"

#include <stdbool.h>

/* Whether FILE or FILE:NAME is a picture, or a folder or an archive that begins with one. A
 * pipe, which can be read only once, is left alone and taken for none. */
imsat_status im_pictures_are(bool *out, const char *path, imsat_error *err);

#endif
