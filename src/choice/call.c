/* SPDX-License-Identifier: MIT
 * See call.h. */
#include "choice/call.h"

#include "core/clock.h"
#include "model/check.h"

imsat_status im_call_begin(im_call *call, const imsat_data *data, const imsat_options *options,
                           size_t k, size_t most, double budget, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_options own;
    *call = (im_call){.data = data};
    if (!(budget > 0))
        return im_fail(err, IMSAT_EINVAL, "a budget of %g seconds, and must be above 0",
                       budget);
    IM_TRY(im_check_adopt(&own, options, err));
    own.k = k;
    IM_TRY(im_check_resolve(&call->opt, &own, data, err));
    im_guard_enter(&call->guard, &call->opt, data);
    call->attempts = (im_attempts){.opt = &call->opt, .started = im_clock(), .budget = budget};
    IM_TRY(im_pool_new(&call->pool, (int)call->opt.threads, err));
    call->attempts.pool = call->pool;
    IM_TRY(im_portion_draw(&call->portion, data, &call->opt, most, call->pool, err));

cleanup:
    return st;
}

imsat_status im_call_check_rows(const im_call *call, size_t k, imsat_error *err)
{
    const size_t least = IM_CALL_ROWS_A_CLUSTER * k;
    if (call->portion.n >= least)
        return IMSAT_OK;
    return im_fail(err, IMSAT_EINVAL,
                   "%zu rows are too few to judge %zu clusters by; that takes %zu rows or "
                   "more, or a smaller k",
                   call->portion.n, k, least);
}

imsat_status im_call_end(im_call *call, imsat_status st, imsat_error *err)
{
    if (st == IMSAT_ESTOPPED && call->attempts.late)
        st = im_fail(err, IMSAT_EINVAL,
                     "the budget of %g seconds was over before anything could be said; give "
                     "more, by --budget",
                     call->attempts.budget);
    im_guard_leave(&call->guard);
    im_portion_clear(&call->portion);
    im_pool_free(call->pool);
    return im_data_check(call->data, 0, call->data->rows, st, err);
}
