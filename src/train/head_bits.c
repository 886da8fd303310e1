/* SPDX-License-Identifier: MIT
 *
 * The head of bits: a sigmoid for each of D outputs. Predictions are p (D,n), so that bits can
 * be shared out to threads, a few at a time. The objective (eq. 14 of the paper; RIM has
 * weight decay in place of R_SAT):
 *
 *     R_SAT + decay - lambda (sum_d I(X;Y_d) - sum_{d != e} I(Y_d;Y_e))
 *
 * with I(X;Y_d) = H(Y_d) - H(Y_d|X).
 */
#include "train/trainer.h"

#include "imsat/search.h"
#include "nn/sigmoid.h"

enum { BITS_A_TASK = 4 };

static void lay_out(im_trainer *t, im_carver *c)
{
    const size_t bits = t->net.outputs, size = t->batch.most * bits;
    for (size_t r = 0; r < IM_MAX_BRANCHES; r++)
        t->bits.p[r] = (im_bit_proba){im_carve(c, size, sizeof(im_real)),
                                      im_carve(c, size, sizeof(im_real))};
    t->bits.sum = im_carve(c, bits, sizeof *t->bits.sum);
}

static imsat_status open_info(im_trainer *t, imsat_error *err)
{
    return im_bit_info_new(&t->bits.info, t->net.outputs, t->batch.most, t->pool,
                           t->tape.kernel, err);
}

static void close_info(im_trainer *t)
{
    im_bit_info_clear(&t->bits.info);
}

/* ---- a few bits at a time -------------------------------------------------------------- */

typedef struct pass {
    im_trainer *t;
    size_t branch;
    double scale;
} pass;

/* One bit of a branch. */
static im_bit_proba bit_of(const im_trainer *t, size_t branch, size_t d)
{
    const im_bit_proba p = t->bits.p[branch];
    return (im_bit_proba){p.one + d * t->batch.n, p.zero + d * t->batch.n};
}

static size_t task_end(const im_trainer *t, size_t task)
{
    const size_t end = (task + 1) * BITS_A_TASK;
    return end < t->net.outputs ? end : t->net.outputs;
}

static void run_bits(im_trainer *t, im_task_fn run, size_t branch, double scale)
{
    pass s = {t, branch, scale};
    im_pool_run(t->pool, run, &s, (t->net.outputs + BITS_A_TASK - 1) / BITS_A_TASK);
}

static void sigmoid_task(void *context, size_t task, int thread)
{
    (void)thread;
    const pass *s = context;
    const im_trainer *t = s->t;
    const im_real *z = im_head_logits(t, s->branch);
    for (size_t d = task * BITS_A_TASK; d < task_end(t, task); d++) {
        const im_bit_proba p = bit_of(t, s->branch, d);
        im_sigmoid_forward(p.one, p.zero, z + d * t->tape.ld, t->batch.n);
    }
}

static void predict(im_trainer *t, size_t branch)
{
    run_bits(t, sigmoid_task, branch, 0);
}

/* ---- R_SAT ---------------------------------------------------------------------------- */

static void sat_task(void *context, size_t task, int thread)
{
    (void)thread;
    const pass *s = context;
    im_trainer *t = s->t;
    for (size_t d = task * BITS_A_TASK; d < task_end(t, task); d++)
        t->bits.sum[d] = im_bit_sat_sum(bit_of(t, 0, d), bit_of(t, s->branch, d), t->batch.n);
}

static void sat_grad_task(void *context, size_t task, int thread)
{
    (void)thread;
    const pass *s = context;
    const im_trainer *t = s->t;
    im_real *dz = im_head_dz(t, s->branch);
    for (size_t d = task * BITS_A_TASK; d < task_end(t, task); d++)
        im_bit_sat_grad(dz + d * t->tape.ld, bit_of(t, 0, d), bit_of(t, s->branch, d),
                        s->scale, t->batch.n);
}

static void sat_both_task(void *context, size_t task, int thread)
{
    sat_task(context, task, thread);
    sat_grad_task(context, task, thread);
}

static double mean_of_sums(const im_trainer *t)
{
    double sum = 0;
    for (size_t d = 0; d < t->net.outputs; d++)
        sum += t->bits.sum[d];
    return sum / (double)t->batch.n;
}

static double sat(im_trainer *t, size_t branch)
{
    run_bits(t, sat_task, branch, 0);
    return mean_of_sums(t);
}

static void sat_grad(im_trainer *t, size_t branch, double weight)
{
    run_bits(t, sat_grad_task, branch, weight / (double)t->batch.n);
}

static double sat_both(im_trainer *t, size_t branch, double weight)
{
    run_bits(t, sat_both_task, branch, weight / (double)t->batch.n);
    return mean_of_sums(t);
}

/* ---- information ----------------------------------------------------------------------- */

static void put_terms(im_terms *terms, im_bit_terms bits)
{
    terms->term[IMSAT_TERM_COND_ENTROPY] = bits.cond_entropy;
    terms->term[IMSAT_TERM_MARG_ENTROPY] = bits.marg_entropy;
    terms->term[IMSAT_TERM_PAIR_INFO] = bits.pair_info;
}

/* lambda (sum_d H(Y_d|X) - sum_d H(Y_d) + sum_{d != e} I(Y_d;Y_e)) */
static void information(im_trainer *t, im_terms *terms)
{
    im_bit_info *info = &t->bits.info;
    im_bit_info_measure(info, t->bits.p[0], t->batch.n);
    put_terms(terms, im_bit_info_terms(info, t->batch.n));
    im_bit_info_grad(info, im_head_dz(t, 0), t->tape.ld, t->bits.p[0], t->opt->lambda,
                     t->batch.n);
}

static double objective(const im_trainer *t, const im_terms *terms)
{
    const double *term = terms->term;
    return term[IMSAT_TERM_SAT] + term[IMSAT_TERM_DECAY] +
           t->opt->lambda * (term[IMSAT_TERM_COND_ENTROPY] - term[IMSAT_TERM_MARG_ENTROPY] +
                             term[IMSAT_TERM_PAIR_INFO]);
}

/* ---- all data -------------------------------------------------------------------------- */

static imsat_status totals_open(im_head_totals *totals, const im_trainer *t, imsat_error *err)
{
    return im_bit_totals_new(&totals->bits, t->net.outputs, err);
}

static void totals_add(im_head_totals *totals, im_trainer *t)
{
    totals->rows += (double)t->batch.n;
    im_bit_info_measure(&t->bits.info, t->bits.p[0], t->batch.n);
    im_bit_totals_add(&totals->bits, &t->bits.info, t->batch.n);
}

static void totals_terms(im_head_totals *totals, im_terms *terms, const im_trainer *t)
{
    (void)t;
    put_terms(terms, im_bit_totals_terms(&totals->bits));
}

static void assign(im_assigned to, const im_trainer *t)
{
    const size_t bits = t->net.outputs, bytes = imsat_code_bytes(bits), n = t->batch.n;
    for (size_t i = 0; to.codes && i < n; i++)
        im_sigmoid_pack(to.codes + t->batch.rows[i] * bytes, t->bits.p[0].one + i, n, bits);
}

const im_head im_head_bits = {
    .sigmoid = true,
    .lay_out = lay_out,
    .open = open_info,
    .close = close_info,
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
