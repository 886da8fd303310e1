/* SPDX-License-Identifier: MIT
 * What servers do at a download, and how it is taken. */
#define _POSIX_C_SOURCE 200809L
#include "core/feature.h"
#include "core/path.h"
#include "fetching.h"
#include "imsat/build.h"

#include <stdio.h>
#include <string.h>

static void redirections_are_followed(void **state)
{
    (void)state;
    watch w = {0};
    const imsat_fetch_options options = watched(&w);
    char there[128];
    snprintf(there, sizeof there, "%s", web_url("elsewhere"));
    web_script(&(web_act){.location = there}, 1);
    fetch_well(&options);
    assert_fetched(&w);
    assert_asked_for(1, "GET /elsewhere HTTP");
}

static void a_server_need_not_say_the_length(void **state)
{
    (void)state;
    watch w = {0};
    const imsat_fetch_options options = watched(&w);
    web_script(&(web_act){.no_length = true}, 1);
    fetch_well(&options);
    assert_fetched(&w);
}

static void an_empty_file_is_a_file(void **state)
{
    (void)state;
    watch w = {0};
    imsat_fetch_options options = watched(&w);
    options.sha256 = NULL;
    web_stop();
    web_start("", 0, "\"empty\"");
    fetch_well(&options);
    assert_string_equal(w.sha256,
                        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_false(w.compared);
    assert_true(im_path_exists(fetch_path));
    assert_int_equal(folder_count(), 1);
}

static void a_server_that_is_busy_is_asked_again(void **state)
{
    (void)state;
    watch w = {0};
    const imsat_fetch_options options = watched(&w);
    const web_act acts[] = {{.status = 503}, {.status = 429}, {.status = 500}};
    web_script(acts, 3);
    fetch_well(&options);
    assert_fetched(&w);
    assert_int_equal(web_requests(), 4);
    assert_int_equal(w.failures, 3);
    assert_string_equal(w.trouble, "the server says 500");
}

static void but_not_for_ever(void **state)
{
    (void)state;
    watch w = {0};
    imsat_fetch_options options = watched(&w);
    imsat_error err;
    web_act acts[10];
    for (size_t i = 0; i < 10; i++)
        acts[i] = (web_act){.status = 503};
    web_script(acts, 10);
    options.attempts = 3;
    assert_refused(
        fetch(&options, &err), &err, IMSAT_EIO,
        "the server says 503; look at the address and the connection, or put the file "
        "to ");
    assert_int_equal(web_requests(), 3);
    assert_int_equal(folder_count(), 0);
    options.attempts = 0; /* 5 */
    web_script(acts, 10);
    assert_int_equal(fetch(&options, &err), IMSAT_EIO);
    assert_int_equal(web_requests(), 5);
}

static void what_is_not_there_is_refused_at_once(void **state)
{
    (void)state;
    const int statuses[] = {400, 401, 403, 404, 410, 204, 304};
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        imsat_error err;
        char part_of_message[64];
        web_script(&(web_act){.status = statuses[i]}, 1);
        snprintf(part_of_message, sizeof part_of_message, "/file: the server says %d; look at",
                 statuses[i]);
        assert_refused(fetch(NULL, &err), &err, IMSAT_EIO, part_of_message);
        assert_int_equal(web_requests(), 1);
        assert_int_equal(folder_count(), 0);
    }
    (void)state;
}

static void bad_redirections_are_refused(void **state)
{
    (void)state;
    imsat_error err;
    web_act acts[16];
    char there[128];
    web_script(&(web_act){.location = "ftp://127.0.0.1/file"}, 1);
    assert_refused(fetch(NULL, &err), &err, IMSAT_EIO, "rotocol");
    web_script(&(web_act){.location = "file:///etc/passwd"}, 1);
    assert_refused(fetch(NULL, &err), &err, IMSAT_EIO, "rotocol");
    snprintf(there, sizeof there, "%s", web_url("file"));
    for (size_t i = 0; i < 16; i++)
        acts[i] = (web_act){.location = there};
    web_script(acts, 16);
    assert_refused(fetch(NULL, &err), &err, IMSAT_EIO, "redirects");
    assert_int_equal(web_requests(), 11);
    assert_int_equal(folder_count(), 0);
}

static void nobody_listens(void **state)
{
    (void)state;
    watch w = {0};
    imsat_fetch_options options = watched(&w);
    imsat_error err;
    char url[128];
    snprintf(url, sizeof url, "%s", web_url("file"));
    web_stop();
    options.attempts = 2;
    assert_refused(imsat_fetch(url, fetch_path, &options, &err), &err, IMSAT_EIO, url);
    assert_int_equal(w.failures, 1);
    assert_int_equal(folder_count(), 0);
    web_start(fetch_content, FETCHED, "\"v1\""); /* for end() */
}

static void silence_is_a_failure(void **state)
{
    (void)state;
    watch w = {0};
    imsat_fetch_options options = watched(&w);
    web_script(&(web_act){.stall = 2000}, 1);
    options.patience = 0.3;
    fetch_well(&options);
    assert_fetched(&w);
    assert_int_equal(web_requests(), 2);
    assert_asked_for(1, "Range: bytes=2000-");
    assert_string_equal(w.trouble, "nothing came for 0.3 seconds");
}

#define SERVED(test) cmocka_unit_test_setup_teardown(test, fetch_start, fetch_end)

/* Without libcurl there is nothing to test. */
int main(void)
{
    static const struct CMUnitTest tests[] = {
        SERVED(redirections_are_followed),
        SERVED(a_server_need_not_say_the_length),
        SERVED(an_empty_file_is_a_file),
        SERVED(a_server_that_is_busy_is_asked_again),
        SERVED(but_not_for_ever),
        SERVED(what_is_not_there_is_refused_at_once),
        SERVED(bad_redirections_are_refused),
        SERVED(nobody_listens),
        SERVED(silence_is_a_failure),
    };
    if (!imsat_feature_built(IM_FEATURE_CURL))
        return 0;
    return cmocka_run_group_tests_name("fetch_http", tests, fetch_prepare, folder_teardown);
}
