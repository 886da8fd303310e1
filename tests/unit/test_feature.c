/* SPDX-License-Identifier: MIT
 * Libraries that imsat can do without: the list, and the refusal made from it. */
#include "core/feature.h"

#include "imsat/build.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

static void every_feature_has_a_name_and_a_package(void **state)
{
    (void)state;
    for (size_t i = 0; i < IM_FEATURES; i++) {
        assert_true(strlen(imsat_feature_name(i)) > 0);
        assert_non_null(strstr(imsat_feature_package(i), "-dev"));
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(imsat_feature_name(i), imsat_feature_name(j));
    }
    assert_null(imsat_feature_name(IM_FEATURES));
    assert_null(imsat_feature_package(IM_FEATURES));
    assert_false(imsat_feature_built(IM_FEATURES));
}

static void what_was_built_is_what_was_compiled(void **state)
{
    (void)state;
#define IM_FEATURE(id, ...)                                                                   \
    assert_int_equal(imsat_feature_built(IM_FEATURE_##id), IM_HAVE_##id);
#include "core/feature_list.h"
#undef IM_FEATURE
}

static void a_refusal_names_the_file_and_the_package(void **state)
{
    (void)state;
    imsat_error err;
    assert_refused(im_feature_refuse(IM_FEATURE_ZSTD, "a.zst", &err), &err, IMSAT_EIO,
                   "a.zst: is compressed by zstd, and this imsat was built without zstd; "
                   "install libzstd-dev and build again");
    for (size_t i = 0; i < IM_FEATURES; i++)
        assert_refused(im_feature_refuse((im_feature)i, "x", &err), &err, IMSAT_EIO,
                       imsat_feature_package(i));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_feature_has_a_name_and_a_package),
        cmocka_unit_test(what_was_built_is_what_was_compiled),
        cmocka_unit_test(a_refusal_names_the_file_and_the_package),
    };
    return cmocka_run_group_tests_name("feature", tests, NULL, NULL);
}
