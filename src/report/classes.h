/* SPDX-License-Identifier: MIT
 *
 * The classes of a truth, and how clusters meet them.
 */
#ifndef IM_REPORT_CLASSES_H
#define IM_REPORT_CLASSES_H

#include "report/gather.h"

typedef struct im_classes {
    size_t count;              /* 0: there is no truth */
    int32_t *label;            /* (count) owned: ascending */
    double *meets;             /* (clusters, count) owned: rows; NULL: of codes, and of a
                                  table too large to be read */
    imsat_cluster_score score; /* of clusters */
} im_classes;

enum { IM_CLASSES_TABLE = 60 }; /* classes, and clusters, of a table that can be read */

/* truth (rows). */
imsat_status im_classes_count(im_classes *out, const int32_t *truth, const im_gather *found,
                              imsat_error *err);
void im_classes_clear(im_classes *classes);

/* The place of a label among the classes. */
size_t im_classes_of(const im_classes *classes, int32_t label);

#endif
