/* SPDX-License-Identifier: MIT
 *
 * What an input costs; see fuzz.h. The time is that of the processor, so that a busy machine
 * is no failure. Memory is counted by hooks of the sanitizers, and so in builds with one: all
 * blocks that are taken while an input is tried, those of other libraries included. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include <time.h>

enum { MOST_TIMES = 10 };

typedef void malloc_hook(const volatile void *block, size_t size);
typedef void free_hook(const volatile void *block);

int __sanitizer_install_malloc_and_free_hooks(malloc_hook *take, free_hook *give)
    __attribute__((weak));
size_t __sanitizer_get_allocated_size(const volatile void *block) __attribute__((weak));

static struct {
    bool hooked, running;
    int64_t live, peak; /* bytes; blocks of before may be freed */
    double started;
    size_t most_bytes; /* beyond MOST_TIMES of its own */
    double most_seconds;
} meter = {.most_bytes = 1 << 20, .most_seconds = 1};

static double processor_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void note_taken(const volatile void *block, size_t size)
{
    if (!meter.running || !block)
        return;
    meter.live += (int64_t)size;
    if (meter.live > meter.peak)
        meter.peak = meter.live;
}

static void note_given(const volatile void *block)
{
    if (meter.running && block)
        meter.live -= (int64_t)__sanitizer_get_allocated_size(block);
}

void fuzz_allow(size_t bytes, double seconds)
{
    meter.most_bytes = bytes;
    meter.most_seconds = seconds;
}

void fuzz_meter_begin(void)
{
    if (!meter.hooked && __sanitizer_install_malloc_and_free_hooks)
        __sanitizer_install_malloc_and_free_hooks(note_taken, note_given);
    meter.hooked = true;
    meter.live = meter.peak = 0;
    meter.running = true;
    meter.started = processor_seconds();
}

void fuzz_meter_end(size_t size)
{
    const double seconds = processor_seconds() - meter.started;
    meter.running = false;
    REQUIRE(seconds <= meter.most_seconds, "an input of %zu bytes takes %.2f seconds", size,
            seconds);
    REQUIRE(meter.peak <= (int64_t)(MOST_TIMES * size + meter.most_bytes),
            "an input of %zu bytes takes %lld bytes of memory", size, (long long)meter.peak);
}
