/* SPDX-License-Identifier: MIT
 *
 * The one table of methods, and what presets set. Help, completions, the parser and the
 * trainer read it.
 */
#ifndef IM_TRAIN_METHODS_H
#define IM_TRAIN_METHODS_H

#include "data/dataset.h"

/* How T(x) is made. A method is a weighted sum of at most two. */
typedef enum im_augment {
    IM_AUG_VAT,
    IM_AUG_RPT,
    IM_AUG_AFFINE,
    IM_AUG_OWN,
    IM_AUGMENTS
} im_augment;

typedef struct im_method {
    const char *name, *summary;
    bool linear;                /* no hidden layers */
    bool hashes;                /* learns hash codes, too; all learn clusters */
    double weight[IM_AUGMENTS]; /* of each augmentation in R_SAT; all 0: weight decay */
    double lambda, alpha, decay;
} im_method;

extern const im_method im_methods[IMSAT_METHODS];

/* How many outputs the network has: clusters or bits. */
size_t im_options_outputs(const imsat_options *options);

/* Does the method perturb within the radius? */
bool im_method_needs_radius(imsat_method method);
bool im_method_needs_image(imsat_method method);

/* options with everything left open (scale 0, hidden_auto, epochs 0, delta < 0) decided by
 * the data. options must have passed imsat_options_check(). */
imsat_options im_options_resolve(const imsat_options *options, const imsat_data *data);

#endif
