/* SPDX-License-Identifier: MIT
 *
 * Values that differ in the data and no more when they are prepared. A float has 24 bits: of
 * times in milliseconds those within two minutes are one number, unless they are centered
 * first (preprocess.h); and beside a value of 1e30 all others of its column are, even then.
 */
#ifndef IM_DATA_DISTINCT_H
#define IM_DATA_DISTINCT_H

#include "data/preprocess.h"

enum { IM_DISTINCT_ROOM = 400 };

/* text: a sentence about the column that loses the most of its different values, with what to
 * do; or "", if no column loses more than one in sixteen. Looks at a sample of the rows. */
imsat_status im_distinct_note(char text[IM_DISTINCT_ROOM], const imsat_data *data,
                              const im_preprocess *pre, imsat_error *err);

#endif
