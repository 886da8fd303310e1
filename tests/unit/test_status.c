/* SPDX-License-Identifier: MIT
 * Statuses have names, and messages say what they are given, cut to the room there is. */
#include "core/status.h"

#include "support.h"

#include <errno.h>
#include <string.h>

static void every_status_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (imsat_status a = IMSAT_OK; a <= IMSAT_EBUSY; a++) {
        assert_string_not_equal(imsat_status_name(a), "unknown status");
        for (imsat_status b = IMSAT_OK; b < a; b++)
            assert_string_not_equal(imsat_status_name(a), imsat_status_name(b));
    }
    assert_string_equal(imsat_status_name((imsat_status)999), "unknown status");
}

static void messages_say_what_they_are_given(void **state)
{
    (void)state;
    imsat_error err;
    assert_refused(im_fail(&err, IMSAT_EFORMAT, "%s: line %d", "a.csv", 7), &err,
                   IMSAT_EFORMAT, "a.csv: line 7");
    assert_refused(im_fail_memory(&err, "the index"), &err, IMSAT_ENOMEM,
                   "no memory for the index");
    errno = ENOENT;
    assert_refused(im_fail_file(&err, "gone"), &err, IMSAT_EIO, "gone: No such file");
    assert_int_equal(im_fail(NULL, IMSAT_EINVAL, "nobody asks"), IMSAT_EINVAL);
}

static void advice_follows_the_refusal_of_a_file(void **state)
{
    (void)state;
    imsat_error err;
    assert_refused(im_fail_advise(im_fail(&err, IMSAT_EFORMAT, "a: bent"), &err, "mend it"),
                   &err, IMSAT_EFORMAT, "a: bent; mend it");
    assert_int_equal(im_fail_advise(im_fail(&err, IMSAT_EIO, "a: gone"), &err, "mend it"),
                     IMSAT_EIO);
    assert_string_equal(err.message, "a: gone");
    assert_int_equal(im_fail_advise(IMSAT_EFORMAT, NULL, "mend it"), IMSAT_EFORMAT);
}

static void long_messages_are_cut(void **state)
{
    (void)state;
    imsat_error err;
    char longer[2 * sizeof err.message];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_int_equal(im_fail(&err, IMSAT_EIO, "%s", longer), IMSAT_EIO);
    assert_int_equal(strlen(err.message), sizeof err.message - 1);
}

static void messages_steer_no_terminal(void **state)
{
    (void)state;
    imsat_error err;
    assert_int_equal(im_fail(&err, IMSAT_EIO, "%s", "a\x1b[2J\n\x7f\xc2\x9b\xc2\xa9\xc3\xa9"),
                     IMSAT_EIO);
    assert_string_equal(err.message, "a?[2J????\xc2\xa9\xc3\xa9");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_name_of_its_own),
        cmocka_unit_test(messages_say_what_they_are_given),
        cmocka_unit_test(advice_follows_the_refusal_of_a_file),
        cmocka_unit_test(long_messages_are_cut),
        cmocka_unit_test(messages_steer_no_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
