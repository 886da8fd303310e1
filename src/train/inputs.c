/* SPDX-License-Identifier: MIT
 * See inputs.h. */
#include "train/inputs.h"

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

/* out (dim) = row `slot` of the batch, prepared. An augmented row comes of the row as float,
 * the clean one of the data as it is, which may be finer. */
static void prepare_row(const fill *f, size_t slot, float *out, double *work)
{
    im_trainer *t = f->t;
    const size_t dim = t->data->dim, row = t->batch.rows[slot];
    if (f->clean) {
        im_preprocess_read(out, t->data, row, t->pre, work);
        if (t->batch.raw)
            im_data_row(t->batch.raw + slot * dim, t->data, row);
        return;
    }
    float *augmented = t->batch.augmented + slot * dim;
    if (f->affine)
        im_affine_apply(augmented, t->batch.raw + slot * dim, t->data->image,
                        im_affine_draw(f->rng, (uint32_t)row, t->data->image, t->opt->warps));
    im_preprocess_row(out, augmented, t->pre, work);
}

static void fill_strip(void *context, size_t task, int thread)
{
    const fill *f = context;
    im_trainer *t = f->t;
    const size_t first = task * IM_STRIP;
    const size_t count = t->batch.n - first < IM_STRIP ? t->batch.n - first : IM_STRIP;
    im_strip *strip = &t->strip[thread];
    for (size_t i = first; i < first + count; i++) {
        if (f->clean && i + 1 < first + count)
            im_data_prefetch(t->data, t->batch.rows[i + 1]);
        prepare_row(f, i, strip->rows, strip->work);
        im_tape_put_row(&t->tape, f->branch, i, strip->rows);
    }
    im_tape_rows_to_columns(&t->tape, f->branch, first, count);
}

static void run_strips(fill *f)
{
    im_pool_run(f->t->pool, fill_strip, f, (f->t->batch.n + IM_STRIP - 1) / IM_STRIP);
}

/* A strip of sparse rows: what differs from the background. */
static void fill_sparse_strip(void *context, size_t task, int thread)
{
    im_trainer *t = context;
    const size_t first = task * IM_STRIP;
    const size_t count = t->batch.n - first < IM_STRIP ? t->batch.n - first : IM_STRIP;
    float *prepared = t->strip[thread].rows;
    for (size_t i = first; i < first + count; i++) {
        const im_csr_row raw = im_sparse_rows_raw(&t->sparse_rows, t->batch.rows[i]);
        int32_t *column = im_sparse_input_columns(&t->sparse, i);
        im_real *value = im_sparse_input_values(&t->sparse, i);
        if (i + 1 < first + count)
            im_data_prefetch(t->data, t->batch.rows[i + 1]);
        im_sparse_rows_prepared(prepared, &t->sparse_rows, t->batch.rows[i]);
        memcpy(column, raw.column, raw.count * sizeof *column);
        for (size_t e = 0; e < raw.count; e++)
            value[e] = t->background ? prepared[e] - t->background[column[e]] : prepared[e];
    }
}

static void fill_sparse(im_trainer *t)
{
    im_sparse_input_begin(&t->sparse);
    for (size_t i = 0; i < t->batch.n; i++)
        im_sparse_input_count(&t->sparse,
                              im_sparse_rows_raw(&t->sparse_rows, t->batch.rows[i]).count);
    im_pool_run(t->pool, fill_sparse_strip, t, (t->batch.n + IM_STRIP - 1) / IM_STRIP);
    im_sparse_input_end(&t->sparse);
}

/* T(x) starts from the filled rows, where there is one. */
void im_inputs_clean(im_trainer *t)
{
    fill f = {.t = t, .clean = true};
    im_tape_set_rows(&t->tape, t->batch.n);
    if (t->tape.sparse)
        fill_sparse(t);
    if (!t->tape.sparse || t->tape.branches > 1)
        run_strips(&f);
}

static imsat_status call_own(im_trainer *t, im_rng rng, imsat_error *err)
{
    uint32_t word[4];
    im_rng_block(word, rng, (uint32_t)t->batch.rows[0], 0);
    const size_t dim = t->data->dim;
    const uint64_t seed = (uint64_t)word[0] << 32 | word[1];
    if (t->opt->augment(t->opt->augment_user, t->batch.augmented, t->batch.raw, t->batch.rows,
                        t->batch.n, dim, seed))
        return im_fail(err, IMSAT_ESTOPPED, "stopped by the augmentation function");
    for (size_t i = 0; i < t->batch.n * dim; i++)
        if (!isfinite(t->batch.augmented[i]))
            return im_fail(err, IMSAT_EINVAL,
                           "the augmentation of row %zu, column %zu is %g, and must be finite",
                           t->batch.rows[i / dim], i % dim, (double)t->batch.augmented[i]);
    return IMSAT_OK;
}

void im_inputs_affine(im_trainer *t, size_t branch, im_rng rng)
{
    fill f = {.t = t, .branch = branch, .rng = rng, .affine = true};
    run_strips(&f);
}

imsat_status im_inputs_own(im_trainer *t, size_t branch, im_rng rng, imsat_error *err)
{
    fill f = {.t = t, .branch = branch, .rng = rng};
    const imsat_status st = call_own(t, rng, err);
    if (st == IMSAT_OK)
        run_strips(&f);
    return st;
}
