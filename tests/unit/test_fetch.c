/* SPDX-License-Identifier: MIT
 * Downloads from a server on this machine: what broke goes on, and what is wrong is refused.
 * test_fetch_http.c has what servers do. */
#define _GNU_SOURCE
#include "core/feature.h"
#include "core/path.h"
#include "failing_alloc.h"
#include "fetching.h"
#include "imsat/build.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

static unsigned char got[2 * FETCHED];

static void a_file_is_fetched(void **state)
{
    (void)state;
    watch w = {0};
    const imsat_fetch_options options = watched(&w);
    fetch_well(&options);
    assert_fetched(&w);
    assert_int_equal(w.kept, 0);
    assert_true(w.compared);
    assert_true(w.calls > 1);
    assert_int_equal(web_requests(), 1);
    assert_asked_for(0, "GET /file HTTP");
    assert_asked_for(0, "User-Agent: imsat/");
    assert_null(strstr(web_request(0), "Range"));
}

static void without_options_nothing_is_compared(void **state)
{
    (void)state;
    fetch_well(NULL);
    assert_int_equal(read_file(fetch_path, got, sizeof got), FETCHED);
    assert_int_equal(folder_count(), 1);
}

/* ---- what broke goes on -------------------------------------------------------------- */

static void a_broken_transfer_goes_on(void **state)
{
    (void)state;
    watch w = {0};
    const imsat_fetch_options options = watched(&w);
    const web_act acts[] = {{.cut = 100000}, {.cut = 1000}, {.cut = 1}};
    web_script(acts, 3);
    fetch_well(&options);
    assert_fetched(&w);
    assert_int_equal(web_requests(), 4);
    assert_asked_for(1, "Range: bytes=100000-\r\n");
    assert_asked_for(1, "If-Range: \"v1\"\r\n");
    assert_asked_for(2, "Range: bytes=101000-\r\n");
    assert_asked_for(3, "Range: bytes=101001-\r\n");
    assert_int_equal(w.kept, 0); /* all came in this call */
    assert_true(strlen(w.trouble) > 0);
}

/* Leave a part of the file behind; its size. */
static size_t leave_part(void)
{
    watch w = {.stop_at = 50000};
    const imsat_fetch_options options = watched(&w);
    imsat_error err;
    web_script(&(web_act){.stall = 50000}, 1); /* so that no more than that comes */
    assert_refused(fetch(&options, &err), &err, IMSAT_ESTOPPED,
                   "/file: stopped; 50000 bytes are in ");
    assert_non_null(strstr(err.message, "file.part, and another call goes on from there"));
    assert_part(50000);
    web_script(NULL, 0);
    return 50000;
}

static void it_goes_on_in_another_call(void **state)
{
    (void)state;
    watch w = {0};
    const imsat_fetch_options options = watched(&w);
    const size_t size = leave_part();
    fetch_well(&options);
    assert_fetched(&w);
    assert_int_equal(w.kept, size);
    assert_int_equal(web_requests(), 1);
    assert_asked_for(0, "Range: bytes=50000-\r\n");
}

static void a_date_serves_as_well(void **state)
{
    (void)state;
    watch w = {0};
    const imsat_fetch_options options = watched(&w);
    const web_act acts[] = {
        {.cut = 100000,
         .headers = "ETag: W/\"weak\"\r\nLast-Modified: Wed, 21 Oct 2015 07:28:00 GMT\r\n"}};
    web_stop();
    web_start(fetch_content, FETCHED, "Wed, 21 Oct 2015 07:28:00 GMT");
    web_script(acts, 1);
    fetch_well(&options);
    assert_fetched(&w);
    assert_int_equal(web_requests(), 2);
    assert_asked_for(1, "If-Range: Wed, 21 Oct 2015 07:28:00 GMT\r\n");
}

/* Nothing tells the file from another one: a checksum will, and without one it begins anew. */
static void without_an_etag_a_checksum_must_do(void **state)
{
    (void)state;
    watch w = {0};
    imsat_fetch_options options = watched(&w);
    const web_act acts[] = {{.cut = 100000, .headers = ""}};
    web_script(acts, 1);
    fetch_well(&options);
    assert_fetched(&w);
    assert_asked_for(1, "Range: bytes=100000-\r\n");
    assert_null(strstr(web_request(1), "If-Range"));
    unlink(fetch_path);

    const web_act stalls[] = {{.stall = 70000, .headers = ""}};
    imsat_error err;
    w = (watch){.stop_at = 70000};
    web_script(stalls, 1);
    options.sha256 = NULL;
    assert_refused(fetch(&options, &err), &err, IMSAT_ESTOPPED, "70000 bytes");
    w = (watch){0};
    fetch_well(&options);
    assert_fetched(&w);
    assert_null(strstr(web_request(1), "Range"));
}

