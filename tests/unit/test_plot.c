/* SPDX-License-Identifier: MIT
 *
 * Panels: that each is XML, that the data are where they belong, and whole figures as they
 * were looked at once, kept in tests/data/plot. With IMSAT_KEEP_FIGURES set, those are written
 * anew: look at them before they are committed. */
#include "plot/plot.h"

#include "failing_alloc.h"
#include "support.h"
#include "xml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEPT IMSAT_SOURCE "/tests/data/plot/"

static const im_box all = {0, 0, 400, 260};

static im_figure figure_of(const char *id)
{
    return (im_figure){id, "A <figure>", "What is to be seen & how", 400, 260, true, NULL, 0};
}

/* Compare with the figure that is kept. */
static void assert_kept(const char *name, const im_strbuf *out)
{
    static char kept[1 << 17];
    char path[256];
    imsat_error err;
    assert_xml(out->text);
    snprintf(path, sizeof path, KEPT "%s.svg", name);
    if (getenv("IMSAT_KEEP_FIGURES"))
        assert_ok(im_strbuf_save(out, path, &err), &err);
    const size_t size = read_file(path, kept, sizeof kept - 1);
    kept[size] = '\0';
    assert_string_equal(out->text, kept);
}

static size_t count_of(const char *text, const char *part)
{
    size_t count = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        count++;
    return count;
}

static void draw_lines(im_strbuf *out)
{
    static const double x[] = {0.025, 0.05, 0.1, 0.2, 0.4, 0.8},
                        a[] = {71, 82.5, 90, 93, 91, 60}, b[] = {55, 60, NAN, 72, 70, 64},
                        c[] = {-1, 50, 52, 54, 56, 58};
    const im_plot_series series[] = {
        {.name = "imsat-vat", .x = x, .y = a, .n = 6, .points = true},
        {.name = "<script>alert('deep-rim')</script>", .x = x, .y = b, .n = 6},
        {.name = "a run", .x = x, .y = c, .n = 6, .faint = true}};
    im_figure figure = figure_of("lines");
    im_figure_begin(&figure, out);
    im_plot_lines(&figure, all,
                  (im_plot_axes){.title = "Accuracy & weight",
                                 .x = {.label = "lambda", .log = true},
                                 .y = {.label = "ACC %", .low = 40, .high = 100}},
                  series, 3);
    im_figure_end(&figure);
}

static void lines_are_drawn(void **state)
{
    (void)state;
    im_strbuf out = {0};
    draw_lines(&out);
    assert_null(strstr(out.text, "<script"));
    assert_int_equal(count_of(out.text, "<circle"), 6);
    assert_kept("lines", &out);
    im_strbuf_clear(&out);
}

/* Numbers 1, 2, .. where there is no x; one series has no legend. */
static void a_single_series_is_plain(void **state)
{
    (void)state;
    const double y[] = {3, 1, 2};
    im_strbuf out = {0};
    im_figure figure = figure_of("one");
    im_figure_begin(&figure, &out);
    im_plot_lines(&figure, all, (im_plot_axes){0},
                  &(im_plot_series){.name = "objective", .y = y, .n = 3}, 1);
    im_figure_end(&figure);
    assert_xml(out.text);
    assert_null(strstr(out.text, "objective"));
    assert_non_null(strstr(out.text, "M48 12L218 240L388 126"));
    im_strbuf_clear(&out);
}

/* No data, or none that can be shown, is an empty panel. */
static void nothing_is_drawn_of_nothing(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY};
    const int32_t class_of[] = {5, -1};
    im_strbuf out = {0};
    im_figure figure = figure_of("none");
    im_figure_begin(&figure, &out);
    im_plot_lines(&figure, all, (im_plot_axes){0}, NULL, 0);
    im_plot_lines(&figure, all, (im_plot_axes){.y.log = true},
                  &(im_plot_series){.name = "x", .y = bad, .n = 2}, 1);
    im_plot_bars(&figure, all, (im_plot_axes){0}, NULL, 0);
    im_plot_heat(&figure, all, (im_plot_axes){0}, &(im_plot_table){0});
    im_plot_scatter(
        &figure, all, (im_plot_axes){0},
        &(im_plot_points){.x = bad, .y = bad, .class_of = class_of, .n = 2, .classes = 2});
    im_figure_end(&figure);
    assert_xml(out.text);
    assert_null(strstr(out.text, "nan"));
    assert_null(strstr(out.text, "inf"));
    assert_null(strstr(out.text, "h0"));
    im_strbuf_clear(&out);
}

