/* SPDX-License-Identifier: MIT
 *
 * A checksum over a safetensors file, in its metadata under "checksum": 16 hexadecimal digits
 * of XXH3 (core/checksum.h) over the other entries in alphabetical order, key and value each
 * with a zero byte behind it, and the tensors' bytes in their order. With the checks of
 * data/safetensors.c, and a reader that wants every tensor by its name, nothing in a sealed
 * file can change unnoticed but blanks between the words of the header.
 *
 * It finds accidents, not malice: who changes a file can seal it again. So a reader checks
 * what it then trusts, whatever the seal says.
 */
#ifndef IM_DATA_SEAL_H
#define IM_DATA_SEAL_H

#include "data/safetensors.h"

#define IM_SEAL_KEY "checksum"

/* Seal a file that is ready to be written. */
imsat_status im_seal_set(im_safetensors *file, imsat_error *err);

/* IMSAT_EFORMAT, naming path, unless the file that was read has the seal it was written with.
 */
imsat_status im_seal_check(const im_safetensors *file, const char *path, imsat_error *err);

#endif
