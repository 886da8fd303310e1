/* SPDX-License-Identifier: MIT
 *
 * The head of clusters: softmax over k outputs. Predictions are rows, p (n,k). The objective
 * (eq. 10 and 19 of the paper; RIM has weight decay in place of R_SAT):
 *
 *     R_SAT + decay + lambda H(Y|X) + mu max(KL[p(y) || q(y)] - delta, 0)
 *
 * What q, mu and delta are may change in a run: docs/theory.md, section 4, the even start.
 *
 * k is small beside the layers, so most of this runs on one thread: a value is one task, and
 * its gradient another.
 */
#include "train/trainer.h"

#include "core/elementary.h"
#include "nn/softmax.h"
#include "objective/mutual_info.h"
#include "objective/sat.h"
#include "objective/teaching.h"

#include <stdlib.h>

enum { TIGHTER = 5 };

static void lay_out(im_trainer *t, im_carver *c)
{
    const size_t k = t->net.outputs, size = t->batch.most * k;
    for (size_t r = 0; r < IM_MAX_BRANCHES; r++)
        t->clusters.p[r] = im_carve(c, size, sizeof(im_real));
    t->clusters.dp = im_carve(c, size, sizeof(im_real));
    t->clusters.marginal = im_carve(c, k, sizeof(double));
    t->clusters.prior = im_carve(c, k, sizeof(double));
    t->clusters.target = im_carve(c, k, sizeof(double));
    t->clusters.weight = im_carve(c, t->batch.most, sizeof(double));
}

static int larger_first(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x > y ? -1 : x < y;
}

static imsat_status open_sizes(im_trainer *t, imsat_error *err)
{
    const size_t k = t->net.outputs;
    (void)err;
    if (t->radius && t->opt->thin_weight > 1)
        t->weights = im_row_weights_of(t->radius, t->data->rows, t->opt->thin_weight);
    memcpy(t->clusters.prior, t->prior, k * sizeof *t->prior);
    qsort(t->clusters.prior, k, sizeof *t->clusters.prior, larger_first);
    return IMSAT_OK;
}

static void close_nothing(im_trainer *t)
{
    (void)t;
}

typedef struct pass {
    im_trainer *t;
    size_t branch;
    double weight, value;
    bool kl;              /* the marginal is beyond delta */
    const double *target; /* (k) what it is drawn to */
    const double *counts; /* (n) what rows count in it; NULL: all the same */
} pass;

/* ---- prediction ----------------------------------------------------------------------- */

static void softmax_strip(void *context, size_t task, int thread)
{
    (void)thread;
    const pass *s = context;
    const im_trainer *t = s->t;
    const size_t k = t->net.outputs, first = task * IM_STRIP, left = t->batch.n - first;
    im_softmax_forward(t->clusters.p[s->branch] + first * k,
                       im_head_logits(t, s->branch) + first, t->tape.ld,
                       left < IM_STRIP ? left : IM_STRIP, k);
}

static void predict(im_trainer *t, size_t branch)
{
    pass s = {.t = t, .branch = branch};
    im_pool_run(t->pool, softmax_strip, &s, (t->batch.n + IM_STRIP - 1) / IM_STRIP);
}

/* ---- R_SAT ---------------------------------------------------------------------------- */

static double sat(im_trainer *t, size_t branch)
{
    return im_sat_loss(t->clusters.p[0], t->clusters.p[branch], t->batch.n, t->net.outputs);
}

static void sat_grad(im_trainer *t, size_t branch, double weight)
{
    const size_t n = t->batch.n, k = t->net.outputs;
    const im_real *q = t->clusters.p[branch];
    im_sat_grad(t->clusters.dp, t->clusters.p[0], q, weight, n, k);
    im_softmax_backward(im_head_dz(t, branch), t->tape.ld, t->clusters.dp, q, n, k);
}

