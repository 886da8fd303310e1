/* SPDX-License-Identifier: MIT
 * See start.h. */
#include "model/start.h"

#include "model/model.h"

#include <math.h>

/* Up to the last digits: sums over all rows are not rounded alike by every version. */
static bool same_value(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(a);
}

static bool same_vector(const double *a, const double *b, size_t n)
{
    bool same = !a == !b;
    for (size_t i = 0; same && a && i < n; i++)
        same = same_value(a[i], b[i]);
    return same;
}

static bool same_preparation(const im_preprocess *a, const im_preprocess *b)
{
    return a->dim == b->dim && same_value(a->scale, b->scale) &&
           same_value(a->shift, b->shift) && same_value(a->factor, b->factor) &&
           a->unit_norm == b->unit_norm && same_vector(a->mean, b->mean, a->dim) &&
           same_vector(a->inv_deviation, b->inv_deviation, a->dim) &&
           same_vector(a->center_mean, b->center_mean, a->dim);
}

bool im_start_fits(const im_net *net, size_t dim, const imsat_options *o)
{
    bool fits = net->dim == dim && net->layers == o->hidden_count + 1 &&
                net->outputs == o->code && net->readout == IM_READOUT_PLAIN && !net->sigmoid;
    for (size_t l = 0; fits && l < o->hidden_count; l++)
        fits = net->layer[l].out == o->hidden[l] && net->layer[l].form == IM_FORM_RELU;
    return fits;
}

imsat_status im_start_take(im_net *out, const imsat_options *o, const im_preprocess *pre,
                           imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_model *model = NULL;
    im_net net = {0};
    IM_TRY(imsat_model_load(&model, o->start, err));
    if (model->net.readout != IM_READOUT_STUDENT || model->net.nrunning > 0) {
        st =
            im_fail(err, IMSAT_EMISMATCH,
                    "%s: has no auto-encoder to start from; give a model of dae-kmeans or dec",
                    o->start);
        goto cleanup;
    }
    IM_TRY(im_net_begin(&net, &model->net, model->net.layers - 1, 0, err));
    if (!im_start_fits(&net, pre->dim, o)) {
        st = im_fail(err, IMSAT_EMISMATCH,
                     "%s: its auto-encoder has other layers than data and options; give the "
                     "--hidden and --code that it was trained with",
                     o->start);
    } else if (!same_preparation(&model->pre, pre)) {
        st =
            im_fail(err, IMSAT_EMISMATCH,
                    "%s: was trained on rows that were prepared in another way; give the same "
                    "data and preprocessing",
                    o->start);
    } else {
        *out = net;
        net = (im_net){0};
    }

cleanup:
    im_net_clear(&net);
    imsat_model_free(model);
    return st;
}
