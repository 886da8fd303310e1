/* SPDX-License-Identifier: MIT
 *
 * What a network's outputs are made of: the units z of its last layer,
 *
 *     plain     output g = z_g                                     what is trained by epochs
 *     cosine    output g = cos(pi z_g)                             a wave along a direction
 *     student   output g by the distance to center g               the nearest of some centers
 *     nearest   output g = the largest z of its units              the nearest of some rows
 *     normals   output g = z_first - 1/2 (sum of z^2 of the rest)  the log density of a normal
 *
 * Of student the last layer's weights are centers, its biases 0, and nn/student.h reads it
 * out. The units of an output stand together. Units come one after another, with their values
 * for all rows of a block, so that none but the outputs are kept.
 */
#ifndef IM_NN_READOUT_H
#define IM_NN_READOUT_H

#include "core/real.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum im_readout {
    IM_READOUT_PLAIN,
    IM_READOUT_COSINE,
    IM_READOUT_STUDENT,
    IM_READOUT_NEAREST,
    IM_READOUT_NORMALS,
    IM_READOUTS
} im_readout;

const char *im_readout_name(im_readout readout);

/* Has an output several units? Otherwise it is made of the one of its number. */
static inline bool im_readout_groups(im_readout readout)
{
    return readout >= IM_READOUT_NEAREST;
}

/* Where the outputs of a block come to be. */
typedef struct im_readout_desk {
    im_readout readout;
    const uint64_t *first; /* (outputs + 1) of groups: the first unit of each, and the end */
    im_real *outputs;      /* (outputs,stride) */
    size_t stride;
    double *sum;  /* (n) scratch */
    size_t group; /* that the next unit is of; 0 to begin with */
} im_readout_desk;

/* Take unit u: its values z (n). Units come in order. */
void im_readout_take(im_readout_desk *desk, size_t u, const im_real *z, size_t n);

#endif