static void sat_task(void *context, size_t task, int thread)
{
    (void)thread;
    pass *s = context;
    if (task == 0)
        s->value = sat(s->t, s->branch);
    else
        sat_grad(s->t, s->branch, s->weight);
}

static double sat_both(im_trainer *t, size_t branch, double weight)
{
    pass s = {.t = t, .branch = branch, .weight = weight};
    im_pool_run(t->pool, sat_task, &s, 2);
    return s.value;
}

/* ---- information ----------------------------------------------------------------------- */

/* What the rows of the batch count in the marginal; NULL: all the same. */
static const double *weights_of(const im_trainer *t)
{
    if (t->sizes != IM_SIZES_EVEN || !(t->weights.power > 0))
        return NULL;
    for (size_t i = 0; i < t->batch.n; i++)
        t->clusters.weight[i] =
            im_row_weights_at(&t->weights, (double)t->radius[t->batch.rows[i]]);
    return t->clusters.weight;
}

/* What a marginal (k) is drawn to: equal sizes in the even start and while sizes are loose;
 * then the prior, whose entries are for the clusters as they are ordered, or, after such a
 * start, by size. */
static const double *target_of(const im_trainer *t, const double *marginal)
{
    const size_t k = t->net.outputs;
    double *target = t->clusters.target;
    if (!(t->opt->even_start > 0))
        return t->prior;
    if (t->sizes == IM_SIZES_ASKED)
        im_prior_kl_match(target, marginal, t->clusters.prior, k);
    for (size_t j = 0; t->sizes != IM_SIZES_ASKED && j < k; j++)
        target[j] = 1 / (double)k;
    return target;
}

/* KL[m || 1/k] = log k - H(m): loose is what has no less entropy than the prior, whichever
 * cluster is to be the large one. */
static double delta_of(const im_trainer *t)
{
    const size_t k = t->net.outputs;
    if (t->sizes == IM_SIZES_LOOSE)
        return im_elementary_log((double)k) - im_marg_entropy(t->prior, k);
    return t->sizes == IM_SIZES_EVEN ? 0 : t->opt->delta;
}

/* A prior that was given weighs more once the start is over: it is to be met, not only to be
 * near. With the same weight a merger of two small clusters stays, beside a share of a large
 * one (docs/results.md). */
static double mu_of(const im_trainer *t)
{
    const bool tightened =
        t->opt->prior && t->opt->even_start > 0 && t->sizes == IM_SIZES_ASKED;
    return tightened ? TIGHTER * t->mu : t->mu;
}

/* lambda H(Y|X) + mu max(KL - delta, 0) */
static void information_grad(const pass *s)
{
    const im_trainer *t = s->t;
    const size_t n = t->batch.n, k = t->net.outputs;
    const im_real *p = t->clusters.p[0];
    im_real *dp = t->clusters.dp;
    memset(dp, 0, n * k * sizeof *dp);
    im_cond_entropy_grad(dp, p, t->opt->lambda, n, k);
    if (s->kl)
        im_prior_kl_grad(dp, t->clusters.marginal, s->target, mu_of(t), s->counts, n, k);
    im_softmax_backward(im_head_dz(t, 0), t->tape.ld, dp, p, n, k);
}

/* Labels in place of the information terms. */
static void teaching_grad(const pass *s)
{
    const im_trainer *t = s->t;
    const size_t n = t->batch.n, k = t->net.outputs;
    const im_real *p = t->clusters.p[0];
    im_teaching_grad(t->clusters.dp, p, t->teacher, t->batch.rows, n, k);
    im_softmax_backward(im_head_dz(t, 0), t->tape.ld, t->clusters.dp, p, n, k);
}

static void entropy_task(void *context, size_t task, int thread)
{
    (void)thread;
    pass *s = context;
    if (task == 0)
        s->value = im_cond_entropy_loss(s->t->clusters.p[0], s->t->batch.n, s->t->net.outputs);
    else if (s->t->teacher)
        teaching_grad(s);
    else
        information_grad(s);
}

