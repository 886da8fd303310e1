/* SPDX-License-Identifier: MIT
 * The cheap form of the null test, for those who learn clusters anyway. */
#include "choice/call.h"
#include "choice/structure.h"

#include <math.h>

enum { MOST_ROWS = 500 };

static imsat_status test(im_structure *found, im_call *call, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_nulls nulls = {0};
    IM_TRY(im_nulls_draw(&nulls, &call->portion, false, &call->attempts, err));
    IM_TRY(im_structure_test(found, &call->portion, &nulls, call->opt.k, &call->attempts, 0, 1,
                             err));

cleanup:
    im_nulls_clear(&nulls);
    return st;
}

imsat_status imsat_has_structure(int *found, double *information, double *without,
                                 const imsat_data *data, const imsat_options *options,
                                 imsat_error *err)
{
    IM_REQUIRE(found);
    IM_REQUIRE(information);
    IM_REQUIRE(without);
    IM_REQUIRE(data);
    IM_REQUIRE(options);
    im_call call;
    im_structure s = {.best = IM_TESTERS};
    imsat_status st =
        im_call_begin(&call, data, options, options->k, MOST_ROWS, INFINITY, err);
    if (st == IMSAT_OK && im_call_check_rows(&call, call.opt.k, NULL) == IMSAT_OK)
        st = test(&s, &call, err);
    st = im_call_end(&call, st, err);
    if (st != IMSAT_OK)
        return st;
    const bool tested = s.best < IM_TESTERS;
    *found = tested ? s.found : -1;
    *information = tested ? s.data[s.best] : NAN;
    *without = tested ? s.without[s.best] : NAN;
    return IMSAT_OK;
}
