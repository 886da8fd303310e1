/* SPDX-License-Identifier: MIT
 *
 * What a data set is published as. The sets of the paper are in sets.c.
 */
#ifndef IM_DATA_SETS_H
#define IM_DATA_SETS_H

#include "imsat/sets.h"

enum { IM_SETS_PLACES = 2, IM_SETS_FILES = 4 };

typedef struct im_set_file {
    const char *name;
    const char *places[IM_SETS_PLACES]; /* addresses, all but the name if they end with '/' */
    const char *sha256;                 /* NULL: not known, and not compared */
} im_set_file;

typedef struct im_set {
    const char *name, *summary;
    im_set_file files[IM_SETS_FILES]; /* a name of NULL ends them */
    const char *refusal;              /* why there are none, and what to do */
} im_set;

/* As imsat_sets_fetch(), of any set. */
imsat_status im_sets_fetch(const im_set *set, const char *folder,
                           const imsat_fetch_options *options, imsat_error *err);

#endif
