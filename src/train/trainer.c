/* SPDX-License-Identifier: MIT
 * Memory of a training run; see trainer.h. */
#include "train/trainer.h"

#include "core/alloc.h"

static void lay_out_clusters(im_trainer *t, im_carver *c)
{
    const size_t size = t->opt->batch * t->opt->k;
    for (size_t r = 0; r < IM_MAX_BRANCHES; r++)
        t->p[r] = im_carve(c, size, sizeof(im_real));
    t->dp = im_carve(c, size, sizeof *t->dp);
    t->marginal = im_carve(c, t->opt->k, sizeof *t->marginal);
}

static void lay_out_bits(im_trainer *t, im_carver *c)
{
    const size_t size = t->opt->batch * t->opt->bits;
    for (size_t r = 0; r < IM_MAX_BRANCHES; r++)
        t->bit[r] = (im_bit_proba){im_carve(c, size, sizeof(im_real)),
                                   im_carve(c, size, sizeof(im_real))};
    t->bit_sum = im_carve(c, t->opt->bits, sizeof *t->bit_sum);
}

static size_t lay_out(im_trainer *t, void *base)
{
    const size_t batch = t->opt->batch, dim = t->data->dim;
    const size_t threads = (size_t)im_pool_threads(t->pool);
    const double *weight = im_methods[t->opt->method].weight;
    const bool from_raw = weight[IM_AUG_AFFINE] > 0 || weight[IM_AUG_OWN] > 0;
    im_carver c = {base, 0};
    t->rows = im_carve(&c, batch, sizeof *t->rows);
    if (from_raw) {
        t->raw = im_carve(&c, batch * dim, sizeof *t->raw);
        t->augmented = im_carve(&c, batch * dim, sizeof *t->augmented);
    }
    if (t->opt->task == IMSAT_TASK_HASH)
        lay_out_bits(t, &c);
    else
        lay_out_clusters(t, &c);
    t->strip = im_carve(&c, threads, sizeof *t->strip);
    for (size_t i = 0; i < threads; i++) {
        const im_strip strip = {im_carve(&c, IM_STRIP * dim, sizeof(float)),
                                im_carve(&c, dim, sizeof(double))};
        if (base)
            t->strip[i] = strip;
    }
    return c.used;
}

imsat_status im_trainer_new(im_trainer *out, const imsat_data *data, const im_preprocess *pre,
                            const imsat_options *resolved, const float *radius,
                            const double *prior, im_pool *pool, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const imsat_options *o = resolved;
    im_trainer *t = out;
    *t = (im_trainer){.data = data,
                      .pre = pre,
                      .opt = o,
                      .radius = radius,
                      .prior = prior,
                      .pool = pool,
                      .mu = o->mu};
    size_t branches = 1;
    for (im_augment kind = 0; kind < IM_AUGMENTS; kind++)
        if (im_methods[o->method].weight[kind] > 0)
            t->branch_kind[branches++] = kind;

    IM_TRY(im_net_new(&t->net, data->dim, o->hidden, o->hidden_count, im_options_outputs(o),
                      err));
    t->net.sigmoid = o->task == IMSAT_TASK_HASH;
    IM_TRY(im_adam_new(&t->adam, t->net.nparams, o->step_size, err));
    t->memory = im_alloc(lay_out(t, NULL), 1);
    if (!t->memory) {
        st = im_fail_memory(err, "the mini-batches; lower the batch size");
        goto cleanup;
    }
    lay_out(t, t->memory);
    const im_gemm_kernel *kernel = im_gemm_select(o->reference_kernels != 0);
    IM_TRY(im_tape_new(&t->tape, &t->net, pool, kernel, o->batch, branches, err));
    if (o->task == IMSAT_TASK_HASH)
        IM_TRY(im_bit_info_new(&t->bit_info, o->bits, o->batch, pool, kernel, err));

cleanup:
    if (st != IMSAT_OK)
        im_trainer_clear(t);
    return st;
}

void im_trainer_clear(im_trainer *t)
{
    im_bit_info_clear(&t->bit_info);
    im_tape_clear(&t->tape);
    im_free(t->memory);
    im_adam_clear(&t->adam);
    im_net_clear(&t->net);
    *t = (im_trainer){0};
}

void im_trainer_reset(im_trainer *t, uint64_t seed)
{
    t->seed = seed;
    t->mu = t->opt->mu_auto ? t->opt->lambda : t->opt->mu;
    im_net_init(&t->net, t->opt->init_hidden, t->opt->init_output, seed);
    memset(t->adam.m, 0, t->adam.n * sizeof *t->adam.m);
    memset(t->adam.v, 0, t->adam.n * sizeof *t->adam.v);
    t->adam.t = 0;
}
