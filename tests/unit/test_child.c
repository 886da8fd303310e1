/* SPDX-License-Identifier: MIT
 * Work that is tried in a child process: what crashes there is an error here. */
#define _POSIX_C_SOURCE 200809L
#include "core/child.h"

#include "imsat/process.h"
#include "support.h"

#include <signal.h>
#include <stdlib.h>

static int touched;

static void touch(void *context)
{
    (void)context;
    touched++;
}

static void crash(void *context)
{
    raise(*(const int *)context);
}

static void leave(void *context)
{
    (void)context;
    _Exit(3);
}

static void work_forever(void *context)
{
    volatile unsigned count = 0;
    (void)context;
    for (;;)
        count++;
}

static void nothing_is_tried_unless_asked_for(void **state)
{
    (void)state;
    imsat_error err;
    int signal = SIGSEGV;
    assert_ok(im_child_try(crash, &signal, 60, "nobody", "x", &err), &err);
}

static void a_crash_is_an_error(void **state)
{
    (void)state;
    static int signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE};
    imsat_error err;
    imsat_try_files();
    imsat_guard_maps(); /* whose handler the child must not have */
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        assert_refused(im_child_try(crash, &signals[i], 60, "libfoo", "x.h5", &err), &err,
                       IMSAT_EFORMAT, "x.h5: is damaged: libfoo crashes on it");
    assert_refused(im_child_try(leave, NULL, 60, "libfoo", "x.h5", &err), &err, IMSAT_EFORMAT,
                   "libfoo crashes on it");
    assert_refused(im_child_try(work_forever, NULL, 1, "libfoo", "x.h5", &err), &err,
                   IMSAT_EFORMAT, "libfoo takes too long on it");
}

static void what_the_child_does_stays_there(void **state)
{
    (void)state;
    imsat_error err;
    imsat_try_files();
    assert_ok(im_child_try(touch, NULL, 60, "nobody", "x", &err), &err);
    assert_int_equal(touched, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_tried_unless_asked_for),
        cmocka_unit_test(a_crash_is_an_error),
        cmocka_unit_test(what_the_child_does_stays_there),
    };
    return cmocka_run_group_tests_name("child", tests, NULL, NULL);
}
