/* SPDX-License-Identifier: MIT
 *
 * The graph of nearest neighbors: rows i and j are joined by an edge of weight 1 if each is
 * among the t nearest of the other, and of 1/2 if one is. Its eigenvectors are those of
 *
 *     M = D^-1/2 W D^-1/2          D the diagonal of the degrees, the sums of the rows of W
 *
 * whose largest value is 1, once for every part that hangs together: I - M is the symmetric
 * normalized Laplacian. Neighbors are exact: by distances in double of the prepared rows, of
 * equally near ones the first.
 */
#ifndef IM_NEIGHBORS_GRAPH_H
#define IM_NEIGHBORS_GRAPH_H

#include "linear/frame.h"

typedef struct im_graph {
    size_t n;
    size_t *start; /* (n + 1) owned: where the edges of each row begin */
    uint32_t *to;  /* (edges, each twice) owned: the other row, ascending for each */
    float *weight; /* (the same) owned: 1 or 1/2 */
    double *root;  /* (n) owned: the root of the degree */
} im_graph;

/* t >= 1 neighbors, at most n - 1; n >= 2. stage, here and below: may be NULL. */
imsat_status im_graph_new(im_graph *out, const im_frame *frame, size_t t, im_pool *pool,
                          const im_stage *stage, imsat_error *err);
void im_graph_clear(im_graph *graph);

/* vectors (count,n), a row each: the eigenvectors of M of the largest values (count), divided
 * by the roots of the degrees: the embedding of the rows. To a residual of 1e-7. Both are the
 * caller's to free by im_free(). */
imsat_status im_graph_embed(double **vectors, double **values, const im_graph *graph,
                            size_t count, im_pool *pool, const im_stage *stage,
                            imsat_error *err);

/* The normalized cut of labels (n), 0 to k - 1: the sum over clusters of the share of their
 * edges' weight that leads out of them. */
imsat_status im_graph_cut(double *out, const im_graph *graph, const int32_t *labels, size_t k,
                          imsat_error *err);

#endif
