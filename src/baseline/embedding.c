/* SPDX-License-Identifier: MIT
 * See embedding.h. */
#include "baseline/embedding.h"

#include "baseline/kmeans_method.h"
#include "core/alloc.h"

#include <string.h>

imsat_status im_embedding_new(im_embedding *e, im_fit *fit, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const imsat_options *o = fit->opt;
    size_t all;
    *e = (im_embedding){.fit = fit};
    IM_TRY(im_net_begin(&e->net, fit->shared, fit->shared->layers, 0, err));
    IM_TRY(im_feed_new(&e->feed, fit, err));
    IM_TRY(im_tape_new(&e->tape, &e->net, fit->pool, im_gemm_select(o->reference_kernels != 0),
                       o->batch, 1, err));
    if (im_size_mul(&all, fit->data->rows, o->code))
        e->codes = im_alloc(all, sizeof *e->codes);
    e->centers = im_alloc(o->k * o->code, sizeof *e->centers);
    if (!e->codes || !e->centers)
        st = im_fail_memory(err, "the codes of all rows");

cleanup:
    if (st != IMSAT_OK)
        im_embedding_clear(e);
    return st;
}

void im_embedding_clear(im_embedding *e)
{
    im_tape_clear(&e->tape);
    im_net_clear(&e->net);
    im_feed_clear(&e->feed);
    im_free(e->codes);
    im_free(e->centers);
    *e = (im_embedding){0};
}

imsat_status im_embedding_encode(im_embedding *e, const im_stage *stage, imsat_error *err)
{
    return im_feed_embed(e->codes, &e->feed, &e->tape, &e->net, stage, err);
}

/* The codes are rows like any others, and need no preparation. */
imsat_status im_embedding_find_centers(im_embedding *e, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const imsat_options *o = e->fit->opt;
    imsat_options plain = *o;
    imsat_data *codes = NULL;
    im_preprocess pre = {0};
    im_kmeans found = {0};
    plain.scale = 1;
    plain.shift = plain.standardize = plain.unit_norm = plain.center = 0;
    IM_TRY(imsat_data_view(&codes, e->codes, e->fit->data->rows, o->code, o->code, err));
    IM_TRY(im_preprocess_fit(&pre, codes, &plain, NULL, err));
    im_fit fit = *e->fit;
    fit.data = codes;
    fit.pre = &pre;
    fit.opt = &plain;
    IM_TRY(im_kmeans_method_find(&found, &fit, err));
    for (size_t i = 0; i < o->k * o->code; i++)
        e->centers[i] = (im_real)found.centers[i];
    e->inertia = found.inertia;
    e->iterations = found.iterations;

cleanup:
    im_kmeans_clear(&found);
    im_preprocess_clear(&pre);
    imsat_data_free(codes);
    return st;
}

imsat_status im_embedding_leave(const im_embedding *e, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const imsat_options *o = e->fit->opt;
    im_net *net = &e->fit->net;
    IM_TRY(im_net_begin(net, &e->net, e->net.layers, o->k, err));
    IM_TRY(im_net_read_out(net, IM_READOUT_STUDENT, o->k, NULL, err));
    memcpy(net->layer[net->layers - 1].w, e->centers, o->k * o->code * sizeof *e->centers);

cleanup:
    return st;
}
