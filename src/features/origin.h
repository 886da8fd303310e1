/* SPDX-License-Identifier: MIT
 *
 * How rows were made of texts or pictures: what data remembers, and a model keeps, to do the
 * same with others. They are shared: data and models hold the same one.
 *
 * In a model's file it is, in the metadata, features.kind ("tfidf", "gist") and the options,
 * and of tf-idf two tensors: features.vocabulary, the words, each with a newline behind it,
 * and features.idf.
 */
#ifndef IM_FEATURES_ORIGIN_H
#define IM_FEATURES_ORIGIN_H

#include "data/dataset.h"
#include "data/safetensors.h"
#include "features/tfidf.h"

#include <stdatomic.h>

typedef enum im_origin_kind { IM_ORIGIN_TFIDF, IM_ORIGIN_GIST } im_origin_kind;

typedef struct im_origin {
    im_origin_kind kind;
    im_tfidf tfidf;   /* owned */
    char *vocabulary; /* (vocabulary_size) owned: the words as in a file */
    size_t vocabulary_size;
    imsat_image image; /* GIST: of what */
    bool color;        /* GIST */
    atomic_size_t holders;
} im_origin;

/* One of tf-idf, which is taken over on success, and one of GIST. They are held once. */
imsat_status im_origin_tfidf(im_origin **out, im_tfidf *tfidf, imsat_error *err);
imsat_status im_origin_gist(im_origin **out, imsat_image image, bool color, imsat_error *err);

/* One more holds it, or one less: the last one frees it. NULL may be dropped. */
im_origin *im_origin_hold(im_origin *origin);
void im_origin_drop(im_origin *origin);

/* The width of its rows. */
size_t im_origin_dim(const im_origin *origin);

/* Copy the labels of rows to what was made of them. */
imsat_status im_origin_labels(imsat_data *to, const imsat_data *from, imsat_error *err);

/* Its metadata, and its tensors, which point into it. */
imsat_status im_origin_record(im_safetensors *file, const im_origin *origin, imsat_error *err);
imsat_status im_origin_add(im_safetensors *file, const im_origin *origin, imsat_error *err);

/* That of a model's file, for rows of `dim` values; NULL if it has none. */
imsat_status im_origin_load(im_origin **out, const im_safetensors *file, const char *path,
                            size_t dim, imsat_error *err);

#endif
