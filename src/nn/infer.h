/* SPDX-License-Identifier: MIT
 *
 * The network in inference: a block of rows runs through all layers on one thread, so that
 * threads share nothing but the weights.
 *
 *     hidden   a' = max((W a) scale + shift, 0)        batch normalization, folded
 *     last     p  = softmax(W a + bias), or sigmoid of each; read out before (readout.h)
 *
 * A row's probabilities depend on the row alone: products by gemm's contract, and the rest is
 * elementwise. They are the bits that im_tape_forward() with IM_BN_INFER and
 * im_softmax_forward() or im_sigmoid_forward() give.
 *
 * Why the scale is not multiplied into W: it would save one multiplication for the many of a
 * product, take the memory of the weights again, and round the weights, so that training
 * would judge a network that is not quite the one that predicts.
 */
#ifndef IM_NN_INFER_H
#define IM_NN_INFER_H

#include "core/gemm.h"
#include "nn/batchnorm.h"
#include "nn/net.h"
#include "nn/sparse_input.h"

/* Rows of a block: four panels. Weights are read once a block, and the packed input of a
 * layer of 1,200 units, 600 KiB, stays in an L2 of 1 MiB. Twice or half as many rows changed
 * the time of a 784-1200-1200-10 network by 0 and 2 % (Zen 4, AVX-512; bench/predict.c). */
enum { IM_INFER_ROWS = 4 * IM_GEMM_NR };

/* Buffers of one thread. */
typedef struct im_infer_buffers {
    im_real *packed[2]; /* a layer's input and its output, packed; (widest input, rows) */
    im_real *z;         /* (UNITS,rows) products before normalization */
    im_real *logits;    /* (outputs,rows) */
    im_real *p;         /* (rows,outputs) */
    double *sum;        /* (rows) of the readout */
    im_real *bad;       /* (rows): NaN where a row's products are not finite, else 0 */
    im_real *scratch;   /* of gemm */
} im_infer_buffers;

typedef struct im_infer {
    const im_net *net; /* borrowed; must not change */
    const im_gemm_kernel *kernel;
    size_t threads, rows;            /* that run blocks; rows of a block */
    im_bn_fold *fold[IM_MAX_LAYERS]; /* (out) of each hidden layer */
    im_infer_buffers *per_thread;    /* [threads] */
    im_real *first; /* owned: the first W as a factor of sparse rows, or NULL */
    void *memory;   /* what the arrays are carved from */
} im_infer;

/* Fold the normalization and take the memory, for `threads` threads and `rows` rows in all;
 * nothing else allocates. One row takes the memory of a panel, not of a block. */
imsat_status im_infer_new(im_infer *out, const im_net *net, const im_gemm_kernel *kernel,
                          size_t threads, size_t rows, imsat_error *err);
void im_infer_clear(im_infer *infer);

/* Panel `panel` of the thread's block: rows (count,dim), count at most IM_GEMM_NR. */
void im_infer_put(im_infer *infer, int thread, size_t panel, const im_real *rows,
                  size_t count);

/* The probabilities (n,outputs) of the n rows that were put, valid until the next run. */
const im_real *im_infer_run(im_infer *infer, int thread, size_t n);

/* Get ready for sparse rows, with what their zeros are in truth (dim), NULL: 0. It takes the
 * memory of the first layer's weights once more. */
imsat_status im_infer_take_sparse(im_infer *infer, const im_real *background,
                                  imsat_error *err);

/* The same of sparse rows, at most IM_INFER_ROWS. With a background, each has one more
 * element, 1 in column dim. They have the bits of the filled rows, or, with a background,
 * those of the training pass on sparse rows. */
const im_real *im_infer_run_sparse(im_infer *infer, int thread, const im_sparse *rows);

/* The first of the n rows of that run for which a layer has computed a number that is not
 * finite, so that its probabilities mean nothing; n if there is none. The probabilities alone
 * do not tell, because a ReLU makes 0 of NaN. */
size_t im_infer_overflow(const im_infer *infer, int thread, size_t n);

#endif
