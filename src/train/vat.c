/* SPDX-License-Identifier: MIT
 * See vat.h. */
#include "train/vat.h"

typedef struct perturbation {
    im_trainer *t;
    size_t branch;
    im_rng rng;
    double factor;  /* length of r is factor, */
    bool by_radius; /* times sigma_t(x) */
    bool along;     /* along the gradient in tape.dx, else random */
} perturbation;

static void perturb_columns(const perturbation *v, size_t first, size_t count,
                            const double *length)
{
    im_tape *tape = &v->t->tape;
    im_perturb_along(im_tape_input(tape, v->branch, first), im_tape_input(tape, 0, first),
                     IM_GEMM_NR, tape->dx + first, tape->dx_ld, length, count, tape->net->dim);
    im_tape_columns_to_rows(tape, v->branch, first, count);
}

static void perturb_rows(const perturbation *v, size_t first, size_t count,
                         const double *length, const uint32_t *item, float *scratch)
{
    im_tape *tape = &v->t->tape;
    const size_t dim = tape->net->dim, panel = im_gemm_panel(tape->n);
    const float *fixed = v->t->fixed_directions;
    const im_real *x = im_tape_input_row(tape, 0, first);
    im_real *out = im_tape_input_row(tape, v->branch, first);
    if (fixed)
        im_perturb_given(out, x, panel, fixed + first * dim, length, count, dim);
    else
        im_perturb_random(out, x, panel, length, item, count, dim, v->rng, scratch);
    im_tape_rows_to_columns(tape, v->branch, first, count);
}

static void perturb_strip(void *context, size_t task, int thread)
{
    const perturbation *v = context;
    im_trainer *t = v->t;
    const size_t first = task * IM_STRIP;
    const size_t count = t->batch.n - first < IM_STRIP ? t->batch.n - first : IM_STRIP;
    double length[IM_STRIP];
    uint32_t item[IM_STRIP];
    for (size_t i = 0; i < count; i++) {
        const size_t row = t->batch.rows[first + i];
        length[i] = v->factor * (v->by_radius ? (double)t->radius[row] : 1);
        item[i] = (uint32_t)row;
    }
    if (v->along)
        perturb_columns(v, first, count, length);
    else
        perturb_rows(v, first, count, length, item, t->strip[thread].rows);
}

static void run_strips(perturbation *v)
{
    im_pool_run(v->t->pool, perturb_strip, v, (v->t->batch.n + IM_STRIP - 1) / IM_STRIP);
}

void im_vat_perturb_random(im_trainer *t, size_t branch, im_rng rng)
{
    perturbation r = {t, branch, rng, t->opt->alpha, true, false};
    run_strips(&r);
}

/* The gradient of KL(p(x) || p(probe)) to the probe, into tape.dx. */
static void probe_gradient(im_trainer *t, size_t branch, im_bn_mode mode)
{
    im_trainer_predict(t, branch, mode);
    t->head->sat_grad(t, branch, 1);
    im_tape_backward_input(&t->tape, branch);
}

imsat_status im_vat_perturb(im_trainer *t, size_t branch, im_bn_mode mode, im_rng rng,
                            const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_stage whole = im_stage_part(stage, 0, 1);
    const size_t rounds = t->opt->power;
    perturbation probe = {t, branch, rng, t->opt->xi, t->opt->xi_relative != 0, false};
    for (size_t i = 0; i < rounds; i++) {
        if (i > 0)
            IM_TRY(im_stage_report(&whole, (double)i / (double)rounds, err));
        run_strips(&probe);
        probe_gradient(t, branch, mode);
        probe.along = true;
    }
    perturbation r = {t, branch, rng, t->opt->alpha, true, true};
    run_strips(&r);

cleanup:
    return st;
}
