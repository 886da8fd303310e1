/* SPDX-License-Identifier: MIT
 *
 * Subnormal numbers, those below 1e-38 in float, count as zero while we compute. Weight decay
 * drives weights and Adam's moments down there, where the processor takes a hundred times as
 * long: without this, the last 50 of 300 epochs of `deep-rim` on the bundled digits took 8
 * times as long as the first.
 *
 * It is a mode of the thread. Tasks of a pool run in it on every thread, so that results do
 * not depend on which one runs a task. A call of the library that computes begins it on the
 * caller's thread, too, and gives the caller's own mode back before it returns or calls back.
 *
 * x86: the bits FTZ and DAZ of MXCSR; 64-bit ARM: the bit FZ of FPCR. Elsewhere nothing is
 * done, and results are those of the processor's own mode. (ARM looks at a result before it is
 * rounded: one that only rounding would lift to the smallest normal number is 0 there. It is
 * the one difference between the two that is known.)
 */
#ifndef IM_CORE_FLUSH_H
#define IM_CORE_FLUSH_H

#include <stdint.h>

/* A mode of the thread, as the processor holds it. */
typedef uint64_t im_flush;

/* From here on subnormal numbers are zero. Returns the mode before. */
im_flush im_flush_begin(void);

/* Back to a mode that im_flush_begin() returned. */
void im_flush_end(im_flush before);

#endif
