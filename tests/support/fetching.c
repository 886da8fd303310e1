/* SPDX-License-Identifier: MIT
 * See fetching.h. */
#define _POSIX_C_SOURCE 200809L
#include "fetching.h"

#include "core/path.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

unsigned char fetch_content[FETCHED], fetch_other[FETCHED];
char fetch_sha256[IM_SHA256_TEXT];
char fetch_path[512], fetch_part[512], fetch_info[512];

static unsigned char got[2 * FETCHED];

int fetch_prepare(void **state)
{
    im_sha256 hash;
    uint32_t x = 1;
    for (size_t i = 0; i < FETCHED; i++) {
        x = x * 1664525U + 1013904223U;
        fetch_content[i] = (unsigned char)(x >> 24);
        fetch_other[i] = (unsigned char)(x >> 16);
    }
    im_sha256_begin(&hash);
    im_sha256_add(&hash, fetch_content, FETCHED);
    im_sha256_end(&hash, fetch_sha256);
    folder_setup(state);
    snprintf(fetch_path, sizeof fetch_path, "%s", in_folder("file"));
    snprintf(fetch_part, sizeof fetch_part, "%s", in_folder("file.part"));
    snprintf(fetch_info, sizeof fetch_info, "%s", in_folder("file.part.info"));
    return 0;
}

int fetch_start(void **state)
{
    (void)state;
    web_start(fetch_content, FETCHED, "\"v1\"");
    return 0;
}

int fetch_end(void **state)
{
    (void)state;
    web_stop();
    unlink(fetch_path);
    unlink(fetch_part);
    unlink(fetch_info);
    return 0;
}

static int on_progress(void *user, const imsat_fetch_state *state)
{
    watch *w = user;
    w->calls++;
    assert_true(state->total == 0 || state->bytes <= state->total);
    assert_true(state->kept <= state->bytes);
    assert_int_equal(im_path_exists(state->path), state->sha256 != NULL || w->present);
    if (state->trouble)
        snprintf(w->trouble, sizeof w->trouble, "%s", state->trouble);
    if (state->failures > w->failures)
        w->failures = state->failures;
    if (state->sha256) {
        w->whole++;
        w->kept = state->kept;
        w->compared = state->compared;
        snprintf(w->sha256, sizeof w->sha256, "%s", state->sha256);
    }
    return w->stop_at && state->bytes >= w->stop_at;
}

imsat_fetch_options watched(watch *w)
{
    return (imsat_fetch_options){
        .progress = on_progress, .progress_user = w, .sha256 = fetch_sha256, .pause = 0.01};
}

imsat_status fetch(const imsat_fetch_options *options, imsat_error *err)
{
    return imsat_fetch(web_url("file"), fetch_path, options, err);
}

void fetch_well(const imsat_fetch_options *options)
{
    imsat_error err;
    assert_ok(fetch(options, &err), &err);
}

void assert_fetched(const watch *w)
{
    assert_int_equal(read_file(fetch_path, got, sizeof got), FETCHED);
    assert_memory_equal(got, fetch_content, FETCHED);
    assert_int_equal(folder_count(), 1);
    assert_int_equal(w->whole, 1);
    assert_string_equal(w->sha256, fetch_sha256);
}

void assert_part(size_t size)
{
    assert_false(im_path_exists(fetch_path));
    assert_int_equal(read_file(fetch_part, got, sizeof got), size);
    assert_memory_equal(got, fetch_content, size);
}

void assert_asked_for(size_t i, const char *line)
{
    if (!strstr(web_request(i), line))
        fail_msg("request %zu lacks '%s': %s", i, line, web_request(i));
}
