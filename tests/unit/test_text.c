/* SPDX-License-Identifier: MIT
 * The lines of a text, plain and decompressed, wherever the window ends. */
#include "data/text.h"

#include "core/alloc.h"
#include "data_files.h"
#include "failing_alloc.h"

#include <stdio.h>
#include <string.h>

/* Of the window: text.c. */
enum { WINDOW = 1 << 20, SIZE = 3 * WINDOW + 1234 };

static char content[SIZE + 1];

/* Lines of 1 to 200 bytes; the last has no newline. */
static int make_lines(void **state)
{
    uint32_t x = 1;
    for (size_t i = 0; i < SIZE; i++) {
        x = x * 1664525U + 1013904223U;
        content[i] = (char)('a' + (x >> 24) % 26);
        if ((x >> 12) % 100 == 0)
            content[i] = '\n';
    }
    content[SIZE - 1] = 'z';
    return folder_setup(state);
}

/* Put the parts together; each must be whole lines. Returns how many there were. */
static size_t assert_lines(const char *path, size_t size)
{
    imsat_error err;
    im_bytes bytes = {0};
    im_text text = {0};
    size_t at = 0, parts = 0;
    assert_ok(im_bytes_open(&bytes, path, &err), &err);
    assert_ok(im_text_begin(&text, &bytes, &err), &err);
    for (; text.at < text.end; parts++) {
        const size_t here = (size_t)(text.end - text.at);
        assert_true(at + here <= size);
        assert_int_equal(memcmp(text.at, content + at, here), 0);
        at += here;
        assert_true(at == size || text.end[-1] == '\n');
        assert_ok(im_text_next(&text, &err), &err);
    }
    assert_int_equal(at, size);
    assert_ok(im_text_next(&text, &err), &err); /* the end stays the end */
    assert_true(text.at == text.end);
    im_text_clear(&text);
    im_bytes_clear(&bytes);
    return parts;
}

static void a_plain_text_is_given_at_once(void **state)
{
    (void)state;
    assert_int_equal(assert_lines(file_put("plain", content, SIZE), SIZE), 1);
}

static void a_compressed_one_goes_through_a_window(void **state)
{
    (void)state;
    assert_int_equal(assert_lines(file_gzip("text.gz", content, SIZE), SIZE), 4);
    const size_t sizes[] = {1,      IM_BYTES_HEAD - 1, IM_BYTES_HEAD, WINDOW - 1,
                            WINDOW, WINDOW + 1};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        assert_lines(file_gzip("text.gz", content, sizes[i]), sizes[i]);
    assert_int_equal(assert_lines(file_gzip("text.gz", content, 0), 0), 0);
}

static void a_long_line_widens_it(void **state)
{
    (void)state;
    char *newline = strchr(content + 100, '\n');
    char *line = test_malloc(2 * WINDOW + 5);
    memcpy(line, newline, 2 * WINDOW + 5);
    memset(newline, 'y', 2 * WINDOW + 5);
    assert_lines(file_gzip("long.gz", content, SIZE), SIZE);
    assert_lines(file_gzip("long.gz", content, 2 * WINDOW + 5), 2 * WINDOW + 5);
    memcpy(newline, line, 2 * WINDOW + 5);
    test_free(line);
}

static void it_can_be_widened(void **state)
{
    (void)state;
    imsat_error err;
    im_bytes bytes = {0};
    im_text text = {0};
    bool more = false;
    size_t before = 0;
    assert_ok(im_bytes_open(&bytes, file_gzip("wide.gz", content, SIZE), &err), &err);
    assert_ok(im_text_begin(&text, &bytes, &err), &err);
    for (int i = 0; i < 3; i++) {
        const size_t here = (size_t)(text.end - text.at);
        assert_true(here > before);
        before = here;
        assert_int_equal(memcmp(text.at, content, here), 0);
        assert_ok(im_text_widen(&text, &more, &err), &err);
        assert_int_equal(more, i < 2);
    }
    assert_int_equal(text.end - text.at, SIZE);
    im_text_clear(&text);
    im_bytes_clear(&bytes);
    assert_ok(im_bytes_open(&bytes, file_put("plain", content, SIZE), &err), &err);
    assert_ok(im_text_begin(&text, &bytes, &err), &err);
    assert_ok(im_text_widen(&text, &more, &err), &err);
    assert_false(more);
    assert_int_equal(text.end - text.at, SIZE);
    im_text_clear(&text);
    im_bytes_clear(&bytes);
}

/* A line beyond all measure: 257 MiB. */
static void an_endless_line_is_refused(void **state)
{
    (void)state;
    imsat_error err;
    im_bytes bytes = {0};
    im_text text = {0};
    static char part[WINDOW];
    memset(part, '1', WINDOW);
    const char *path = file_bomb("endless.gz", "", 0, part, WINDOW, 257);
    assert_ok(im_bytes_open(&bytes, path, &err), &err);
    assert_refused(im_text_begin(&text, &bytes, &err), &err, IMSAT_EFORMAT,
                   "takes more than 256 MiB");
    assert_message(&err, path, "endless.gz");
    im_text_clear(&text);
    im_bytes_clear(&bytes);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_bytes bytes = {0};
    im_text text = {0};
    bool more = true;
    IM_TRY(im_bytes_open(&bytes, context, err));
    IM_TRY(im_text_begin(&text, &bytes, err));
    IM_TRY(im_text_widen(&text, &more, err));
    while (text.at < text.end)
        IM_TRY(im_text_next(&text, err));

cleanup:
    im_text_clear(&text);
    im_bytes_clear(&bytes);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s", file_gzip("scarce.gz", content, SIZE));
    assert_int_equal(fail_each(attempt, path), 5 + 1 + 2); /* stream, head, windows */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_text_is_given_at_once),
        cmocka_unit_test(a_compressed_one_goes_through_a_window),
        cmocka_unit_test(a_long_line_widens_it),
        cmocka_unit_test(it_can_be_widened),
        cmocka_unit_test(an_endless_line_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("text", tests, make_lines, folder_teardown);
}
