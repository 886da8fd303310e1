/* SPDX-License-Identifier: MIT
 * Memory of a training run; see trainer.h. */
#include "train/trainer.h"

#include "core/alloc.h"

static size_t lay_out(im_trainer *t, void *base)
{
    const size_t dim = t->data->dim, threads = (size_t)im_pool_threads(t->pool);
    const double *weight = t->recipe->weight;
    const bool from_raw = weight[IM_AUG_AFFINE] > 0 || weight[IM_AUG_OWN] > 0;
    im_carver c = {base, 0};
    im_batch_lay_out(&t->batch, &c, from_raw ? dim : 0);
    t->head->lay_out(t, &c);
    t->running_before = im_carve(&c, t->net.nrunning, sizeof *t->running_before);
    if (t->sparse_rows.background)
        t->background = im_carve(&c, dim, sizeof *t->background);
    t->strip = im_carve(&c, threads, sizeof *t->strip);
    for (size_t i = 0; i < threads; i++) {
        const im_strip strip = {im_carve(&c, IM_STRIP * dim, sizeof(float)),
                                im_carve(&c, dim, sizeof(double))};
        if (base)
            t->strip[i] = strip;
    }
    return c.used;
}

/* The augmentations that the method weighs, a branch each; returns how many branches there
 * are with the clean one. */
static size_t choose_branches(im_trainer *t)
{
    size_t branches = 1;
    for (im_augment kind = 0; kind < IM_AUGMENTS; kind++)
        if (t->recipe->weight[kind] > 0)
            t->branch_kind[branches++] = kind;
    return branches;
}

/* What it borrows, and the shapes that follow from the options. */
static im_trainer describe(const im_fit *fit)
{
    const imsat_options *o = fit->opt;
    return (im_trainer){
        .data = fit->data,
        .pre = fit->pre,
        .opt = o,
        .recipe = fit->method->recipe,
        .radius = fit->radius,
        .prior = fit->prior,
        .teacher = fit->teacher,
        .pool = fit->pool,
        .head = o->task == IMSAT_TASK_HASH ? &im_head_bits : &im_head_clusters,
        .batch = {.total = fit->data->rows,
                  .most = o->batch,
                  .fresh = o->fresh_batches != 0,
                  .pool = fit->pool},
    };
}

/* Batches of sparse rows, if the data and its preparation allow it. */
static imsat_status open_sparse(im_trainer *t, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_sparse_rows *rows = &t->sparse_rows;
    if (!rows->data)
        return IMSAT_OK;
    for (size_t j = 0; rows->background && j < t->data->dim; j++)
        t->background[j] = rows->background[j];
    IM_TRY(im_sparse_input_new(&t->sparse, t->data->dim, t->batch.most, rows->longest,
                               t->background, (size_t)im_pool_threads(t->pool), err));
    t->tape.sparse = &t->sparse;

cleanup:
    return st;
}

/* Arrays of as many numbers as there are weights: those, and Adam's two moments; and beside
 * the trainer the best network of the runs before, or what a race holds of every seed. */
static size_t arrays_of(const imsat_options *o)
{
    if (o->race && !o->checkpoint)
        return 3 * (1 + o->runs);
    return o->runs > 1 ? 4 : 3;
}

imsat_status im_trainer_afford(const im_fit *fit, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const imsat_options *o = fit->opt;
    im_trainer t = describe(fit);
    const size_t branches = choose_branches(&t);
    IM_TRY(im_net_shape(&t.net, fit->data->dim, o->hidden, o->hidden_count, im_fit_outputs(o),
                        err));
    const size_t bytes = arrays_of(o) * t.net.nparams * sizeof(im_real) + lay_out(&t, NULL) +
                         im_tape_bytes(&t.net, fit->pool, o->batch, branches);
    if (!im_alloc_affords(bytes))
        st = im_fail_memory(err, "training (--hidden and --batch make it large)");

cleanup:
    return st;
}

imsat_status im_trainer_new(im_trainer *t, const im_fit *fit, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const imsat_options *o = fit->opt;
    *t = describe(fit);
    const size_t branches = choose_branches(t);
    IM_TRY(im_net_new(&t->net, fit->data->dim, o->hidden, o->hidden_count, im_fit_outputs(o),
                      err));
    t->net.sigmoid = t->head->sigmoid;
    IM_TRY(im_adam_new(&t->adam, t->net.nparams, o->step_size, err));
    if (im_sparse_rows_fit(t->data, t->pre))
        IM_TRY(im_sparse_rows_new(&t->sparse_rows, t->data, t->pre, err));
    t->memory = im_alloc(lay_out(t, NULL), 1);
    if (!t->memory) {
        st = im_fail_memory(err, "the mini-batches; lower the batch size");
        goto cleanup;
    }
    lay_out(t, t->memory);
    IM_TRY(im_tape_new(&t->tape, &t->net, fit->pool, im_gemm_select(o->reference_kernels != 0),
                       o->batch, branches, err));
    IM_TRY(open_sparse(t, err));
    IM_TRY(t->head->open(t, err));

cleanup:
    if (st != IMSAT_OK)
        im_trainer_clear(t);
    return st;
}

void im_trainer_clear(im_trainer *t)
{
    if (t->head)
        t->head->close(t);
    im_tape_clear(&t->tape);
    im_sparse_input_clear(&t->sparse);
    im_sparse_rows_clear(&t->sparse_rows);
    im_free(t->memory);
    im_adam_clear(&t->adam);
    im_net_clear(&t->net);
    *t = (im_trainer){0};
}

void im_trainer_reset(im_trainer *t, uint64_t seed)
{
    t->seed = seed;
    t->mu = im_options_number_open(t->opt->mu) ? t->opt->lambda : t->opt->mu;
    im_net_init(&t->net, t->opt->init_hidden, t->opt->init_output, seed);
    memset(t->adam.m, 0, t->adam.n * sizeof *t->adam.m);
    memset(t->adam.v, 0, t->adam.n * sizeof *t->adam.v);
    t->adam.t = 0;
}

void im_trainer_predict(im_trainer *t, size_t branch, im_bn_mode mode)
{
    im_tape_forward(&t->tape, &t->net, branch, mode);
    t->head->predict(t, branch);
}
