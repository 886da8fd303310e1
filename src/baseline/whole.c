/* SPDX-License-Identifier: MIT
 * See whole.h. */
#include "baseline/whole.h"

#include "core/alloc.h"

/* A copy of the scaled rows makes a pass over them twenty times faster than reading and
 * preparing them (linear/kmeans.h). Larger data is read again in each pass. */
static const size_t COPY_BYTES = (size_t)4 << 30;

/* What the copy may take beside what is to come: some 100 bytes a row for k-means, and a few
 * rows for each output. */
static size_t copy_budget(const im_fit *fit)
{
    enum { A_ROW = 128, A_WEIGHT = 64, OTHERS = 1 << 24 };
    return im_alloc_spare(COPY_BYTES,
                          fit->data->rows * A_ROW + OTHERS +
                              im_fit_outputs(fit->opt) * fit->data->dim * A_WEIGHT);
}

static int tell(void *user, double fraction)
{
    return im_fit_tell(user, (imsat_progress){.stage = "train", .fraction = fraction});
}

im_stage im_whole_stage(im_fit *fit, const char *work)
{
    return (im_stage){work, tell, fit, 0, 1};
}

imsat_status im_whole_frame(im_frame *out, const im_fit *fit, const im_stage *stage,
                            imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage still = im_stage_part(stage, 0, 0);
    im_frame frame = {0};
    IM_TRY(im_frame_fit(&frame, fit->data, fit->pre, fit->pool, &still, err));
    IM_TRY(im_frame_keep(&frame, copy_budget(fit), fit->pool, &still, err));
    *out = frame;
    frame = (im_frame){0};

cleanup:
    im_frame_clear(&frame);
    return st;
}

imsat_status im_whole_end(im_fit *fit, imsat_status st, imsat_error *err)
{
    return st == IMSAT_ESTOPPED ? im_fit_stop(fit, NULL, NULL, 0, err) : st;
}

/* The bias makes up for the rounding of the weights at the point: that keeps the digits of
 * data that lies far from 0. */
imsat_status im_whole_layer(im_fit *fit, const im_frame *frame, const double *w,
                            const double *point, const double *shift, size_t units,
                            imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t d = frame->d;
    im_net_fault fault;
    IM_TRY(im_net_new(&fit->net, d, NULL, 0, units, err));
    fit->net.sigmoid = fit->opt->task == IMSAT_TASK_HASH;
    const im_layer *layer = &fit->net.layer[0];
    for (size_t u = 0; u < units; u++) {
        double bias = shift ? shift[u] : 0;
        for (size_t j = 0; j < d; j++) {
            layer->w[u * d + j] = (im_real)w[u * d + j];
            bias -= layer->w[u * d + j] * (frame->center[j] + point[j] / frame->factor);
        }
        layer->bias[u] = (im_real)bias;
    }
    if (im_net_find_fault(&fault, &fit->net))
        st = im_preprocess_refuse("what it takes to tell rows apart is beyond the range of "
                                  "float",
                                  fit->data, fit->pre, NULL, err);

cleanup:
    return st;
}
