/* SPDX-License-Identifier: MIT
 *
 * Recipes: from the files of a data set to its rows, as appendix E of the paper says. Which
 * set is made of which files by which recipe is the table in sets.c. */
#ifndef IM_SETS_RECIPE_H
#define IM_SETS_RECIPE_H

#include "core/status.h"

/* What a recipe is given: files that are there. */
typedef struct im_recipe {
    const char *const *data; /* (ndata) of rows, texts or pictures */
    size_t ndata;
    const char *const *labels; /* (nlabels); none: `data` has them */
    size_t nlabels;
    double scale;  /* of features: what their numbers are multiplied by; 0: nothing */
    uint64_t seed; /* of what is drawn */
    int threads;   /* 0: as many as there are cores */
} im_recipe;

typedef imsat_status im_recipe_fn(imsat_data **out, const im_recipe *recipe, imsat_error *err);

/* Images as they are (recipe_images.c); features that somebody else has computed; and GIST,
 * gray or color, of images. im_recipe_svhn: color GIST of images whose label 10 is the digit
 * 0. */
im_recipe_fn im_recipe_images, im_recipe_features, im_recipe_gist, im_recipe_svhn;

/* Drawings of characters, warped (recipe_omniglot.c). */
im_recipe_fn im_recipe_omniglot;

/* Texts (recipe_texts.c): tf-idf of folders of texts, and of the token files of RCV1 with
 * their topics. */
im_recipe_fn im_recipe_news, im_recipe_rcv1;

#endif
