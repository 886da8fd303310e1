/* SPDX-License-Identifier: MIT
 *
 * The codes of all rows by an encoder, and centers among them: what dae-kmeans ends with and
 * dec begins with. The network that either leaves is the encoder and, as a last layer, the
 * centers (nn/student.h).
 */
#ifndef IM_BASELINE_EMBEDDING_H
#define IM_BASELINE_EMBEDDING_H

#include "baseline/feed.h"

typedef struct im_embedding {
    im_fit *fit; /* borrowed */
    im_net net;  /* a copy of the encoder that the runs share */
    im_tape tape;
    im_feed feed;
    float *codes;      /* (n,m) owned */
    im_real *centers;  /* (k,m) owned */
    double inertia;    /* of the centers, when they were found */
    size_t iterations; /* of k-means */
} im_embedding;

/* Of the encoder fit->shared, which is there. Made in place; may not be moved. */
imsat_status im_embedding_new(im_embedding *out, im_fit *fit, imsat_error *err);
void im_embedding_clear(im_embedding *embedding);

/* The codes of all rows, by the network as it is. */
imsat_status im_embedding_encode(im_embedding *embedding, const im_stage *stage,
                                 imsat_error *err);

/* Centers of the codes by k-means. Stopping is IMSAT_ESTOPPED, with the checkpoint saved. */
imsat_status im_embedding_find_centers(im_embedding *embedding, imsat_error *err);

/* fit->net = the encoder, then the centers. */
imsat_status im_embedding_leave(const im_embedding *embedding, imsat_error *err);

#endif
