/* SPDX-License-Identifier: MIT
 *
 * From measures to a verdict, by numbers alone.
 *
 * The method to trust is the one whose clusters have the most neighbor information
 * (choice/measure.h). Shares within a tenth of what the best has above rows without clusters
 * are as good as equal; of these, the one whose clusters say most, in nats. One exception: if
 * the rows are what a mixture of normals would draw, and its clusters overlap, the borders of
 * clusters are not where rows are fewest, and the mixture knows better.
 */
#ifndef IM_CHOICE_DECIDE_H
#define IM_CHOICE_DECIDE_H

#include "imsat/choice.h"

#include <stdbool.h>

typedef struct im_candidate {
    bool usable;
    double information, nats;
} im_candidate;

/* Which one; count if none is usable. without: the information of rows without clusters.
 * mixture: the number of the mixture of normals, if rows look as if drawn from it; else count.
 */
size_t im_decide_method(const im_candidate *candidates, size_t count, double without,
                        size_t mixture);

/* Whether a value is like those (count >= 2) of draws: no further from their mean than 2.5
 * deviations, of at least 0.005. */
bool im_decide_alike(double value, const double *draws, size_t count);

/* Of each k, whether it stands: there is structure, and the prediction strength is 0.8 or
 * more, as Tibshirani and Walther have it. Returns the largest k that does, or 0. */
size_t im_decide_k(imsat_k_row *rows, size_t count, const bool *structure);

#endif
