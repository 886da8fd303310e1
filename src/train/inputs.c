/* SPDX-License-Identifier: MIT
 *
 * From rows of the data to columns of the network's input. Work is cut into strips of 16
 * rows: read, augmented and prepared one by one, then turned into columns together.
 */
#include "train/trainer.h"

#include "augment/affine.h"

#include <math.h>
#include <string.h>

typedef struct fill {
    im_trainer *t;
    size_t branch;
    im_rng rng;
    bool affine; /* warp raw to augmented first */
    bool clean;  /* read the data first */
} fill;

/* A row (dim) to its place in the batch. */
static void put_row(const im_tape *tape, size_t branch, size_t slot, const float *row)
{
    const size_t dim = tape->net->dim;
    im_real *to = im_tape_input_row(tape, branch, slot);
    for (size_t j = 0; j < dim; j += IM_GEMM_NR, to += im_gemm_panel(tape->n))
        for (size_t c = 0; c < IM_GEMM_NR && j + c < dim; c++)
            to[c] = row[j + c];
}

/* Row `slot` of the batch, before preprocessing. */
static const float *source_row(const fill *f, size_t slot, float *buffer)
{
    im_trainer *t = f->t;
    const size_t dim = t->data->dim;
    if (f->clean) {
        float *raw = t->raw ? t->raw + slot * dim : buffer;
        im_data_row(raw, t->data, t->rows[slot]);
        return raw;
    }
    if (f->affine)
        im_affine_apply(t->augmented + slot * dim, t->raw + slot * dim, t->data->image,
                        im_affine_draw(f->rng, (uint32_t)t->rows[slot]));
    return t->augmented + slot * dim;
}

static void fill_strip(void *context, size_t task, int thread)
{
    const fill *f = context;
    im_trainer *t = f->t;
    const size_t first = task * IM_STRIP;
    const size_t count = t->n - first < IM_STRIP ? t->n - first : IM_STRIP;
    im_strip *strip = &t->strip[thread];
    for (size_t i = first; i < first + count; i++) {
        if (f->clean && i + 1 < first + count)
            im_data_expect(t->data, t->rows[i + 1]);
        im_preprocess_row(strip->rows, source_row(f, i, strip->rows), t->pre, strip->work);
        put_row(&t->tape, f->branch, i, strip->rows);
    }
    im_tape_rows_to_columns(&t->tape, f->branch, first, count);
}

static void run_strips(fill *f)
{
    im_pool_run(f->t->pool, fill_strip, f, (f->t->n + IM_STRIP - 1) / IM_STRIP);
}

void im_inputs_clean(im_trainer *t)
{
    fill f = {.t = t, .clean = true};
    im_tape_set_rows(&t->tape, t->n);
    run_strips(&f);
}

static imsat_status call_own(im_trainer *t, im_rng rng, imsat_error *err)
{
    uint32_t word[4];
    im_rng_block(word, rng, (uint32_t)t->rows[0], 0);
    const size_t dim = t->data->dim;
    const uint64_t seed = (uint64_t)word[0] << 32 | word[1];
    if (t->opt->augment(t->opt->augment_user, t->augmented, t->raw, t->rows, t->n, dim, seed))
        return im_fail(err, IMSAT_ESTOPPED, "stopped by the augmentation function");
    for (size_t i = 0; i < t->n * dim; i++)
        if (!isfinite(t->augmented[i]))
            return im_fail(err, IMSAT_EINVAL,
                           "the augmentation of row %zu, column %zu is %g, and must be finite",
                           t->rows[i / dim], i % dim, (double)t->augmented[i]);
    return IMSAT_OK;
}

imsat_status im_inputs_augment(im_trainer *t, size_t branch, im_rng rng, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    fill f = {.t = t, .branch = branch, .rng = rng};
    f.affine = t->branch_kind[branch] == IM_AUG_AFFINE;
    if (!f.affine)
        IM_TRY(call_own(t, rng, err));
    run_strips(&f);

cleanup:
    return st;
}
