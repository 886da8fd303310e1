/* SPDX-License-Identifier: MIT
 *
 * What the network's outputs mean, and the terms of the objective that depend on it: softmax
 * over k clusters (predictions are rows, n x k), or a sigmoid for each of D bits (D x n, so
 * that bits can be shared out to threads). The rest of training does not know which.
 */
#include "train/trainer.h"

#include "core/alloc.h"
#include "imsat/search.h"
#include "nn/sigmoid.h"
#include "nn/softmax.h"
#include "objective/mutual_info.h"
#include "objective/sat.h"

/* Gradient of the branch's logits (outputs,ld). */
static im_real *branch_dz(const im_trainer *t, size_t branch)
{
    return im_tape_branch(&t->tape, t->tape.dz[t->net.layers - 1], branch);
}

/* ---- bits, a few at a time --------------------------------------------------------- */

enum { BIT_BLOCK = 4 };

typedef struct bit_pass {
    im_trainer *t;
    size_t branch;
    double scale;
} bit_pass;

/* One bit of a branch. */
static im_bit_proba bit_of(const im_trainer *t, size_t branch, size_t d)
{
    return (im_bit_proba){t->bit[branch].one + d * t->n, t->bit[branch].zero + d * t->n};
}

static size_t block_end(const im_trainer *t, size_t task)
{
    const size_t end = (task + 1) * BIT_BLOCK;
    return end < t->net.outputs ? end : t->net.outputs;
}

static void run_bits(im_trainer *t, im_task_fn run, size_t branch, double scale)
{
    bit_pass pass = {t, branch, scale};
    im_pool_run(t->pool, run, &pass, (t->net.outputs + BIT_BLOCK - 1) / BIT_BLOCK);
}

static void sigmoid_block(void *context, size_t task, int thread)
{
    (void)thread;
    const bit_pass *s = context;
    const im_trainer *t = s->t;
    const im_real *z = im_tape_branch(&t->tape, t->tape.xhat[t->net.layers - 1], s->branch);
    for (size_t d = task * BIT_BLOCK; d < block_end(t, task); d++) {
        const im_bit_proba p = bit_of(t, s->branch, d);
        im_sigmoid_forward(p.one, p.zero, z + d * t->tape.ld, t->n);
    }
}

static void sat_block(void *context, size_t task, int thread)
{
    (void)thread;
    const bit_pass *s = context;
    im_trainer *t = s->t;
    for (size_t d = task * BIT_BLOCK; d < block_end(t, task); d++)
        t->bit_sum[d] = im_bit_sat_sum(bit_of(t, 0, d), bit_of(t, s->branch, d), t->n);
}

static void sat_grad_block(void *context, size_t task, int thread)
{
    (void)thread;
    const bit_pass *s = context;
    const im_trainer *t = s->t;
    im_real *dz = branch_dz(t, s->branch);
    for (size_t d = task * BIT_BLOCK; d < block_end(t, task); d++)
        im_bit_sat_grad(dz + d * t->tape.ld, bit_of(t, 0, d), bit_of(t, s->branch, d),
                        s->scale, t->n);
}

static void sat_both_block(void *context, size_t task, int thread)
{
    sat_block(context, task, thread);
    sat_grad_block(context, task, thread);
}

static double sum_of_bits(const im_trainer *t)
{
    double sum = 0;
    for (size_t d = 0; d < t->net.outputs; d++)
        sum += t->bit_sum[d];
    return sum / (double)t->n;
}

/* ---- clusters: a value is a task, and its gradient another ----------------------------- */

typedef struct cluster_pass {
    im_trainer *t;
    size_t branch;
    double weight, value;
    bool kl; /* the marginal is beyond delta */
} cluster_pass;

static void softmax_strip(void *context, size_t task, int thread)
{
    (void)thread;
    const cluster_pass *s = context;
    const im_trainer *t = s->t;
    const size_t k = t->net.outputs, first = task * IM_STRIP, left = t->n - first;
    const im_real *z = im_tape_branch(&t->tape, t->tape.xhat[t->net.layers - 1], s->branch);
    im_softmax_forward(t->p[s->branch] + first * k, z + first, t->tape.ld,
                       left < IM_STRIP ? left : IM_STRIP, k);
}

static void cluster_sat_grad(const cluster_pass *s)
{
    const im_trainer *t = s->t;
    const size_t n = t->n, k = t->net.outputs;
    const im_real *q = t->p[s->branch];
    im_sat_grad(t->dp, t->p[0], q, s->weight, n, k);
    im_softmax_backward(branch_dz(t, s->branch), t->tape.ld, t->dp, q, n, k);
}

static void cluster_sat(void *context, size_t task, int thread)
{
    (void)thread;
    cluster_pass *s = context;
    if (task == 0)
        s->value = im_sat_loss(s->t->p[0], s->t->p[s->branch], s->t->n, s->t->net.outputs);
    else
        cluster_sat_grad(s);
}

/* lambda H(Y|X) + mu max(KL - delta, 0) */
static void cluster_information_grad(const cluster_pass *s)
{
    const im_trainer *t = s->t;
    const size_t n = t->n, k = t->net.outputs;
    const im_real *p = t->p[0];
    memset(t->dp, 0, n * k * sizeof *t->dp);
    im_cond_entropy_grad(t->dp, p, t->opt->lambda, n, k);
    if (s->kl)
        im_prior_kl_grad(t->dp, t->marginal, t->prior, t->mu, n, k);
    im_softmax_backward(branch_dz(t, 0), t->tape.ld, t->dp, p, n, k);
}