static void points_are_drawn(void **state)
{
    (void)state;
    const double x[] = {0, 1, 2, 3, 4}, y[] = {10, 40, 20, 30, 25};
    const int32_t class_of[] = {0, 1, 0, 1, 7};
    const char *names[] = {"zero", "one & only"};
    im_strbuf out = {0};
    im_figure figure = figure_of("points");
    im_figure_begin(&figure, &out);
    im_plot_scatter(&figure, all, (im_plot_axes){.x.label = "x", .y.label = "y"},
                    &(im_plot_points){x, y, class_of, 5, 2, names, 0});
    im_figure_end(&figure);
    assert_int_equal(count_of(out.text, "h0"), 4); /* class 7 is not among them */
    assert_kept("points", &out);
    im_strbuf_clear(&out);
}

static void bars_are_drawn(void **state)
{
    (void)state;
    const im_plot_bar bars[] = {{"a", 180, 179.7}, {"<b>", 0, 179.7}, {"c", 359, NAN}};
    im_strbuf out = {0};
    im_figure figure = figure_of("bars");
    im_figure_begin(&figure, &out);
    im_plot_bars(&figure, all,
                 (im_plot_axes){.title = "Sizes", .x.label = "cluster", .y.label = "rows"},
                 bars, 3);
    im_figure_end(&figure);
    assert_non_null(strstr(out.text, "<title>&lt;b&gt;: 0 (expected 179.7)</title>"));
    assert_non_null(strstr(out.text, "<title>c: 359</title>"));
    assert_kept("bars", &out);
    im_strbuf_clear(&out);
}

static void counts_are_drawn(void **state)
{
    (void)state;
    const double count[] = {50, 0, 50, 0, 7, 0};
    const char *rows[] = {"cat", "\x1B[31mdog"};
    im_strbuf out = {0};
    im_figure figure = figure_of("counts");
    im_figure_begin(&figure, &out);
    im_plot_heat(&figure, all, (im_plot_axes){.x.label = "cluster", .y.label = "class"},
                 &(im_plot_table){count, 2, 3, rows, NULL});
    im_figure_end(&figure);
    assert_int_equal(count_of(out.text, "fill-opacity=\"0.54\""), 2);
    assert_int_equal(count_of(out.text, "fill-opacity=\"1\""), 1);
    assert_kept("counts", &out);
    im_strbuf_clear(&out);
}

/* Two panels beside each other: small multiples. */
static void regions_are_drawn(void **state)
{
    (void)state;
    const int32_t grid[] = {0, 0, 1, 1, 0, 1, 1, -1}, class_of[] = {0, 1};
    const double x[] = {0.5, 3.5}, y[] = {1.5, 0.5};
    const im_plot_points points = {x, y, class_of, 2, 2, NULL, 6};
    im_strbuf out = {0};
    im_figure figure = figure_of("regions");
    im_figure_begin(&figure, &out);
    const im_plot_axes axes = {
        .title = "5-5", .bare = true, .x = {.high = 4}, .y = {.high = 2}};
    for (size_t i = 0; i < 2; i++)
        im_plot_regions(&figure, im_figure_cell(all, 1, 2, i), axes,
                        (im_plot_grid){grid, 2, 4}, &points);
    im_figure_end(&figure);
    assert_int_equal(count_of(out.text, "h-"), 2 * 4); /* runs of cells */
    assert_kept("regions", &out);
    im_strbuf_clear(&out);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    (void)context;
    im_strbuf out = {0};
    draw_lines(&out);
    const imsat_status st = im_strbuf_check(&out, "the figure", err);
    im_strbuf_clear(&out);
    return st;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    assert_true(fail_each(attempt, NULL) > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_drawn),
        cmocka_unit_test(a_single_series_is_plain),
        cmocka_unit_test(nothing_is_drawn_of_nothing),
        cmocka_unit_test(points_are_drawn),
        cmocka_unit_test(bars_are_drawn),
        cmocka_unit_test(counts_are_drawn),
        cmocka_unit_test(regions_are_drawn),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
