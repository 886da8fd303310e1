/* SPDX-License-Identifier: MIT
 *
 * What the calls of imsat/choice.h begin and end with: the caller's options, checked and
 * decided, a pool of threads, and a portion of the rows.
 */
#ifndef IM_CHOICE_CALL_H
#define IM_CHOICE_CALL_H

#include "choice/attempt.h"
#include "model/guard.h"

typedef struct im_call {
    const imsat_data *data;
    imsat_options opt; /* decided */
    im_guard guard;
    im_pool *pool;
    im_portion portion;
    im_attempts attempts;
} im_call;

enum { IM_CALL_ROWS_A_CLUSTER = 8 };

/* k: the most clusters that will be asked for; the portion has at most `most` rows. call must
 * stay where it is. IMSAT_EINVAL: options that cannot be; a budget that is not above 0. */
imsat_status im_call_begin(im_call *call, const imsat_data *data, const imsat_options *options,
                           size_t k, size_t most, double budget, imsat_error *err);

/* Refuse a portion of fewer than IM_CALL_ROWS_A_CLUSTER rows a cluster. */
imsat_status im_call_check_rows(const im_call *call, size_t k, imsat_error *err);

/* How the call ended, if its work ended with st: says so if the budget was too small. */
imsat_status im_call_end(im_call *call, imsat_status st, imsat_error *err);

#endif
