/* SPDX-License-Identifier: MIT
 * The page of a report: whole, small, the same for any number of threads, and harmless
 * whatever data says. tests/page opens it in a browser. tsan: any_number_of_threads. */
#include "imsat/report.h"

#include "blobs.h"
#include "data/dataset.h"
#include "data_files.h"
#include "failing_alloc.h"
#include "report/assets.h"
#include "report/script.h"
#include "xml.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = 2 << 20 };
static char page[ROOM];

static imsat_report_options defaults(void)
{
    return (imsat_report_options){.size = sizeof(imsat_report_options), .threads = 2};
}

static imsat_model *train(const imsat_data *data, const imsat_options *options)
{
    imsat_model *model = NULL;
    imsat_error err;
    assert_ok(options->task == IMSAT_TASK_HASH
                  ? imsat_hash(&model, data, options, NULL, &err)
                  : imsat_cluster(&model, data, options, NULL, &err),
              &err);
    return model;
}

/* Write a page and read it; returns its size. */
static size_t write_page(const imsat_model *model, const imsat_data *data,
                         const imsat_report_options *options)
{
    imsat_error err;
    const char *path = in_folder("page.html");
    assert_ok(imsat_report_write(path, model, data, options, &err), &err);
    const size_t size = read_file(path, page, ROOM - 1);
    assert_true(size < ROOM - 1);
    page[size] = '\0';
    return size;
}

/* The text between the first `begin` and the `end` behind it becomes blank. */
static void blank(char *text, const char *begin, const char *end)
{
    char *at = strstr(text, begin);
    assert_non_null(at);
    at += strlen(begin);
    char *stop = strstr(at, end);
    assert_non_null(stop);
    memset(at, ' ', (size_t)(stop - at));
}

/* Style and script aside it is XML, and they are ours, with nothing else that could run. */
static void assert_page(void)
{
    static char copy[ROOM];
    im_strbuf hash = {0};
    strcpy(copy, page);
    assert_memory_equal(copy, "<!DOCTYPE html>\n", 16);
    blank(copy, "<style>", "</style>");
    blank(copy, "id=\"data\">", "</script>");
    blank(copy, "<script>", "</script>");
    assert_xml(copy + 16);
    assert_null(strstr(copy, " style="));
    assert_null(strstr(copy, " on"
                             "click"));
    assert_null(strstr(copy, "javascript:"));
    assert_null(strstr(copy, " href=\"http"));
    im_strbuf_put(&hash, "script-src 'sha256-");
    im_script_hash(&hash, im_assets_js);
    assert_non_null(strstr(copy, hash.text));
    assert_non_null(strstr(copy, "default-src 'none'"));
    im_strbuf_clear(&hash);
}

static json_t *data_of_page(void)
{
    static const char begin[] = "id=\"data\">";
    const char *at = strstr(page, begin) + sizeof begin - 1;
    json_error_t why;
    json_t *object = json_loadb(at, (size_t)(strstr(at, "</script>") - at), 0, &why);
    if (!object)
        fail_msg("%s", why.text);
    return object;
}

static size_t text_length(const json_t *object, const char *name)
{
    return json_string_length(json_object_get(object, name));
}

/* ---- what is on it ----------------------------------------------------------------- */

static void clusters_of_rows(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    const imsat_options options = blobs_options("imsat-vat");
    imsat_model *model = train(data, &options);
    imsat_report_options about = defaults();
    int32_t truth[BLOB_ROWS];
    for (size_t i = 0; i < BLOB_ROWS; i++)
        truth[i] = (int32_t)(i % BLOB_K) - 7;
    about.truth = truth;
    about.title = "Three blobs";
    about.columns = (const char *const[]){"ash", "elm", NULL, "fir", "oak", "yew"};
    write_page(model, data, &about);
    assert_page();
    assert_non_null(strstr(page, "<title>Three blobs</title>"));
    assert_non_null(strstr(page, "203 rows of 6 columns fell into <strong>3 clusters"));
    assert_non_null(strstr(page, "from these very rows"));
    assert_non_null(strstr(page, "there is something to find (information "));
    assert_non_null(strstr(page, "mostly class -7"));
    assert_non_null(strstr(page, "id=\"classes-figure\""));
    assert_non_null(strstr(page, "Columns of cluster 2"));
    assert_non_null(strstr(page, ">oak<"));
    assert_non_null(strstr(page, "borderline, row "));
    json_t *object = data_of_page();
    assert_int_equal(json_integer_value(json_object_get(object, "count")), BLOB_ROWS);
    assert_int_equal(text_length(object, "row"), (BLOB_ROWS * 4 + 2) / 3 * 4);
    assert_int_equal(text_length(object, "x"), (BLOB_ROWS * 2 + 2) / 3 * 4);
    assert_string_equal(
        json_string_value(json_array_get(json_object_get(object, "classes"), 2)), "-5");
    json_decref(object);
    imsat_model_free(model);
    imsat_data_free(data);
}

