/* SPDX-License-Identifier: MIT
 * See diverge.h. */
#include "train/diverge.h"

#include <math.h>
#include <stdio.h>

enum { ROOM = 240 };

static imsat_status refuse(const im_trainer *t, const char *what, imsat_error *err)
{
    char or_else[64];
    snprintf(or_else, sizeof or_else, "lower --step-size (%g)", t->opt->step_size);
    return im_preprocess_refuse(what, t->data, t->pre, or_else, err);
}

/* Refuse because of `what`, which is said of the step that was the last one. */
static imsat_status refuse_step(const im_position *at, size_t run, const char *what,
                                imsat_error *err)
{
    char text[ROOM];
    const im_trainer *t = at->trainer;
    const bool between = at->step == 0 && at->epoch > 0;
    snprintf(text, sizeof text, "training diverged in run %zu, epoch %zu, step %zu: %s",
             run + 1, between ? at->epoch : at->epoch + 1,
             between ? im_batch_steps(&t->batch) : at->step, what);
    return refuse(t, text, err);
}

static void describe_fault(char what[ROOM / 2], const im_net_fault *fault)
{
    snprintf(what, ROOM / 2, "element %zu of %s is %g", fault->element, fault->tensor,
             fault->value);
}

imsat_status im_diverge_check_step(const im_position *at, size_t run, const im_terms *terms,
                                   imsat_error *err)
{
    char what[ROOM / 2];
    im_net_fault fault;
    if (im_net_find_running_fault(&fault, &at->trainer->net))
        describe_fault(what, &fault);
    else if (!isfinite(terms->objective))
        snprintf(what, sizeof what, "the objective is %g", terms->objective);
    else
        return IMSAT_OK;
    return refuse_step(at, run, what, err);
}

/* A moment that is not finite, if there is one. */
static bool find_moment(char what[ROOM / 2], const im_trainer *t)
{
    const im_real *moments[2] = {t->adam.m, t->adam.v};
    for (size_t i = 0; i < 2; i++) {
        const size_t at = im_net_nonfinite(moments[i], t->net.nparams);
        if (at == t->net.nparams)
            continue;
        snprintf(what, ROOM / 2, "Adam's %s moment of a parameter of layer %zu is %g",
                 i ? "second" : "first", im_net_layer_of(&t->net, at), (double)moments[i][at]);
        return true;
    }
    return false;
}

imsat_status im_diverge_check_state(const im_position *at, size_t run, imsat_error *err)
{
    char what[ROOM / 2];
    im_net_fault fault;
    if (im_net_find_fault(&fault, &at->trainer->net))
        describe_fault(what, &fault);
    else if (!find_moment(what, at->trainer))
        return IMSAT_OK;
    return refuse_step(at, run, what, err);
}

imsat_status im_diverge_check_rows(const im_trainer *t, imsat_error *err)
{
    char text[ROOM];
    size_t layer, row;
    if (!im_tape_overflow(&layer, &row, &t->tape))
        return IMSAT_OK;
    snprintf(text, sizeof text,
             "the trained network has no prediction for row %zu (from 0): what its layer %zu "
             "(from 0) computes is beyond the range of float",
             t->batch.rows[row], layer);
    return refuse(t, text, err);
}
