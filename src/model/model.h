/* SPDX-License-Identifier: MIT
 *
 * The trained encoder: network, preprocessing, and the record of how it came to be.
 */
#ifndef IM_MODEL_MODEL_H
#define IM_MODEL_MODEL_H

#include "core/pool_cache.h"
#include "data/preprocess.h"
#include "data/safetensors.h"
#include "data/schema.h"
#include "features/origin.h"
#include "model/reference.h"
#include "nn/net.h"
#include "train/history.h"

struct imsat_model {
    im_net net;
    im_preprocess pre;
    im_origin *origin; /* held: how the rows are made of texts or pictures; NULL: not at all */
    im_schema table;   /* of the tables it was trained on; empty: none */
    im_reference
        reference;         /* of the training data; empty: of codes, and in models of before */
    imsat_image image;     /* of the rows; all 0: not known to be images */
    double *prior;         /* (k) owned: what was given; NULL: equal shares, or codes, and in
                              models of before */
    im_history *history;   /* owned: of the training; NULL: it had no epochs, and as above */
    im_safetensors record; /* metadata only */
    im_pool_cache pools;   /* of predictions; the one thing that changes in a const model */
};

/* A model is const to those who predict, but for its idle pools (core/pool_cache.h). */
static inline im_pool_cache *im_model_pools(const imsat_model *model)
{
    return &((imsat_model *)(uintptr_t)model)->pools;
}

/* Everything predict needs to find its way in the metadata: shapes and preprocessing. */
imsat_status im_model_describe(imsat_model *model, imsat_error *err);

/* Refuse numbers that no model file may hold, with this status: the one rule for a model that
 * was trained, that is saved and that is loaded. path is for the message. */
imsat_status im_model_check(const imsat_model *model, const char *path, imsat_status status,
                            imsat_error *err);

#endif
