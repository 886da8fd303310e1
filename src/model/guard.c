/* SPDX-License-Identifier: MIT
 * See guard.h. */
#include "model/guard.h"

static int call_progress(void *user, const imsat_progress *progress)
{
    const im_guard *guard = user;
    if (im_data_lost(guard->data))
        return 1;
    if (!guard->progress)
        return 0;
    im_flush_end(guard->before);
    const int stop = guard->progress(guard->progress_user, progress);
    im_flush_begin();
    return stop;
}

static int call_augment(void *user, float *out, const float *in, const size_t *rows, size_t n,
                        size_t dim, uint64_t seed)
{
    const im_guard *guard = user;
    im_flush_end(guard->before);
    const int stop = guard->augment(guard->augment_user, out, in, rows, n, dim, seed);
    im_flush_begin();
    return stop;
}

void im_guard_enter(im_guard *guard, imsat_options *options, const imsat_data *data)
{
    *guard = (im_guard){.options = options,
                        .data = data,
                        .before = im_flush_begin(),
                        .progress = options->progress,
                        .augment = options->augment,
                        .progress_user = options->progress_user,
                        .augment_user = options->augment_user};
    options->progress = call_progress;
    options->progress_user = guard;
    if (options->augment) {
        options->augment = call_augment;
        options->augment_user = guard;
    }
}

void im_guard_leave(im_guard *guard)
{
    if (!guard->options)
        return;
    guard->options->progress = guard->progress;
    guard->options->progress_user = guard->progress_user;
    guard->options->augment = guard->augment;
    guard->options->augment_user = guard->augment_user;
    im_flush_end(guard->before);
    *guard = (im_guard){0};
}
