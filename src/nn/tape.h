/* SPDX-License-Identifier: MIT
 *
 * Forward and backward passes over a mini-batch, and the memory they need.
 *
 * Values are units x batch: those of a unit over the batch lie together, so a block of units
 * goes through product, normalization, ReLU, weight gradient and Adam without touching any
 * other unit. Each block is one task of the pool, and no sum crosses blocks: how units are cut
 * into blocks, and the number of threads, cannot change a bit.
 *
 * What the next product reads is written in the form it is read in, while it is in the cache:
 * activations and the gradients dz as packed right-hand sides, and W^T, which the backward
 * passes need, as a packed left-hand side, by the clean pass, which has just read W.
 *
 * A step has branches: the clean batch is branch 0, each augmented batch T(x) another. VAT's
 * probe runs in the branch that its result will fill.
 */
#ifndef IM_NN_TAPE_H
#define IM_NN_TAPE_H

#include "core/gemm.h"
#include "core/threads.h"
#include "nn/adam.h"
#include "nn/batchnorm.h"
#include "nn/dropout.h"
#include "nn/net.h"
#include "nn/sgd.h"
#include "nn/sparse_input.h"

enum {
    IM_MAX_BRANCHES = 3,
    IM_UNIT_BLOCK = 2 * IM_GEMM_MR /* units that one task takes, at most */
};

typedef struct im_tape {
    const im_net *net;
    im_pool *pool; /* borrowed */
    size_t parts;  /* its threads */
    const im_gemm_kernel *kernel;
    size_t batch, branches;        /* most rows of a batch; branches */
    size_t n;                      /* rows of this batch */
    size_t width;                  /* columns of a branch: n, up to whole panels of gemm */
    size_t ld, dx_ld;              /* columns of all branches, and of one, padded */
    const im_sparse_input *sparse; /* borrowed: the clean batch, which then is not looked for
                                      in act[0] and turned[0]; NULL: it is there */
    /* Units x batch, packed, a branch after the other: */
    im_real *act[IM_MAX_LAYERS];       /* (in_l,n)  input of layer l; act[0] is the batch */
    im_real *dz_packed[IM_MAX_LAYERS]; /* (out_l,n) as dz */
    /* Units x batch, `ld` apart per unit and `width` per branch: */
    im_real *xhat[IM_MAX_LAYERS]; /* (out_l,ld) of hidden layers, or slopes where they are not
                                     normalized (nn/activation.h); logits of the last */
    im_real *dz[IM_MAX_LAYERS];   /* (out_l,ld) gradient before the normalization */
    im_real *inv[IM_MAX_LAYERS];  /* (branches,out_l) what im_batchnorm_forward() gave */
    im_real *dx;                  /* (dim,dx_ld) gradient of the input, of one branch */
    im_real *wt[IM_MAX_LAYERS];   /* (in_l,out_l) W^T, packed, as of the last clean pass; of
                                     the first layer only if there are branches, whose input
                                     may want a gradient */
    im_real *turned[IM_MAX_LAYERS];   /* (n,in_l) act transposed, packed, branch by branch */
    im_real **scratch;                /* [threads] IM_GEMM_SCRATCH each */
    im_real **row;                    /* [threads] (width) a unit of a packed array */
    im_real **dw;                     /* [threads] (IM_UNIT_BLOCK,widest in) for Adam */
    im_real *grad;                    /* (nparams) gradient, laid out as params */
    im_bn_mode mode[IM_MAX_BRANCHES]; /* of each branch's last forward pass */
    im_dropout dropout; /* of hidden layers that are not normalized; rng.branch: set to the
                           layer */
    void *memory;       /* the one block all this is carved from */
} im_tape;

/* Bytes that a tape takes, for a network that need not have memory. */
size_t im_tape_bytes(const im_net *net, im_pool *pool, size_t batch, size_t branches);

imsat_status im_tape_new(im_tape *out, const im_net *net, im_pool *pool,
                         const im_gemm_kernel *kernel, size_t batch, size_t branches,
                         imsat_error *err);
void im_tape_clear(im_tape *tape);

/* The next batch has n rows, at most `batch`. Before its inputs are filled. */
void im_tape_set_rows(im_tape *tape, size_t n);

/* Column 0 of a branch, of the arrays that are `ld` apart per unit. */
static inline im_real *im_tape_branch(const im_tape *tape, im_real *all, size_t branch)
{
    return all + branch * tape->width;
}

/* A branch of a packed array (units,n) of all branches. */
static inline im_real *im_tape_packed(const im_tape *tape, im_real *all, size_t units,
                                      size_t branch)
{
    return all + branch * tape->width * units;
}

/* The batch is kept in two forms: its rows are columns of act[0], which the products read, and
 * rows of turned[0], which dW does. Input 0 of a row in the first; input j is j * IM_GEMM_NR
 * further on. */
static inline im_real *im_tape_input(const im_tape *tape, size_t branch, size_t row)
{
    return im_tape_packed(tape, tape->act[0], tape->net->dim, branch) +
           row / IM_GEMM_NR * im_gemm_panel(tape->net->dim) + row % IM_GEMM_NR;
}

/* A row in the second form; the next row is IM_GEMM_NR further on, and the next IM_GEMM_NR
 * inputs are im_gemm_panel(n). */
static inline im_real *im_tape_input_row(const im_tape *tape, size_t branch, size_t row)
{
    return tape->turned[0] + branch * im_gemm_packed(tape->n, tape->net->dim) +
           row * IM_GEMM_NR;
}

/* A row (dim) to its place in the second form. */
void im_tape_put_row(const im_tape *tape, size_t branch, size_t row, const float *values);

/* One form from the other, of rows first .. first + count - 1, which lie in one panel. */
void im_tape_rows_to_columns(im_tape *tape, size_t branch, size_t first, size_t count);
void im_tape_columns_to_rows(im_tape *tape, size_t branch, size_t first, size_t count);

/* Run the branch from act[0] to the logits. Only IM_BN_TRAIN writes to net (its running
 * averages). The passes backward use W as it was when branch 0 last ran. */
void im_tape_forward(im_tape *tape, im_net *net, size_t branch, im_bn_mode mode);

/* The first `layers` hidden layers alone, from act[0] to act[layers]. */
void im_tape_forward_to(im_tape *tape, im_net *net, size_t branch, im_bn_mode mode,
                        size_t layers);

/* After branch 0 has run with IM_BN_INFER: is there a value that is not finite, before the
 * ReLU of a hidden layer or among the logits? Then its layer and its column, which is the row
 * of the batch. */
bool im_tape_overflow(size_t *layer, size_t *column, const im_tape *tape);

/* From dz of the last layer to dx, of a branch that is not the only one. The weights'
 * gradients are not computed. */
void im_tape_backward_input(im_tape *tape, size_t branch);

/* From dz of the last layer, of all branches, to grad; or, if adam is not NULL, to new
 * weights: a block of weights is updated as soon as its gradient is there, and of the gradient
 * only that of gains and biases is kept. decay: gradient of weight decay, added to that of all
 * parameters.
 */
void im_tape_backward(im_tape *tape, im_net *net, im_adam *adam, double decay);

/* The same to new weights by gradient descent. */
void im_tape_backward_sgd(im_tape *tape, im_net *net, const im_sgd *sgd);

#endif
