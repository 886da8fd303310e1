/* SPDX-License-Identifier: MIT
 *
 * What a cell's file tells beside its scores: how it came about. It is for those who read the
 * file; nothing here reads it again, so files of before may lack any of it.
 */
#ifndef IM_REPRODUCE_PARTICULARS_H
#define IM_REPRODUCE_PARTICULARS_H

#include "reproduce/entry.h"
#include "reproduce/source.h"

/* Members of a cell that was trained: of its data, of its seeds and of the one that was kept,
 * its options, and the machine. resumed: its seconds are not all. */
void im_particulars_put(im_strbuf *out, const im_entry *cell, const im_source *source,
                        const imsat_result *result, bool resumed);

#endif
