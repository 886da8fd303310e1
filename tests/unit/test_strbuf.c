/* SPDX-License-Identifier: MIT
 * A text that grows, its numbers, and what it makes of markup. */
#include "core/strbuf.h"

#include "failing_alloc.h"
#include "support.h"

#include <math.h>
#include <string.h>

static void it_grows(void **state)
{
    (void)state;
    im_strbuf out = {0};
    for (size_t i = 0; i < 5000; i++) {
        im_strbuf_count(&out, i % 10);
        assert_int_equal(strlen(out.text), i + 1);
    }
    im_strbuf_format(&out, "[%s %d]", "word", -7);
    im_strbuf_bytes(&out, "cut here", 3);
    assert_string_equal(out.text + 5000, "[word -7]cut");
    im_strbuf_clear(&out);
    assert_null(out.text);
    im_strbuf_clear(NULL);
}

static void assert_fixed(double value, unsigned decimals, const char *fixed,
                         const char *padded)
{
    im_strbuf out = {0};
    im_strbuf_fixed(&out, value, decimals);
    assert_string_equal(out.text, fixed);
    im_strbuf_clear(&out);
    im_strbuf_padded(&out, value, decimals);
    assert_string_equal(out.text, padded);
    im_strbuf_clear(&out);
}

static void numbers_are_rounded(void **state)
{
    (void)state;
    assert_fixed(0, 2, "0", "0.00");
    assert_fixed(-0.001, 2, "0", "0.00");
    assert_fixed(84.1, 2, "84.1", "84.10");
    assert_fixed(-1.005, 1, "-1", "-1.0");
    assert_fixed(99.999, 2, "100", "100.00");
    assert_fixed(0.06, 2, "0.06", "0.06");
    assert_fixed(1234567, 0, "1234567", "1234567");
    assert_fixed(5e13, 9, "50000000000000", "50000000000000");
    assert_fixed(2.5e20, 3, "2.5e+20", "2.5e+20");
    assert_fixed(NAN, 2, "nan", "nan");
    assert_fixed(-INFINITY, 2, "-inf", "-inf");
}

static void markup_is_escaped(void **state)
{
    (void)state;
    im_strbuf out = {0};
    im_strbuf_escape(&out, "<script a='b' c=\"d\">&\x01\x1B[31m\xC3\xA4\xFC\xEF\xBF\xBF\n"
                           "\xE2\x80\xAE</script>");
    assert_string_equal(out.text,
                        "&lt;script a=&#39;b&#39; c=&quot;d&quot;&gt;&amp;\xEF\xBF\xBD"
                        "\xEF\xBF\xBD[31m\xC3\xA4\xC3\xBC\xEF\xBF\xBD\n\xEF\xBF\xBD"
                        "&lt;/script&gt;");
    im_strbuf_clear(&out);
    im_strbuf_escape_bytes(&out, "a<b>c", 2);
    assert_string_equal(out.text, "a&lt;");
    im_strbuf_clear(&out);
}

static void no_memory_is_told_once(void **state)
{
    (void)state;
    imsat_error err;
    im_strbuf out = {0};
    failing_alloc_arm(1);
    im_strbuf_put(&out, "lost");
    failing_alloc_arm(0);
    im_strbuf_put(&out, "lost, too");
    assert_null(out.text);
    assert_refused(im_strbuf_check(&out, "the figure", &err), &err, IMSAT_ENOMEM,
                   "no memory for the figure");
    assert_refused(im_strbuf_save(&out, in_folder("no"), &err), &err, IMSAT_ENOMEM, "");
    assert_int_equal(folder_count(), 0);
    im_strbuf_clear(&out);
}

static void base64(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        im_strbuf out = {0};
        im_strbuf_base64(&out, pairs[i][0], strlen(pairs[i][0]));
        assert_string_equal(out.text ? out.text : "", pairs[i][1]);
        im_strbuf_clear(&out);
    }
    im_strbuf out = {0};
    im_strbuf_base64(&out, "\xff\xfe\xfd", 3);
    assert_string_equal(out.text, "//79");
    im_strbuf_clear(&out);
}

static void it_is_saved_whole(void **state)
{
    (void)state;
    imsat_error err;
    char bytes[16] = "";
    im_strbuf out = {0};
    assert_ok(im_strbuf_save(&out, in_folder("a"), &err), &err);
    assert_int_equal(read_file(in_folder("a"), bytes, sizeof bytes), 0);
    im_strbuf_put(&out, "text\n");
    assert_ok(im_strbuf_save(&out, in_folder("a"), &err), &err);
    assert_int_equal(read_file(in_folder("a"), bytes, sizeof bytes), 5);
    assert_memory_equal(bytes, "text\n", 5);
    assert_refused(im_strbuf_save(&out, in_folder("no/a"), &err), &err, IMSAT_EIO, "no/a");
    im_strbuf_clear(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_grows),          cmocka_unit_test(numbers_are_rounded),
        cmocka_unit_test(markup_is_escaped), cmocka_unit_test(no_memory_is_told_once),
        cmocka_unit_test(it_is_saved_whole), cmocka_unit_test(base64),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
