/* SPDX-License-Identifier: MIT
 * Rows of clusters, drawn at random, and their pictures as panels of a figure. */
#include "reproduce/gallery.h"

#include "core/alloc.h"
#include "failing_alloc.h"
#include "support.h"
#include "xml.h"

#include <string.h>

enum { ROWS = 137, K = 14, SIDE = IM_GALLERY_SIDE, PLACES = SIDE * SIDE, PIXELS = 6 };

/* Cluster 3 is empty, cluster 5 has two rows, the others share what is left. */
static void make_labels(int32_t *labels)
{
    for (size_t i = 0; i < ROWS; i++) {
        labels[i] = (int32_t)(i % K);
        if (labels[i] == 3 || (labels[i] == 5 && i >= 2 * K))
            labels[i] = 6;
    }
}

static void rows_are_of_one_cluster(void **state)
{
    (void)state;
    int32_t labels[ROWS];
    size_t sample[PLACES], again[PLACES];
    bool seen[ROWS] = {false}, used[K] = {false};
    size_t short_lines = 0;
    make_labels(labels);
    assert_ok(im_gallery_sample(sample, labels, ROWS, K, 4, NULL), NULL);
    for (size_t line = 0; line < SIDE; line++) {
        const int32_t cluster = labels[sample[line * SIDE]];
        size_t members = 0, drawn = 0;
        assert_false(used[cluster]);
        used[cluster] = true;
        for (size_t i = 0; i < ROWS; i++)
            members += labels[i] == cluster;
        for (size_t j = 0; j < SIDE; j++) {
            const size_t row = sample[line * SIDE + j];
            if (row == SIZE_MAX)
                continue;
            assert_false(seen[row]);
            seen[row] = true;
            assert_int_equal(labels[row], cluster);
            drawn++;
        }
        assert_int_equal(drawn, members < SIDE ? members : SIDE);
        short_lines += drawn < SIDE;
    }
    assert_true(short_lines > 0);
    assert_ok(im_gallery_sample(again, labels, ROWS, K, 4, NULL), NULL);
    assert_memory_equal(sample, again, sizeof sample);
    assert_ok(im_gallery_sample(again, labels, ROWS, K, 5, NULL), NULL);
    assert_memory_not_equal(sample, again, sizeof sample);
}

/* Fewer clusters than lines. */
static void lines_may_be_empty(void **state)
{
    (void)state;
    const int32_t labels[] = {0, 1, 1, 0, 1};
    size_t sample[PLACES], drawn = 0;
    assert_ok(im_gallery_sample(sample, labels, 5, 3, 1, NULL), NULL);
    for (size_t i = 0; i < PLACES; i++)
        drawn += sample[i] != SIZE_MAX;
    assert_int_equal(drawn, 5);
    assert_true(sample[2 * SIDE] == SIZE_MAX);
}

static imsat_data *open_images(void)
{
    static float x[ROWS * PIXELS];
    imsat_data *data = NULL;
    for (size_t i = 0; i < ROWS * PIXELS; i++)
        x[i] = (float)(i % 11);
    assert_ok(imsat_data_view(&data, x, ROWS, PIXELS, PIXELS, NULL), NULL);
    data->image = (imsat_image){2, 3, 1};
    return data;
}

static void the_figure_has_two_panels(void **state)
{
    (void)state;
    int32_t labels[ROWS];
    size_t sample[PLACES];
    im_plan plan;
    im_strbuf out = {0};
    imsat_data *data = open_images();
    const imsat_reproduce_options options = {.folder = ".", .trials = 1};
    make_labels(labels);
    assert_ok(im_gallery_sample(sample, labels, ROWS, K, 1, NULL), NULL);
    assert_ok(im_plan_make(&plan, IMSAT_EXPERIMENT_OMNIGLOT, &options, NULL), NULL);
    assert_int_equal(plan.count, 3);
    assert_string_equal(plan.cell[2].row->method, "imsat-vat-affine");
    assert_ok(im_gallery_draw(&plan.cell[2].picture, data, sample, NULL), NULL);
    plan.cell[2].done = plan.cell[0].done = true;
    plan.cell[0].picture = im_strdup("data:image/png;base64,AA'/onload=");
    im_gallery_figure(&out, &plan);
    assert_xml(out.text);
    assert_non_null(strstr(out.text, ">imsat-vat</text>"));
    assert_non_null(strstr(out.text, ">imsat-vat-affine</text>"));
    const char *image = strstr(out.text, "<image");
    assert_non_null(image);
    assert_non_null(strstr(image, "href=\"data:image/png;base64,iVBORw0KGgo"));
    assert_null(strstr(image + 1, "<image")); /* what is no picture is not shown */
    im_strbuf_clear(&out);
    im_plan_clear(&plan);
    imsat_data_free(data);
}

static imsat_status draw_once(void *context, imsat_error *err)
{
    int32_t labels[ROWS];
    size_t sample[PLACES];
    char *url = NULL;
    make_labels(labels);
    imsat_status st = im_gallery_sample(sample, labels, ROWS, K, 1, err);
    if (st == IMSAT_OK)
        st = im_gallery_draw(&url, context, sample, err);
    assert_true((st == IMSAT_OK) == (url != NULL));
    im_free(url);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    imsat_data *data = open_images();
    assert_true(fail_each(draw_once, data) > 3);
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_of_one_cluster),
        cmocka_unit_test(lines_may_be_empty),
        cmocka_unit_test(the_figure_has_two_panels),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
