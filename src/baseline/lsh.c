/* SPDX-License-Identifier: MIT
 * See lsh.h. */
#include "baseline/lsh.h"

#include "baseline/whole.h"
#include "core/alloc.h"
#include "core/rng.h"
#include "linear/principal.h"

/* w (bits,d) of the seed; row (d) is scratch. */
static void draw(double *w, float *row, size_t bits, size_t d, uint64_t seed)
{
    const im_rng rng = {.seed = seed, .stream = IM_STREAM_PLANES};
    for (size_t b = 0; b < bits; b++) {
        im_rng_normals(row, d, rng, (uint32_t)b);
        for (size_t j = 0; j < d; j++)
            w[b * d + j] = row[j];
    }
}

static imsat_status work(im_fit *fit, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t bits = fit->opt->bits, d = fit->data->dim;
    const im_stage stage = im_whole_stage(fit, "looking for the mean of the rows");
    im_frame frame = {0};
    double *w = im_alloc(bits * d, sizeof *w), *mean = im_alloc(d, sizeof *mean);
    float *row = im_alloc(d, sizeof *row);
    if (!w || !mean || !row) {
        st = im_fail_memory(err, "random directions");
        goto cleanup;
    }
    IM_TRY(im_frame_fit(&frame, fit->data, fit->pre, fit->pool, &stage, err));
    IM_TRY(im_principal_mean(mean, &frame, fit->pool, &stage, err));
    draw(w, row, bits, d, fit->seed);
    IM_TRY(im_whole_layer(fit, &frame, w, mean, NULL, bits, err));

cleanup:
    im_frame_clear(&frame);
    im_free(row);
    im_free(mean);
    im_free(w);
    return st;
}

imsat_status im_lsh_fit(im_fit *fit, imsat_error *err)
{
    return im_whole_end(fit, work(fit, err), err);
}