static void clusters_of_images(void **state)
{
    (void)state;
    imsat_data *data = blobs_open_images();
    const imsat_options options = blobs_options("kmeans");
    imsat_model *model = train(data, &options);
    write_page(model, data, NULL);
    assert_page();
    assert_non_null(strstr(page, "203 images of 2 x 3 pixels"));
    assert_non_null(strstr(page, "<img alt=\"row "));
    json_t *object = data_of_page();
    const json_t *sheet = json_object_get(object, "sheet");
    assert_int_equal(json_integer_value(json_object_get(sheet, "count")), BLOB_ROWS);
    assert_null(json_object_get(object, "class"));
    json_decref(object);
    imsat_model_free(model);
    imsat_data_free(data);
}

static void codes_and_a_search(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    const imsat_options options = blobs_hash_options("imsat-vat");
    imsat_model *model = train(data, &options);
    write_page(model, data, NULL);
    assert_page();
    assert_non_null(strstr(page, "<strong>11 bits</strong>"));
    assert_non_null(strstr(page, "<form id=\"ask\""));
    json_t *object = data_of_page();
    assert_int_equal(json_integer_value(json_object_get(object, "coded")), BLOB_ROWS);
    assert_int_equal(text_length(object, "codes"), (BLOB_ROWS * 2 + 2) / 3 * 4);
    json_decref(object);
    imsat_model_free(model);
    imsat_data_free(data);
}

/* How often a text is on the page. */
static size_t count_of(const char *text)
{
    size_t count = 0;
    for (const char *at = page; (at = strstr(at, text)); at++)
        count++;
    return count;
}

/* A figure for the objective and for each of its terms, with a line for every run. */
static void the_course_of_a_training(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_options options = blobs_options("imsat-vat");
    options.runs = 2;
    imsat_model *model = train(data, &options);
    write_page(model, data, NULL);
    assert_page();
    assert_non_null(strstr(page, "<title id=\"curve-0-title\">objective</title>"));
    assert_non_null(strstr(page, "<title id=\"curve-1-title\">sat</title>"));
    assert_non_null(strstr(page, ">marginal_kl</title>"));
    assert_null(strstr(page, ">pair_info</title>"));
    assert_null(strstr(page, ">decay</title>")); /* which is 0 all the time */
    assert_int_equal(count_of(">run 1"), 5);
    assert_int_equal(count_of(">run 1 *<") + count_of(">run 2 *<"), 5);
    assert_non_null(strstr(page, "agreement of 2 runs"));
    imsat_model_free(model);
    imsat_data_free(data);
}

static void methods_without_terms_have_a_loss(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    const char *methods[] = {"kmeans", "dae-kmeans", "dec"};
    for (size_t i = 0; i < 3; i++) {
        const imsat_options options = blobs_options(methods[i]);
        imsat_model *model = train(data, &options);
        write_page(model, data, NULL);
        assert_page();
        assert_int_equal(count_of("class=\"plot\" id=\"curve-"), i ? 1 : 0);
        assert_int_equal(count_of("This method has no epochs"), i ? 0 : 1);
        assert_int_equal(count_of("The method expects no sizes"), 1);
        imsat_model_free(model);
    }
    imsat_data_free(data);
}

/* A model that was just trained and its file have the same page, prior and course included. */
static void the_file_of_a_model_says_as_much(void **state)
{
    (void)state;
    static char before[ROOM];
    const double prior[BLOB_K] = {0.2, 0.5, 0.3};
    imsat_data *data = blobs_open();
    imsat_options options = blobs_options("imsat-vat");
    imsat_error err;
    options.prior = prior;
    imsat_model *model = train(data, &options);
    const size_t size = write_page(model, data, NULL);
    memcpy(before, page, size + 1);
    assert_ok(imsat_model_save(model, in_folder("model"), &err), &err);
    imsat_model_free(model);
    model = NULL;
    assert_ok(imsat_model_load(&model, in_folder("model"), &err), &err);
    assert_int_equal(write_page(model, data, NULL), size);
    assert_memory_equal(page, before, size);
    assert_non_null(strstr(page, "id=\"curve-0\""));
    assert_non_null(strstr(page, "the size that the prior expects.<"));
    float some[50 * BLOB_DIM];
    imsat_data *part = NULL;
    assert_ok(imsat_data_read(data, 0, 50, some, &err), &err);
    assert_ok(imsat_data_view(&part, some, 50, BLOB_DIM, BLOB_DIM, &err), &err);
    write_page(model, part, NULL);
    assert_non_null(strstr(page, "from 203 rows that are not just these."));
    imsat_data_free(part);
    imsat_model_free(model);
    imsat_data_free(data);
}

