/* SPDX-License-Identifier: MIT
 * What every figure has: a name, colors that can be seen, text that cannot do harm. */
#include "plot/figure.h"

#include "support.h"
#include "xml.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double linear(unsigned byte)
{
    const double c = byte / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* The relative luminance of WCAG 2. */
static double luminance(const char *color)
{
    unsigned r, g, b;
    assert_int_equal(sscanf(color, "#%2x%2x%2x", &r, &g, &b), 3);
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

static double contrast(double a, double b)
{
    return (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
}

/* 3:1 is what WCAG 2 asks for between graphics and their ground. */
static void colors_are_seen_on_light_and_dark_pages(void **state)
{
    (void)state;
    for (size_t i = 0; i < IM_FIGURE_COLORS; i++) {
        const double l = luminance(im_figure_color(i));
        if (contrast(l, 1) < 3 || contrast(l, luminance("#121212")) < 3)
            fail_msg("%s has luminance %g", im_figure_color(i), l);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(im_figure_color(i), im_figure_color(j));
    }
    assert_string_equal(im_figure_color(IM_FIGURE_COLORS + 3), im_figure_color(3));
}

static void a_figure_has_a_name(void **state)
{
    (void)state;
    for (int alone = 0; alone < 2; alone++) {
        im_strbuf out = {0};
        im_figure figure = {
            "fig-7", "Sizes <of> & \"clusters\"", "Ten 'bars'", 320, 200.5, alone, NULL, 0};
        im_figure_begin(&figure, &out);
        im_figure_end(&figure);
        assert_xml(out.text);
        assert_non_null(
            strstr(out.text, "role=\"img\" aria-labelledby=\"fig-7-title fig-7-desc\""));
        assert_non_null(strstr(out.text, "<title id=\"fig-7-title\">Sizes &lt;of&gt; &amp; "
                                         "&quot;clusters&quot;</title>"));
        assert_non_null(strstr(out.text, "<desc id=\"fig-7-desc\">Ten &#39;bars&#39;</desc>"));
        assert_non_null(strstr(out.text, "viewBox=\"0 0 320 200.5\""));
        assert_int_equal(strstr(out.text, "prefers-color-scheme") != NULL, alone);
        im_strbuf_clear(&out);
    }
}

static void long_text_is_cut_between_characters(void **state)
{
    (void)state;
    im_strbuf out = {0};
    im_figure figure = {"f", "t", "d", 100, 100, false, NULL, 0};
    im_figure_begin(&figure, &out);
    im_figure_text(&figure, (im_lettering){.x = 1, .y = 2, .size = 10, .room = 22},
                   "\xC3\xA4\xC3\xB6\xC3\xBC\xC3\x9F\xC3\xA4");
    im_figure_text(&figure, (im_lettering){.x = 1, .y = 2, .size = 10, .room = 22}, "abcd");
    im_figure_text(&figure, (im_lettering){.x = 3, .y = 4, .turn = true}, "up & away");
    im_figure_end(&figure);
    assert_xml(out.text);
    assert_non_null(strstr(out.text, ">\xC3\xA4\xC3\xB6\xC3\xBC\xE2\x80\xA6</text>"));
    assert_non_null(strstr(out.text, ">abcd</text>"));
    assert_non_null(strstr(out.text, "translate(3 4) rotate(-90)"));
    im_strbuf_clear(&out);
}

static void cells_fill_the_area(void **state)
{
    (void)state;
    const im_box area = {10, 20, 300, 80};
    const im_box cell = im_figure_cell(area, 2, 3, 4);
    assert_near(cell.x, 110, 1e-12);
    assert_near(cell.y, 60, 1e-12);
    assert_near(cell.width, 100, 1e-12);
    assert_near(cell.height, 40, 1e-12);
}

/* As wide as it may be, and in as many rows as that takes. */
static void a_legend_wraps(void **state)
{
    (void)state;
    const char *names[] = {"first", "the second of these", "<b>third</b>", "4"};
    im_strbuf out = {0};
    im_figure figure = {"f", "t", "d", 100, 100, false, NULL, 0};
    im_figure_begin(&figure, &out);
    const im_legend areas = {names, 4, false}, lines = {names, 4, true};
    assert_near(im_figure_legend_height(areas, 900), 18, 0);
    assert_near(im_figure_legend_height(areas, 90), 4 * 18, 0);
    assert_near(im_figure_legend_height((im_legend){0}, 90), 0, 0);
    im_figure_legend(&figure, (im_box){10, 20, 90, 100}, areas);
    assert_null(strstr(out.text, "<path"));
    assert_non_null(strstr(out.text, "<rect x=\"10\" y=\"76\"")); /* the last of four rows */
    im_figure_legend(&figure, (im_box){10, 20, 90, 100}, lines);
    assert_non_null(strstr(out.text, "stroke-dasharray"));
    im_figure_end(&figure);
    assert_xml(out.text);
    assert_non_null(strstr(out.text, "&lt;b&gt;third&lt;/b&gt;"));
    im_strbuf_clear(&out);
}

/* The check of the other tests is one that finds things. */
static void xml_is_checked(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "text",
                                      "<a>",
                                      "<a></b>",
                                      "<a x=1/>",
                                      "<a x=\"1\" x=\"2\"/>",
                                      "<a>&nbsp;</a>",
                                      "<a>1 > 0</a>",
                                      "<a>\x01</a>",
                                      "<a/><b/>",
                                      "<a x=\"<\"/>",
                                      "<a>\xFC</a>"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (!xml_trouble(bad[i]))
            fail_msg("\"%s\" passes for XML", bad[i]);
    assert_xml("<a x=\"1\"><b/>t&amp;<c y=\"&lt;\">u</c></a>\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colors_are_seen_on_light_and_dark_pages),
        cmocka_unit_test(a_figure_has_a_name),
        cmocka_unit_test(long_text_is_cut_between_characters),
        cmocka_unit_test(cells_fill_the_area),
        cmocka_unit_test(a_legend_wraps),
        cmocka_unit_test(xml_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