static void cluster_entropy(void *context, size_t task, int thread)
{
    (void)thread;
    cluster_pass *s = context;
    if (task == 0)
        s->value = im_cond_entropy_loss(s->t->p[0], s->t->n, s->t->net.outputs);
    else
        cluster_information_grad(s);
}

static void cluster_information(im_trainer *t, im_terms *terms)
{
    const size_t k = t->net.outputs;
    im_marginal(t->marginal, t->p[0], t->n, k);
    terms->marg_entropy = im_marg_entropy(t->marginal, k);
    terms->marginal_kl = im_prior_kl_loss(t->marginal, t->prior, k);
    cluster_pass s = {.t = t, .kl = terms->marginal_kl > t->opt->delta};
    im_pool_run(t->pool, cluster_entropy, &s, 2);
    terms->cond_entropy = s.value;
}

/* ---- either ------------------------------------------------------------------------- */

static bool hashes(const im_trainer *t)
{
    return t->opt->task == IMSAT_TASK_HASH;
}

void im_head_predict(im_trainer *t, size_t branch)
{
    cluster_pass s = {.t = t, .branch = branch};
    if (hashes(t))
        run_bits(t, sigmoid_block, branch, 0);
    else
        im_pool_run(t->pool, softmax_strip, &s, (t->n + IM_STRIP - 1) / IM_STRIP);
}

double im_head_sat(im_trainer *t, size_t branch)
{
    if (!hashes(t))
        return im_sat_loss(t->p[0], t->p[branch], t->n, t->net.outputs);
    run_bits(t, sat_block, branch, 0);
    return sum_of_bits(t);
}

void im_head_sat_grad(im_trainer *t, size_t branch, double weight)
{
    const cluster_pass s = {.t = t, .branch = branch, .weight = weight};
    if (hashes(t))
        run_bits(t, sat_grad_block, branch, weight / (double)t->n);
    else
        cluster_sat_grad(&s);
}

double im_head_sat_both(im_trainer *t, size_t branch, double weight)
{
    cluster_pass s = {.t = t, .branch = branch, .weight = weight};
    if (hashes(t)) {
        run_bits(t, sat_both_block, branch, weight / (double)t->n);
        return sum_of_bits(t);
    }
    im_pool_run(t->pool, cluster_sat, &s, 2);
    return s.value;
}

static void put_bit_terms(im_terms *terms, im_bit_terms bits)
{
    terms->cond_entropy = bits.cond_entropy;
    terms->marg_entropy = bits.marg_entropy;
    terms->pair_info = bits.pair_info;
}

/* lambda (sum_d H(Y_d|X) - sum_d H(Y_d) + sum_{d != e} I(Y_d;Y_e)) */
static void bit_information(im_trainer *t, im_terms *terms)
{
    im_bit_info_measure(&t->bit_info, t->bit[0], t->n);
    put_bit_terms(terms, im_bit_info_terms(&t->bit_info, t->n));
    im_bit_info_grad(&t->bit_info, branch_dz(t, 0), t->tape.ld, t->bit[0], t->opt->lambda,
                     t->n);
}

void im_head_information(im_trainer *t, im_terms *terms)
{
    if (hashes(t))
        bit_information(t, terms);
    else
        cluster_information(t, terms);
}

/* ---- the whole data ------------------------------------------------------------------ */

imsat_status im_head_totals_new(im_head_totals *out, const im_trainer *t, imsat_error *err)
{
    *out = (im_head_totals){0};
    if (hashes(t))
        return im_bit_totals_new(&out->bits, t->net.outputs, err);
    out->marginal = im_alloc(t->net.outputs, sizeof *out->marginal);
    return out->marginal ? IMSAT_OK : im_fail_memory(err, "the marginal");
}

void im_head_totals_clear(im_head_totals *totals)
{
    im_bit_totals_clear(&totals->bits);
    im_free(totals->marginal);
}

void im_head_totals_add(im_head_totals *totals, im_trainer *t)
{
    const size_t n = t->n, k = t->net.outputs;
    totals->rows += (double)n;
    if (hashes(t)) {
        im_bit_info_measure(&t->bit_info, t->bit[0], n);
        im_bit_totals_add(&totals->bits, &t->bit_info, n);
        return;
    }
    totals->cond += (double)n * im_cond_entropy_loss(t->p[0], n, k);
    im_marginal(t->marginal, t->p[0], n, k);
    for (size_t j = 0; j < k; j++)
        totals->marginal[j] += (double)n * t->marginal[j];
}

void im_head_totals_terms(im_head_totals *totals, im_terms *terms, const im_trainer *t)
{
    const size_t k = t->net.outputs;
    if (hashes(t)) {
        put_bit_terms(terms, im_bit_totals_terms(&totals->bits));
        return;
    }
    for (size_t j = 0; j < k; j++)
        totals->marginal[j] /= totals->rows;
    terms->cond_entropy = totals->cond / totals->rows;
    terms->marg_entropy = im_marg_entropy(totals->marginal, k);
    terms->marginal_kl = im_prior_kl_loss(totals->marginal, t->prior, k);
}

void im_head_assign(im_assigned to, const im_trainer *t)
{
    const size_t k = t->net.outputs, bytes = imsat_code_bytes(k);
    for (size_t i = 0; to.labels && i < t->n; i++)
        to.labels[t->rows[i]] = im_softmax_label(t->p[0] + i * k, k);
    for (size_t i = 0; to.codes && i < t->n; i++)
        im_code_pack(to.codes + t->rows[i] * bytes, t->bit[0].one + i, t->n, k);
}
