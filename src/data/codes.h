/* SPDX-License-Identifier: MIT
 *
 * Packed codes: what the readers, the exports and the index share; see imsat/search.h.
 */
#ifndef IM_DATA_CODES_H
#define IM_DATA_CODES_H

#include "core/status.h"
#include "imsat/search.h"

/* The byte with its bits in the opposite order: from least to most significant first, and
 * back. */
uint8_t im_codes_reverse(uint8_t byte);

/* The bits of a code's last byte that do not belong to the code. */
uint8_t im_codes_padding(size_t bits);

#endif
