/* SPDX-License-Identifier: MIT
 * Data for scripts: what data says cannot end or open anything. */
#include "report/script.h"

#include "support.h"

#include <jansson.h>
#include <string.h>

static void assert_script(const char *text, const char *expected)
{
    im_strbuf out = {0};
    im_script_text(&out, text);
    assert_string_equal(out.text, expected);
    im_strbuf_clear(&out);
}

static void hostile_text_stays_a_string(void **state)
{
    (void)state;
    assert_script(
        "</script><script>alert(1)</script>",
        "\"\\u003c/script\\u003e\\u003cscript\\u003ealert(1)\\u003c/script\\u003e\"");
    assert_script("<!--", "\"\\u003c!--\"");
    assert_script("a\"b\\c&d", "\"a\\u0022b\\u005cc\\u0026d\"");
    assert_script("line\nend\x7f", "\"line\\u000aend\\u007f\"");
    assert_script("\xe2\x80\xa8 \xe2\x80\xa9", "\"\\u2028 \\u2029\"");
    assert_script("\xc3\xa9", "\"\xc3\xa9\"");
    assert_script("\xe9", "\"\xc3\xa9\""); /* Latin-1 */
}

/* All bytes come back as a reader of JSON sees them. */
static void it_reads_back(void **state)
{
    (void)state;
    char text[256];
    im_strbuf out = {0};
    for (size_t i = 0; i < 127; i++)
        text[i] = (char)(i + 1);
    text[127] = '\0';
    im_script_text(&out, text);
    json_t *back = json_loads(out.text, JSON_DECODE_ANY, NULL);
    assert_string_equal(json_string_value(back), text);
    assert_null(strpbrk(out.text, "<>&\n"));
    json_decref(back);
    im_strbuf_clear(&out);
}

/* printf abc | openssl sha256 -binary | base64 */
static void the_hash_of_a_policy(void **state)
{
    (void)state;
    im_strbuf out = {0};
    im_script_hash(&out, "abc");
    assert_string_equal(out.text, "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    im_strbuf_clear(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hostile_text_stays_a_string),
        cmocka_unit_test(it_reads_back),
        cmocka_unit_test(the_hash_of_a_policy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