/* ---- what is not the rest begins anew ------------------------------------------------ */

static void a_file_that_has_changed_begins_anew(void **state)
{
    (void)state;
    watch w = {0};
    imsat_fetch_options options = watched(&w);
    leave_part();
    memset(got, 0, sizeof got);
    web_stop();
    web_start(fetch_other, FETCHED - 7, "\"v2\"");
    /* The address is that of another port: write it as if it were the same. */
    char note[512];
    snprintf(note, sizeof note, "%s\n%d\n\"v1\"\n", web_url("file"), FETCHED);
    write_file(fetch_info, note, strlen(note));
    options.sha256 = NULL;
    fetch_well(&options);
    assert_int_equal(read_file(fetch_path, got, sizeof got), FETCHED - 7);
    assert_memory_equal(got, fetch_other, FETCHED - 7);
    assert_int_equal(w.kept, 0);
    assert_asked_for(0, "If-Range: \"v1\"\r\n");
    assert_int_equal(folder_count(), 1);
}

static void a_server_without_ranges_begins_anew(void **state)
{
    (void)state;
    watch w = {0};
    const imsat_fetch_options options = watched(&w);
    leave_part();
    web_script(&(web_act){.whole = true}, 1);
    fetch_well(&options);
    assert_fetched(&w);
    assert_int_equal(w.kept, 0);
    assert_int_equal(web_requests(), 1);
}

static void another_range_than_was_asked_for_begins_anew(void **state)
{
    (void)state;
    watch w = {0};
    const imsat_fetch_options options = watched(&w);
    leave_part();
    web_script(&(web_act){.shift = 5}, 1);
    fetch_well(&options);
    assert_fetched(&w);
    assert_int_equal(web_requests(), 2);
    assert_null(strstr(web_request(1), "Range"));
    assert_non_null(strstr(w.trouble, "is not the rest"));
}

static void a_range_behind_the_end_begins_anew(void **state)
{
    (void)state;
    watch w = {0};
    const imsat_fetch_options options = watched(&w);
    leave_part();
    web_script(&(web_act){.status = 416}, 1);
    fetch_well(&options);
    assert_fetched(&w);
    assert_int_equal(web_requests(), 2);
}

/* A part of another address, one without a note, one that is longer than the file, and notes
 * that are no notes. */
static void a_part_of_something_else_begins_anew(void **state)
{
    const char *const notes[] = {
        "http://elsewhere/\n300007\n\"v1\"\n", "", "\n\n\n", NULL, "%s\n5\n\"v1\"\n", "%s"};
    (void)state;
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        watch w = {0};
        const imsat_fetch_options options = watched(&w);
        char note[512];
        unlink(fetch_path);
        write_file(fetch_part, fetch_other, 1000);
        if (notes[i]) {
            const char *at = strstr(notes[i], "%s");
            snprintf(note, sizeof note, "%s%s", at ? web_url("file") : notes[i],
                     at ? at + 2 : "");
            write_file(fetch_info, note, strlen(note));
        }
        web_script(NULL, 0);
        fetch_well(&options);
        assert_fetched(&w);
        assert_int_equal(w.kept, 0);
        assert_null(strstr(web_request(0), "Range"));
    }
}

/* ---- wrong bytes --------------------------------------------------------------------- */

static void wrong_bytes_are_refused(void **state)
{
    (void)state;
    watch w = {0};
    const imsat_fetch_options options = watched(&w);
    imsat_error err;
    web_script(&(web_act){.flip = 1234}, 1);
    assert_refused(fetch(&options, &err), &err, IMSAT_EMISMATCH,
                   "/file: what came has the sha256 ");
    assert_non_null(strstr(err.message, fetch_sha256));
    assert_int_equal(folder_count(), 0);
    assert_int_equal(w.whole, 0);
    assert_int_equal(web_requests(), 1);
}

