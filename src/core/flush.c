/* SPDX-License-Identifier: MIT
 *
 * See flush.h. The mode is written only if it changes: a write waits for what the processor
 * has in flight, a read does not, and a round of a pool inside a call finds the mode set. */
#include "core/flush.h"

#if defined(__x86_64__)
#include <xmmintrin.h>

#define FLUSH UINT64_C(0x8040) /* FTZ: results; DAZ: operands */

static uint64_t get_mode(void)
{
    return _mm_getcsr();
}

static void set_mode(uint64_t mode)
{
    _mm_setcsr((unsigned)mode);
}

#elif defined(__aarch64__)

#define FLUSH (UINT64_C(1) << 24) /* FZ: operands and results */

static uint64_t get_mode(void)
{
    uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    return mode;
}

static void set_mode(uint64_t mode)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(mode) : "memory");
}

#else

#define FLUSH UINT64_C(0)

static uint64_t get_mode(void)
{
    return 0;
}

static void set_mode(uint64_t mode)
{
    (void)mode;
}

#endif

im_flush im_flush_begin(void)
{
    const im_flush before = get_mode();
    if ((before & FLUSH) != FLUSH)
        set_mode(before | FLUSH);
    return before;
}

/* Only the bits of the mode: MXCSR and FPCR hold others, among them the flags of exceptions
 * that happened meanwhile. */
void im_flush_end(im_flush before)
{
    const uint64_t now = get_mode(), back = (now & ~FLUSH) | (before & FLUSH);
    if (back != now)
        set_mode(back);
}
