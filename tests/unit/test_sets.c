/* SPDX-License-Identifier: MIT
 * Data sets: the table of the paper's eight, and a set of our own from a server on this
 * machine. */
#define _POSIX_C_SOURCE 200809L
#include "sets/sets.h"

#include "core/feature.h"
#include "core/path.h"
#include "failing_alloc.h"
#include "fetching.h"
#include "imsat/build.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void there_are_eight_sets(void **state)
{
    static const char *const names[] = {"mnist",    "omniglot", "stl",     "cifar10",
                                        "cifar100", "svhn",     "reuters", "20news"};
    (void)state;
    for (size_t i = 0; i < 8; i++) {
        assert_string_equal(imsat_sets_name(i), names[i]);
        assert_true(strlen(imsat_sets_summary(names[i])) > 10);
        assert_true(imsat_sets_row(names[i])->points >= 10000);
        assert_true(imsat_sets_row(names[i])->largest *
                        (double)imsat_sets_row(names[i])->classes >=
                    0.99);
        assert_non_null(imsat_sets_form(names[i], 0));
    }
    assert_null(imsat_sets_name(8));
    assert_null(imsat_sets_summary("mnist2"));
    assert_null(imsat_sets_row("mnist2"));
    assert_null(imsat_sets_form("mnist2", 0));
    assert_null(imsat_sets_row(NULL));
    assert_null(imsat_sets_form("mnist", 1));
    assert_null(imsat_sets_form("cifar10", 4));
    assert_string_equal(imsat_sets_form("cifar10", 3)->name, "gist");
}

static void a_set_that_cannot_be_had_says_where_to_ask(void **state)
{
    (void)state;
    imsat_error err;
    assert_refused(imsat_sets_fetch("reuters", in_folder("r"), NULL, &err), &err, IMSAT_EIO,
                   "reuters: the corpus RCV1 is given out by NIST");
    assert_non_null(strstr(err.message, "https://trec.nist.gov/"));
    assert_refused(imsat_sets_fetch("nist", in_folder("r"), NULL, &err), &err, IMSAT_EINVAL,
                   "'nist': no data set of this name");
    assert_false(im_path_exists(in_folder("r")));
}

/* ---- a set of our own --------------------------------------------------------------------
 */

/* Its folder is that of the tests, which is there; `first` and `second` are places of the
 * file. */
static imsat_status fetch_set(const char *first, const char *second,
                              const imsat_fetch_options *options, imsat_error *err)
{
    char folder[512];
    const im_set set = {.name = "ours", .files = {{"file", {first, second}, fetch_sha256}}};
    snprintf(folder, sizeof folder, "%s", in_folder(""));
    return im_sets_fetch(&set, folder, options, err);
}

static void files_come_from_the_first_place_that_has_them(void **state)
{
    (void)state;
    watch w = {0};
    imsat_fetch_options options = watched(&w);
    imsat_error err;
    web_script(&(web_act){.status = 404}, 1);
    options.sha256 = "not looked at";
    assert_ok(fetch_set(web_url("one/"), web_url("two/whole_address"), &options, &err), &err);
    assert_fetched(&w);
    assert_true(w.compared);
    assert_asked_for(0, "GET /one/file HTTP");
    assert_asked_for(1, "GET /two/whole_address HTTP");
    assert_non_null(strstr(w.trouble, "the server says 404; look at"));
    assert_ptr_equal(strstr(w.trouble, "the server"), w.trouble); /* without the address */
}

static void a_place_with_wrong_bytes_does_not_have_them(void **state)
{
    (void)state;
    watch w = {0};
    const imsat_fetch_options options = watched(&w);
    imsat_error err;
    web_script(&(web_act){.flip = 77}, 1);
    assert_ok(fetch_set(web_url("one/"), web_url("two/"), &options, &err), &err);
    assert_fetched(&w);
    assert_int_equal(web_requests(), 2);
}

static void a_mirror_is_asked_first(void **state)
{
    (void)state;
    watch w = {0};
    imsat_fetch_options options = watched(&w);
    imsat_error err;
    options.mirror = web_url("mirror");
    assert_ok(fetch_set(web_url("one/"), NULL, &options, &err), &err);
    assert_fetched(&w);
    assert_int_equal(web_requests(), 1);
    assert_asked_for(0, "GET /mirror/file HTTP");
}

static void when_no_place_has_them_the_last_says_why(void **state)
{
    (void)state;
    const web_act acts[] = {{.status = 404}, {.status = 403}};
    imsat_error err;
    web_script(acts, 2);
    assert_refused(fetch_set(web_url("one/"), web_url("two/"), NULL, &err), &err, IMSAT_EIO,
                   "/two/file: the server says 403");
    assert_int_equal(folder_count(), 0);
}

static void a_wrong_file_that_is_there_ends_it(void **state)
{
    (void)state;
    imsat_error err;
    write_file(fetch_path, "mine", 4);
    assert_refused(fetch_set(web_url("one/"), web_url("two/"), NULL, &err), &err,
                   IMSAT_EMISMATCH, "remove it to download it again");
    assert_int_equal(web_requests(), 0);
}

static void the_folder_is_made(void **state)
{
    (void)state;
    const im_set set = {.name = "ours", .files = {{"file", {web_url("")}, NULL}}};
    char folder[512], file[600];
    imsat_error err;
    snprintf(folder, sizeof folder, "%s", in_folder("new"));
    snprintf(file, sizeof file, "%s/file", folder);
    assert_ok(im_sets_fetch(&set, folder, NULL, &err), &err);
    assert_true(im_path_exists(file));
    unlink(file);
    rmdir(folder);
    assert_refused(im_sets_fetch(&set, in_folder("no/new"), NULL, &err), &err, IMSAT_EIO,
                   "no/new: cannot be made: No such file");
}

static imsat_status attempt(void *context, imsat_error *err)
{
    (void)context;
    unlink(fetch_path);
    return fetch_set(web_url("one/"), NULL, NULL, err);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_int_equal(fail_each(attempt, NULL),
                     5); /* a path, an address, three of the download */
}

#define SERVED(test) cmocka_unit_test_setup_teardown(test, fetch_start, fetch_end)

int main(void)
{
    static const struct CMUnitTest local[] = {
        cmocka_unit_test(there_are_eight_sets),
        cmocka_unit_test(a_set_that_cannot_be_had_says_where_to_ask),
    };
    static const struct CMUnitTest served[] = {
        SERVED(files_come_from_the_first_place_that_has_them),
        SERVED(a_place_with_wrong_bytes_does_not_have_them),
        SERVED(a_mirror_is_asked_first),
        SERVED(when_no_place_has_them_the_last_says_why),
        SERVED(a_wrong_file_that_is_there_ends_it),
        SERVED(the_folder_is_made),
        SERVED(every_allocation_may_fail),
    };
    int failed = cmocka_run_group_tests_name("sets", local, fetch_prepare, folder_teardown);
    if (imsat_feature_built(IM_FEATURE_CURL))
        failed += cmocka_run_group_tests_name("sets, served", served, fetch_prepare,
                                              folder_teardown);
    return failed;
}