static void information(im_trainer *t, im_terms *terms)
{
    const size_t k = t->net.outputs;
    double *marginal = t->clusters.marginal;
    const double *counts = weights_of(t);
    im_marginal(marginal, t->clusters.p[0], counts, t->batch.n, k);
    const double *target = target_of(t, marginal);
    const double kl = im_prior_kl_loss(marginal, target, k);
    pass s = {.t = t, .kl = kl > delta_of(t), .target = target, .counts = counts};
    im_pool_run(t->pool, entropy_task, &s, 2);
    terms->teaching = t->teacher != NULL;
    if (t->teacher)
        terms->taught =
            im_teaching_loss(t->clusters.p[0], t->teacher, t->batch.rows, t->batch.n, k);
    terms->term[IMSAT_TERM_COND_ENTROPY] = s.value;
    terms->term[IMSAT_TERM_MARG_ENTROPY] = im_marg_entropy(marginal, k);
    terms->term[IMSAT_TERM_MARGINAL_KL] = kl;
}

static double objective(const im_trainer *t, const im_terms *terms)
{
    const double *term = terms->term;
    if (terms->teaching)
        return term[IMSAT_TERM_SAT] + term[IMSAT_TERM_DECAY] + terms->taught;
    const double excess = term[IMSAT_TERM_MARGINAL_KL] - delta_of(t);
    return term[IMSAT_TERM_SAT] + term[IMSAT_TERM_DECAY] +
           t->opt->lambda * term[IMSAT_TERM_COND_ENTROPY] +
           mu_of(t) * (excess > 0 ? excess : 0);
}

/* ---- all data -------------------------------------------------------------------------- */

static imsat_status totals_open(im_head_totals *totals, const im_trainer *t, imsat_error *err)
{
    totals->marginal = im_alloc(t->net.outputs, sizeof *totals->marginal);
    return totals->marginal ? IMSAT_OK : im_fail_memory(err, "the marginal");
}

static void totals_add(im_head_totals *totals, im_trainer *t)
{
    const size_t n = t->batch.n, k = t->net.outputs;
    double *marginal = t->clusters.marginal, sum = 0;
    const double *counts = weights_of(t);
    for (size_t i = 0; counts && i < n; i++)
        sum += counts[i];
    const double mass = counts ? sum : (double)n;
    totals->rows += (double)n;
    totals->mass += mass;
    totals->cond += (double)n * im_cond_entropy_loss(t->clusters.p[0], n, k);
    im_marginal(marginal, t->clusters.p[0], counts, n, k);
    for (size_t j = 0; j < k; j++)
        totals->marginal[j] += mass * marginal[j];
}

static void totals_terms(im_head_totals *totals, im_terms *terms, const im_trainer *t)
{
    const size_t k = t->net.outputs;
    for (size_t j = 0; j < k; j++)
        totals->marginal[j] /= totals->mass;
    terms->term[IMSAT_TERM_COND_ENTROPY] = totals->cond / totals->rows;
    terms->term[IMSAT_TERM_MARG_ENTROPY] = im_marg_entropy(totals->marginal, k);
    terms->term[IMSAT_TERM_MARGINAL_KL] =
        im_prior_kl_loss(totals->marginal, target_of(t, totals->marginal), k);
}

static void assign(im_assigned to, const im_trainer *t)
{
    const size_t k = t->net.outputs;
    for (size_t i = 0; to.labels && i < t->batch.n; i++)
        to.labels[t->batch.rows[i]] = im_softmax_label(t->clusters.p[0] + i * k, k);
}

const im_head im_head_clusters = {
    .sigmoid = false,
    .lay_out = lay_out,
    .open = open_sizes,
    .close = close_nothing,
    .predict = predict,
    .sat = sat,
    .sat_grad = sat_grad,
    .sat_both = sat_both,
    .information = information,
    .objective = objective,
    .totals_open = totals_open,
    .totals_add = totals_add,
    .totals_terms = totals_terms,
    .assign = assign,
};