/* ---- hostile texts ------------------------------------------------------------------ */

#define ATTACK  "<img src=x onerror=alert(1)>"
#define ESCAPED "&lt;img src=x onerror=alert(1)&gt;"

static void names_of_columns_and_files(void **state)
{
    (void)state;
    char text[4096] = "\"" ATTACK "\",\"</script><script>alert(2)</script>\"\n";
    imsat_data *data = NULL;
    imsat_error err;
    imsat_report_options about = defaults();
    for (size_t i = 0; i < 40; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%zu,%zu\n",
                 i % 2 * 9 + i % 5, i % 7);
    const char *path = file_text("<b>&amp;.csv", text);
    assert_ok(imsat_data_open(&data, &path, 1, NULL, &err), &err);
    imsat_options options = blobs_options("kmeans");
    options.k = 2;
    imsat_model *model = train(data, &options);
    about.paths = &path;
    about.npaths = 1;
    write_page(model, data, &about);
    assert_page();
    assert_null(strstr(page, "<img src=x"));
    assert_null(strstr(page, "<script>alert"));
    assert_non_null(strstr(page, ESCAPED));
    assert_non_null(strstr(page, "Clusters of &lt;b&gt;&amp;amp;.csv"));
    const int32_t truth[40] = {1, 0, 2};
    about.truth = truth;
    about.classes = (const char *const[]){ATTACK, "</script><b>", NULL};
    write_page(model, data, &about);
    assert_page();
    assert_null(strstr(page, "<img src=x"));
    assert_non_null(strstr(page, "mostly class " ESCAPED));
    json_t *object = data_of_page();
    const json_t *classes = json_object_get(object, "classes");
    assert_string_equal(json_string_value(json_array_get(classes, 1)), "</script><b>");
    assert_string_equal(json_string_value(json_array_get(classes, 2)), "2");
    json_decref(object);
    about.title = "</title>" ATTACK;
    write_page(model, data, &about);
    assert_page();
    assert_null(strstr(page, "<img src=x"));
    imsat_model_free(model);
    imsat_data_free(data);
}

static void texts(void **state)
{
    (void)state;
    char text[8192] = "";
    imsat_data *data = NULL;
    imsat_error err;
    imsat_report_options about = defaults();
    for (size_t i = 0; i < 40; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 "{\"text\": \"%s %s number%zu </script>" ATTACK "\"}\n",
                 i % 2 ? "apple pear" : "wheel brake", i % 2 ? "fruit" : "car", i % 6);
    const char *path = file_text("texts.jsonl", text);
    assert_ok(imsat_texts_open(&data, &path, 1, NULL, &err), &err);
    imsat_options options = blobs_options("kmeans");
    options.k = 2;
    imsat_model *model = train(data, &options);
    about.paths = &path;
    about.npaths = 1;
    write_page(model, data, &about);
    assert_page();
    assert_null(strstr(page, "<img src=x"));
    assert_non_null(strstr(page, "40 texts by "));
    assert_non_null(strstr(page, "<b>apple</b>"));
    assert_non_null(strstr(page, "&lt;/script&gt;" ESCAPED));
    json_t *object = data_of_page();
    const json_t *list = json_object_get(json_object_get(object, "texts"), "list");
    assert_int_equal(json_array_size(list), 40);
    assert_string_equal(json_string_value(json_array_get(list, 1)),
                        "apple pear fruit number1 </script>" ATTACK);
    json_decref(object);
    about.npaths = 0; /* its texts cannot be had: words are shown */
    write_page(model, data, &about);
    assert_page();
    assert_null(strstr(page, "pear fruit number"));
    assert_non_null(strstr(page, ", apple, fruit, pear"));
    imsat_model_free(model);
    imsat_data_free(data);
}

/* ---- limits and refusals ------------------------------------------------------------- */

static void it_has_a_limit(void **state)
{
    (void)state;
    imsat_data *data = blobs_open_images();
    const imsat_options options = blobs_options("kmeans");
    imsat_model *model = train(data, &options);
    imsat_report_options about = defaults();
    imsat_error err;
    about.most_bytes = 120000;
    assert_true(write_page(model, data, &about) <= about.most_bytes);
    about.map_rows = 50;
    write_page(model, data, &about);
    json_t *object = data_of_page();
    assert_int_equal(json_integer_value(json_object_get(object, "count")), 50);
    assert_non_null(strstr(page, "50 rows, drawn at random"));
    json_decref(object);
    remove(in_folder("page.html"));
    about.most_bytes = 20000;
    assert_refused(imsat_report_write(in_folder("page.html"), model, data, &about, &err), &err,
                   IMSAT_EINVAL, "at most 20000 are allowed");
    assert_null(fopen(in_folder("page.html"), "r"));
    imsat_model_free(model);
    imsat_data_free(data);
}

