/* SPDX-License-Identifier: MIT
 *
 * The map of data: the places of its rows in the plane (neighbors/layout.h), as the network
 * sees the rows. Rows of more than IM_ATLAS_WIDTH columns are brought to so many principal
 * components first: neighbors stay neighbors, and the work does not grow with the columns.
 */
#ifndef IM_REPORT_ATLAS_H
#define IM_REPORT_ATLAS_H

#include "data/preprocess.h"

enum { IM_ATLAS_WIDTH = 64, IM_ATLAS_NEIGHBORS = 15 };

/* place (rows,2). stage: may be NULL. */
imsat_status im_atlas_find(double *place, const imsat_data *data, const im_preprocess *pre,
                           uint64_t seed, im_pool *pool, const im_stage *stage,
                           imsat_error *err);

#endif
