/* SPDX-License-Identifier: MIT
 *
 * A stage whose caller has enough at the first report.
 */
#ifndef TESTS_STOPPING_H
#define TESTS_STOPPING_H

#include "core/stage.h"
#include "support.h"

static int stop_at_once(void *user, double fraction)
{
    (void)user;
    assert_true(0 <= fraction && fraction <= 1);
    return 1;
}

static const im_stage stopping = {"testing", stop_at_once, NULL, 0, 1};

/* Fail unless the call, which is given the stage and &err, was stopped. */
#define assert_stopped(call)                                                                  \
    assert_refused(call, &err, IMSAT_ESTOPPED, "stopped while testing")

#endif