/* The part of an earlier call was damaged on the disk: all of it comes once more. */
static void a_damaged_part_comes_once_more(void **state)
{
    (void)state;
    watch w = {0};
    const imsat_fetch_options options = watched(&w);
    const size_t size = leave_part();
    write_file(fetch_part, fetch_other, size);
    fetch_well(&options);
    assert_fetched(&w);
    assert_int_equal(w.kept, 0);
    assert_int_equal(web_requests(), 2);
}

static void a_whole_part_is_only_compared(void **state)
{
    (void)state;
    watch w = {0};
    const imsat_fetch_options options = watched(&w);
    leave_part();
    write_file(fetch_part, fetch_content, FETCHED);
    fetch_well(&options);
    assert_fetched(&w);
    assert_int_equal(web_requests(), 0);
    assert_int_equal(w.kept, FETCHED);
}

/* ---- a file that is there ------------------------------------------------------------ */

static void what_is_there_is_not_fetched(void **state)
{
    (void)state;
    watch w = {.present = true};
    const imsat_fetch_options options = watched(&w);
    write_file(fetch_path, fetch_content, FETCHED);
    fetch_well(&options);
    assert_fetched(&w);
    assert_true(w.compared);
    assert_int_equal(w.kept, FETCHED);
    assert_int_equal(web_requests(), 0);
}

static void another_file_that_is_there_stays(void **state)
{
    (void)state;
    const imsat_fetch_options options = {.sha256 = fetch_sha256};
    imsat_error err;
    write_file(fetch_path, "mine", 4);
    assert_refused(fetch(&options, &err), &err, IMSAT_EMISMATCH,
                   "is there, but has the sha256 ");
    assert_non_null(strstr(err.message, "remove it to download it again"));
    assert_int_equal(read_file(fetch_path, got, sizeof got), 4);
    assert_int_equal(web_requests(), 0);
    fetch_well(NULL); /* any file will do */
    assert_int_equal(read_file(fetch_path, got, sizeof got), 4);
}

static void a_folder_that_is_there_is_refused(void **state)
{
    (void)state;
    imsat_error err;
    assert_refused(imsat_fetch(web_url("file"), "/", NULL, &err), &err, IMSAT_EIO,
                   "/: is there, and is not a file that can be read");
}

static void what_came_is_kept_when_the_server_dies(void **state)
{
    (void)state;
    watch w = {0};
    imsat_fetch_options options = watched(&w);
    imsat_error err;
    const web_act acts[] = {{.cut = 5000}, {.status = 502}, {.status = 502}};
    web_script(acts, 3);
    options.attempts = 3;
    assert_refused(fetch(&options, &err), &err, IMSAT_EIO,
                   "the server says 502; 5000 bytes are in");
    assert_part(5000);
    fetch_well(&options);
    assert_fetched(&w);
    assert_int_equal(w.kept, 5000);
}

static void a_wait_can_be_stopped(void **state)
{
    (void)state;
    watch w = {.stop_at = 1000};
    imsat_fetch_options options = watched(&w);
    imsat_error err;
    web_script(&(web_act){.cut = 1000}, 1);
    options.pause = 1000;
    assert_refused(fetch(&options, &err), &err, IMSAT_ESTOPPED, "1000 bytes are in");
    assert_part(1000);
}

/* ---- the disk ------------------------------------------------------------------------ */

