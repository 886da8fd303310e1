/* SPDX-License-Identifier: MIT
 *
 * What the runs of a call say of some rows: share_ic, the part of them that has row i in
 * cluster c of the run that is kept. Its own vote is its probability p_c(x_i), those of the
 * other runs are for one cluster each. Names of clusters differ from run to run, so those of
 * another run are matched first to those of the one that is kept, one to one, such that as
 * many rows as possible have the same (core/assignment.h).
 */
#ifndef IM_MODEL_VOTES_H
#define IM_MODEL_VOTES_H

#include "data/preprocess.h"
#include "nn/net.h"

typedef struct im_votes {
    const imsat_data *data; /* all borrowed */
    const im_preprocess *pre;
    const im_net *net;     /* of the run that is kept */
    const int32_t *labels; /* (runs, rows of data) */
    size_t runs, kept, k;
} im_votes;

/* More clusters than these are not matched, since that takes time with k^3: the other runs
 * have no vote then. */
enum { IM_VOTES_CLUSTERS = 1024 };

/* share (count,k) of the rows at places (count), which are `prepared` (count,dim). */
imsat_status im_votes_count(float *share, const im_votes *votes, const size_t *places,
                            const float *prepared, size_t count, imsat_error *err);

/* What the runs agree on: agreed (rows) is the cluster, by the names of the run that is kept,
 * that at least four fifths of the runs have a row in; -1: there is none. Of votes, data,
 * labels, runs, kept and k are looked at; k is at most IM_VOTES_CLUSTERS. */
imsat_status im_votes_agree(int32_t *agreed, const im_votes *votes, imsat_error *err);

#endif