static int stop(void *user, const imsat_progress *progress)
{
    (void)user;
    assert_string_equal(progress->stage, "report");
    return 1;
}

static void what_is_refused(void **state)
{
    (void)state;
    imsat_data *data = blobs_open(), *narrow = NULL;
    static const float x[8];
    const imsat_options options = blobs_options("kmeans");
    imsat_model *model = train(data, &options);
    imsat_report_options about = defaults();
    const char *path = in_folder("refused.html");
    imsat_error err;
    assert_ok(imsat_data_view(&narrow, x, 4, 2, 2, &err), &err);
    assert_refused(imsat_report_write(path, model, narrow, &about, &err), &err,
                   IMSAT_EMISMATCH, "2 columns, but the model was trained on 6");
    about.size = 3;
    assert_refused(imsat_report_write(path, model, data, &about, &err), &err, IMSAT_EINVAL,
                   "of size 3");
    about = defaults();
    about.threads = -1;
    assert_refused(imsat_report_write(path, model, data, &about, &err), &err, IMSAT_EINVAL,
                   "threads -1");
    about = defaults();
    about.progress = stop;
    assert_refused(imsat_report_write(path, model, data, &about, &err), &err, IMSAT_ESTOPPED,
                   "stopped while making the report");
    assert_refused(imsat_report_write(in_folder("no/folder.html"), model, data, NULL, &err),
                   &err, IMSAT_EIO, "no/folder.html");
    imsat_data_free(narrow);
    imsat_model_free(model);
    imsat_data_free(data);
}

static void any_number_of_threads(void **state)
{
    (void)state;
    static char first[ROOM];
    imsat_data *data = blobs_open();
    const imsat_options options = blobs_options("kmeans");
    imsat_model *model = train(data, &options);
    imsat_report_options about = defaults();
    about.threads = 1;
    const size_t size = write_page(model, data, &about);
    memcpy(first, page, size);
    about.threads = 3;
    assert_int_equal(write_page(model, data, &about), size);
    assert_memory_equal(first, page, size);
    about.seed = 1;
    assert_true(write_page(model, data, &about) != size || memcmp(first, page, size) != 0);
    imsat_model_free(model);
    imsat_data_free(data);
}

typedef struct attempt {
    imsat_data *data;
    imsat_model *model;
} attempt;

enum { FEW = 20 }; /* too few to be asked for their structure, which would take long */

static imsat_status try_once(void *context, imsat_error *err)
{
    const attempt *a = context;
    static const int32_t truth[FEW];
    imsat_report_options about = defaults();
    about.threads = 1;
    about.map_rows = 8;
    about.truth = truth;
    return imsat_report_write(in_folder("failed.html"), a->model, a->data, &about, err);
}

/* Train on all rows, and report on few. */
static void fail_each_report(const imsat_options *options, imsat_image image)
{
    float x[FEW * BLOB_DIM];
    imsat_data *all = blobs_open();
    attempt a = {NULL, train(all, options)};
    assert_ok(imsat_data_read(all, 0, FEW, x, NULL), NULL);
    assert_ok(imsat_data_view(&a.data, x, FEW, BLOB_DIM, BLOB_DIM, NULL), NULL);
    a.data->image = image;
    assert_true(fail_each(try_once, &a) > 30);
    imsat_data_free(a.data);
    imsat_model_free(a.model);
    imsat_data_free(all);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    const imsat_options clusters = blobs_options("kmeans"), codes = blobs_hash_options("lsh");
    fail_each_report(&clusters, (imsat_image){2, 3, 1});
    fail_each_report(&clusters, (imsat_image){0, 0, 0});
    fail_each_report(&codes, (imsat_image){0, 0, 0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clusters_of_rows),
        cmocka_unit_test(clusters_of_images),
        cmocka_unit_test(codes_and_a_search),
        cmocka_unit_test(the_course_of_a_training),
        cmocka_unit_test(methods_without_terms_have_a_loss),
        cmocka_unit_test(the_file_of_a_model_says_as_much),
        cmocka_unit_test(names_of_columns_and_files),
        cmocka_unit_test(texts),
        cmocka_unit_test(it_has_a_limit),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