static void a_full_disk_keeps_what_came(void **state)
{
    (void)state;
    watch w = {0};
    const imsat_fetch_options options = watched(&w);
    imsat_error err;
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){.rlim_cur = 100000, .rlim_max = before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const imsat_status st = fetch(&options, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_refused(st, &err, IMSAT_EIO,
                   "file.part: cannot be written: File too large; what is");
    assert_part(100000);
    fetch_well(&options);
    assert_fetched(&w);
    assert_int_equal(w.kept, 100000);
}

static void one_process_at_a_time(void **state)
{
    (void)state;
    imsat_error err;
    const int fd = open(fetch_part, O_RDWR | O_CREAT, 0666);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    assert_refused(fetch(NULL, &err), &err, IMSAT_EIO,
                   "file.part: another process is downloading it");
    assert_int_equal(web_requests(), 0);
    close(fd);
    fetch_well(NULL);
}

static void a_folder_that_is_missing_is_refused(void **state)
{
    (void)state;
    imsat_error err;
    assert_refused(imsat_fetch(web_url("file"), in_folder("no/file"), NULL, &err), &err,
                   IMSAT_EIO, "no/file.part: cannot be written: No such file");
}

/* ---- the rest ------------------------------------------------------------------------ */

static void arguments_are_checked(void **state)
{
    (void)state;
    imsat_error err;
    const char *const urls[] = {"ftp://a/b", "file:///etc/passwd", "a/b", "", "httpx://a"};
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++)
        assert_refused(imsat_fetch(urls[i], fetch_path, NULL, &err), &err, IMSAT_EINVAL,
                       "begins with http:// or https://");
    imsat_fetch_options options = {.sha256 = "abc"};
    assert_refused(imsat_fetch("http://a/b", fetch_path, &options, &err), &err, IMSAT_EINVAL,
                   "sha256 'abc': must be 64 hexadecimal digits");
    options.sha256 = "x3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    assert_refused(imsat_fetch("http://a/b", fetch_path, &options, &err), &err, IMSAT_EINVAL,
                   "must be 64 hexadecimal digits");
    const imsat_fetch_options numbers[] = {
        {.pause = -1}, {.pause = NAN}, {.patience = -0.5}, {.patience = INFINITY}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_refused(imsat_fetch("http://a/b", fetch_path, &numbers[i], &err), &err,
                       IMSAT_EINVAL, "must be numbers of seconds, 0 or more");
    assert_refused(imsat_fetch("http://a/b", "", NULL, &err), &err, IMSAT_EINVAL, "path");
    assert_int_equal(folder_count(), 0);
}

static void a_checksum_may_be_in_capitals(void **state)
{
    (void)state;
    char capitals[IM_SHA256_TEXT];
    for (size_t i = 0; i < sizeof capitals; i++)
        capitals[i] =
            (char)(fetch_sha256[i] >= 'a' ? fetch_sha256[i] - 'a' + 'A' : fetch_sha256[i]);
    const imsat_fetch_options options = {.sha256 = capitals};
    fetch_well(&options);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    (void)context;
    unlink(fetch_path);
    const imsat_status st = fetch(NULL, err);
    assert_int_equal(im_path_exists(fetch_path), st == IMSAT_OK);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_int_equal(fail_each(attempt, NULL), 3); /* two names, and room to hash */
}

static void without_libcurl_it_is_refused(void **state)
{
    (void)state;
    imsat_error err;
    if (imsat_feature_built(IM_FEATURE_CURL))
        skip();
    assert_refused(imsat_fetch("http://a/b", fetch_path, NULL, &err), &err, IMSAT_EIO,
                   "http://a/b: is to be downloaded, and this imsat was built without curl; "
                   "install libcurl4-openssl-dev and build again");
    assert_int_equal(folder_count(), 0);
}

#define SERVED(test) cmocka_unit_test_setup_teardown(test, fetch_start, fetch_end)

int main(void)
{
    static const struct CMUnitTest local[] = {
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(without_libcurl_it_is_refused),
    };
    static const struct CMUnitTest served[] = {
        SERVED(a_file_is_fetched),
        SERVED(without_options_nothing_is_compared),
        SERVED(a_broken_transfer_goes_on),
        SERVED(it_goes_on_in_another_call),
        SERVED(a_date_serves_as_well),
        SERVED(without_an_etag_a_checksum_must_do),
        SERVED(a_file_that_has_changed_begins_anew),
        SERVED(a_server_without_ranges_begins_anew),
        SERVED(another_range_than_was_asked_for_begins_anew),
        SERVED(a_range_behind_the_end_begins_anew),
        SERVED(a_part_of_something_else_begins_anew),
        SERVED(wrong_bytes_are_refused),
        SERVED(a_damaged_part_comes_once_more),
        SERVED(a_whole_part_is_only_compared),
        SERVED(what_is_there_is_not_fetched),
        SERVED(another_file_that_is_there_stays),
        SERVED(a_folder_that_is_there_is_refused),
        SERVED(what_came_is_kept_when_the_server_dies),
        SERVED(a_wait_can_be_stopped),
        SERVED(a_full_disk_keeps_what_came),
        SERVED(one_process_at_a_time),
        SERVED(a_folder_that_is_missing_is_refused),
        SERVED(a_checksum_may_be_in_capitals),
        SERVED(every_allocation_may_fail),
    };
    int failed = cmocka_run_group_tests_name("fetch", local, fetch_prepare, folder_teardown);
    if (imsat_feature_built(IM_FEATURE_CURL))
        failed += cmocka_run_group_tests_name("fetch, served", served, fetch_prepare,
                                              folder_teardown);
    return failed;
}
