/* SPDX-License-Identifier: MIT
 * See kmeans_method.h. */
#include "baseline/kmeans_method.h"

#include "baseline/whole.h"
#include "core/alloc.h"
#include "data/distinct.h"

/* Distances do not change when everything moves, so scores are taken from the mean m of the
 * centers in place of 0: with w = c - m, rounded, the score is w . (x - m) - |w|^2 / 2. That
 * keeps the digits of data that lies far from 0. bias (k) is scratch. */
static void set_layer(im_net *net, double *bias, const im_kmeans *found)
{
    const im_layer *layer = &net->layer[0];
    const size_t k = found->k, d = found->d;
    for (size_t j = 0; j < d; j++) {
        double mean = 0;
        for (size_t c = 0; c < k; c++)
            mean += found->centers[c * d + j] / (double)k;
        for (size_t c = 0; c < k; c++) {
            const im_real w = (im_real)(found->centers[c * d + j] - mean);
            layer->w[c * d + j] = w;
            bias[c] -= w * (mean + (double)w / 2);
        }
    }
    for (size_t c = 0; c < k; c++)
        layer->bias[c] = (im_real)bias[c];
}

static imsat_status make_net(im_fit *fit, const im_kmeans *found, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_net_fault fault;
    double *bias = im_alloc(found->k, sizeof *bias);
    if (!bias)
        return im_fail_memory(err, "the centers");
    IM_TRY(im_net_new(&fit->net, found->d, NULL, 0, found->k, err));
    set_layer(&fit->net, bias, found);
    if (im_net_find_fault(&fault, &fit->net))
        st = im_preprocess_refuse("the squared norm of a center is beyond the range of float",
                                  fit->data, fit->pre, NULL, err);

cleanup:
    im_free(bias);
    return st;
}

static imsat_status find_centers(im_kmeans *out, im_fit *fit, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const imsat_options *o = fit->opt;
    const im_stage stage = im_whole_stage(fit, "looking for centers");
    const im_kmeans_options options = {.k = o->k,
                                       .restarts = o->restarts,
                                       .iterations = o->iterations,
                                       .tolerance = o->tolerance,
                                       .seed = fit->seed,
                                       .repair_empty = true};
    im_frame frame = {0};
    IM_TRY(im_whole_frame(&frame, fit, &stage, err));
    const im_rows rows = {&frame, NULL, frame.n};
    IM_TRY(im_kmeans_fit(out, &rows, &options, fit->pool, &stage, err));

cleanup:
    im_frame_clear(&frame);
    return st;
}

/* Too few rows are different: say why, if that is because they were rounded. Centers are
 * looked for among centered rows (linear/frame.h), so a note on those counts. */
static imsat_status refuse_empty(const im_fit *fit, const im_kmeans *found, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    char note[IM_DISTINCT_ROOM];
    im_preprocess centered = {0};
    imsat_options options = *fit->opt;
    options.center = 1;
    IM_TRY(im_distinct_note(note, fit->data, fit->pre, err));
    if (!*note) {
        IM_TRY(im_preprocess_fit(&centered, fit->data, &options, NULL, err));
        IM_TRY(im_distinct_note(note, fit->data, &centered, err));
    }
    st = im_fail(err, IMSAT_EINVAL,
                 "only %zu rows are different, so there are no %zu clusters; %s",
                 found->k - found->empty, found->k, *note ? note : "take a smaller k");

cleanup:
    im_preprocess_clear(&centered);
    return st;
}

imsat_status im_kmeans_method_find(im_kmeans *out, im_fit *fit, imsat_error *err)
{
    imsat_status st = im_whole_end(fit, find_centers(out, fit, err), err);
    if (st == IMSAT_OK && out->empty > 0) {
        st = refuse_empty(fit, out, err);
        im_kmeans_clear(out);
    }
    return st;
}

imsat_status im_kmeans_method_fit(im_fit *fit, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_kmeans found = {0};
    IM_TRY(im_kmeans_method_find(&found, fit, err));
    IM_TRY(make_net(fit, &found, err));
    fit->run->about.objective = found.inertia;
    fit->run->about.epochs = found.iterations;

cleanup:
    im_kmeans_clear(&found);
    return st;
}
