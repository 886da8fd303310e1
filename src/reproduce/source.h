/* SPDX-License-Identifier: MIT
 *
 * The rows of a data set, as the cells on it share them: opened once, and their radius is
 * computed once.
 */
#ifndef IM_REPRODUCE_SOURCE_H
#define IM_REPRODUCE_SOURCE_H

#include "imsat/sets.h"
#include "reproduce/paper.h"

typedef struct im_source {
    imsat_data *data;      /* owned */
    const int32_t *labels; /* (rows) */
    size_t rows, classes;
    size_t smallest;     /* rows of the smallest class */
    imsat_preset preset; /* that its methods are run with */
    const char *instead; /* what the rows are, if they are not the paper's; or NULL */
    float *radius;       /* (rows) owned: NULL before im_source_radius() */
    float *points;       /* (rows, 2) owned: of spirals */
    int32_t *arcs;       /* (rows) owned: of spirals */
} im_source;

enum { IM_SOURCE_ARC = 300 }; /* points of an arc of the spirals; there are two */

imsat_status im_source_open(im_source *source, imsat_experiment experiment, const char *name,
                            const imsat_reproduce_options *options, imsat_error *err);
void im_source_clear(im_source *source);

/* The radius for options of a method that uses it; of spirals it is the same everywhere. */
imsat_status im_source_radius(im_source *source, const imsat_options *options,
                              imsat_error *err);

/* Points (2 IM_SOURCE_ARC, 2) of two spirals, a turn each, and which arc (2 IM_SOURCE_ARC)
 * each is of. */
void im_source_spirals(float *points, int32_t *arcs);

#endif
