/* SPDX-License-Identifier: MIT
 * Memory, target and step; see dec.h. */
#include "baseline/dec.h"

#include "core/alloc.h"
#include "nn/softmax.h"
#include "nn/student.h"
#include "objective/target_kl.h"

#include <string.h>

static size_t lay_out(im_dec *dec, void *base)
{
    const imsat_options *o = dec->e.fit->opt;
    const size_t rows = dec->e.fit->data->rows, k = o->k;
    im_carver c = {base, 0};
    dec->labels = im_carve(&c, rows, sizeof *dec->labels);
    dec->target = im_carve(&c, rows * k, sizeof *dec->target);
    dec->assigned = im_carve(&c, rows * k, sizeof *dec->assigned);
    dec->p = im_carve(&c, o->batch * k, sizeof *dec->p);
    dec->q = im_carve(&c, o->batch * k, sizeof *dec->q);
    dec->sq = im_carve(&c, k * dec->e.tape.ld, sizeof *dec->sq);
    dec->dc = im_carve(&c, k * o->code, sizeof *dec->dc);
    dec->shares = im_carve(&c, k, sizeof *dec->shares);
    return c.used;
}

imsat_status im_dec_new(im_dec *dec, im_fit *fit, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const imsat_options *o = fit->opt;
    size_t all;
    *dec = (im_dec){0};
    IM_TRY(im_embedding_new(&dec->e, fit, err));
    IM_TRY(im_sgd_new(&dec->weights, dec->e.net.nparams, err));
    IM_TRY(im_sgd_new(&dec->centers, o->k * o->code, err));
    if (im_size_mul(&all, fit->data->rows, 2 * o->k * sizeof(im_real)))
        dec->memory = im_alloc(lay_out(dec, NULL), 1);
    if (!dec->memory) {
        st = im_fail_memory(err, "the assignments of all rows");
        goto cleanup;
    }
    lay_out(dec, dec->memory);
    dec->weights.rate = dec->centers.rate = IM_DEC_RATE;
    dec->weights.momentum = dec->centers.momentum = IM_DEC_MOMENTUM;

cleanup:
    if (st != IMSAT_OK)
        im_dec_clear(dec);
    return st;
}

void im_dec_clear(im_dec *dec)
{
    im_embedding_clear(&dec->e);
    im_sgd_clear(&dec->weights);
    im_sgd_clear(&dec->centers);
    im_free(dec->memory);
    *dec = (im_dec){0};
}

size_t im_dec_most_steps(const im_dec *dec)
{
    return dec->e.fit->opt->epochs * im_batch_steps(&dec->e.feed.batch);
}

bool im_dec_due(const im_dec *dec)
{
    return dec->step % dec->e.fit->opt->interval == 0;
}

/* q (n,k) of the codes that the tape has, whose squared distances stay in sq. */
static void assign(im_real *q, const im_dec *dec)
{
    const imsat_options *o = dec->e.fit->opt;
    const im_tape *tape = &dec->e.tape;
    im_student_sq_distances(dec->sq, tape->ld, tape->xhat[dec->e.net.layers - 1], tape->ld,
                            dec->e.centers, tape->n, o->code, o->k);
    im_student_rows(q, dec->sq, tape->ld, tape->n, o->k);
}

static imsat_status assign_all(im_dec *dec, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_tape *tape = &dec->e.tape;
    const size_t rows = dec->e.fit->data->rows;
    for (size_t first = 0; first < rows; first += tape->n) {
        im_feed_take(&dec->e.feed, tape, first);
        im_tape_forward(tape, &dec->e.net, 0, IM_BN_INFER);
        assign(dec->assigned + first * dec->e.fit->opt->k, dec);
        IM_TRY(im_stage_report(stage, (double)(first + tape->n) / (double)rows, err));
    }

cleanup:
    return st;
}

imsat_status im_dec_aim(im_dec *dec, size_t *changed, const im_stage *stage, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t rows = dec->e.fit->data->rows, k = dec->e.fit->opt->k;
    size_t count = 0;
    IM_TRY(assign_all(dec, stage, err));
    for (size_t i = 0; i < rows; i++) {
        const int32_t label = im_softmax_label(dec->assigned + i * k, k);
        count += dec->step == 0 || label != dec->labels[i];
        dec->labels[i] = label;
    }
    memcpy(dec->target, dec->assigned, rows * k * sizeof *dec->target);
    im_target_sharpen(dec->target, dec->shares, rows, k);
    dec->kl = im_target_kl(dec->target, dec->assigned, rows, k) / (double)rows;
    im_sgd_rest(&dec->weights);
    im_sgd_rest(&dec->centers);
    *changed = count;

cleanup:
    return st;
}

/* From the codes of the batch to the gradients of L, dz in the tape and dc. Returns L. */
static double compare(im_dec *dec)
{
    const imsat_options *o = dec->e.fit->opt;
    im_tape *tape = &dec->e.tape;
    const size_t last = dec->e.net.layers - 1, k = o->k;
    for (size_t i = 0; i < tape->n; i++)
        memcpy(dec->p + i * k, dec->target + dec->e.feed.batch.rows[i] * k,
               k * sizeof *dec->p);
    assign(dec->q, dec);
    const im_target_codes codes = {.z = tape->xhat[last],
                                   .ldz = tape->ld,
                                   .centers = dec->e.centers,
                                   .sq = dec->sq,
                                   .p = dec->p,
                                   .q = dec->q,
                                   .n = tape->n,
                                   .m = o->code,
                                   .k = k};
    im_target_kl_grad(tape->dz[last], tape->ld, dec->dc, &codes);
    return im_target_kl(dec->p, dec->q, tape->n, k) / (double)tape->n;
}

double im_dec_step(im_dec *dec, bool apply)
{
    im_tape *tape = &dec->e.tape;
    im_feed_draw(&dec->e.feed, tape, dec->e.fit->seed, dec->step);
    im_tape_forward(tape, &dec->e.net, 0, IM_BN_INFER);
    const double kl = compare(dec);
    if (!apply) {
        im_tape_backward(tape, &dec->e.net, NULL, 0);
        return kl;
    }
    im_tape_backward_sgd(tape, &dec->e.net, &dec->weights);
    im_sgd_update(&dec->centers, dec->e.centers, dec->dc, 0, dec->centers.n);
    dec->step++;
    return kl;
}
