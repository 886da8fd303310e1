/* SPDX-License-Identifier: MIT
 *
 * Packed codes and their ids: what the readers, the exports and the index share; see
 * imsat/search.h.
 *
 * Prefixes: im_codes_, im_ids_.
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

/* Refuse, with this status, ids (n) of which two are the same or one is IMSAT_NO_ID. whose:
 * who has them, for the message. */
imsat_status im_ids_check(const int64_t *ids, size_t n, const char *whose, imsat_status status,
                          imsat_error *err);

#endif
