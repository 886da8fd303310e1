/* SPDX-License-Identifier: MIT
 * Documents and their labels, out of every kind of file, and what is wrong with others. */
#include "features/documents.h"

#include "core/alloc.h"
#include "data_files.h"
#include "failing_alloc.h"
#include "tar_files.h"

#include <stdio.h>
#include <string.h>

/* "text;" of each document. */
typedef struct listing {
    char text[1024];
    size_t used;
    int32_t labels[8];
    size_t label_count;
} listing;

static imsat_status list(void *context, const char *text, size_t size, imsat_error *err)
{
    listing *l = context;
    (void)err;
    l->used += (size_t)snprintf(l->text + l->used, sizeof l->text - l->used, "%.*s;",
                                (int)size, text);
    return IMSAT_OK;
}

static imsat_status list_file(listing *l, const char *path, const char *text_column,
                              const char *label_column, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_label_list labels = {0};
    im_member_labels by_folder = {.list = &labels};
    int32_t *numbers = NULL;
    const im_documents documents = {path, text_column, label_column, &by_folder, list, l};
    *l = (listing){0};
    IM_TRY(im_documents_each(&documents, err));
    IM_TRY(im_label_list_number(&numbers, NULL, &labels, path, err));
    l->label_count = labels.count;
    memcpy(l->labels, numbers, labels.count * sizeof *numbers);

cleanup:
    im_free(numbers);
    im_member_labels_clear(&by_folder);
    im_label_list_clear(&labels);
    return st;
}

/* The documents of a text as a file, plain and compressed. */
static void assert_listing(const char *name, const char *text, const char *text_column,
                           const char *label_column, const char *expected)
{
    listing l;
    imsat_error err;
    char packed[64];
    assert_ok(list_file(&l, file_text(name, text), text_column, label_column, &err), &err);
    assert_string_equal(l.text, expected);
    snprintf(packed, sizeof packed, "%s.gz", name);
    assert_ok(
        list_file(&l, file_gzip(packed, text, strlen(text)), text_column, label_column, &err),
        &err);
    assert_string_equal(l.text, expected);
}

static void assert_bad(const char *name, const char *text, const char *text_column,
                       const char *label_column, const char *why)
{
    listing l;
    imsat_error err;
    const char *path = file_text(name, text);
    assert_int_not_equal(list_file(&l, path, text_column, label_column, &err), IMSAT_OK);
    assert_message(&err, path, why);
}

static void lines_are_documents(void **state)
{
    (void)state;
    assert_listing("a.txt", "one\ntwo words\n\nlast", NULL, NULL,
                   "one\n;two words\n;\n;last;");
    assert_bad("a.txt", "one\n", NULL, "y",
               "each line is a text, so there is no label column");
}

static void objects_are_documents(void **state)
{
    (void)state;
    const char *text = "\xef\xbb\xbf{\"text\": \"one \\u00e9\\n\", \"y\": 7}\n\n"
                       "  {\"y\": 3, \"text\": \"two\", \"z\": [1, {}]}\r\n"
                       "{\"text\": \"a\\u0000b\", \"y\": 3}";
    listing l;
    imsat_error err;
    assert_ok(list_file(&l, file_text("a.jsonl", text), NULL, "y", &err), &err);
    assert_int_equal(l.label_count, 3);
    assert_int_equal(l.labels[0], 7);
    assert_int_equal(l.labels[1], 3);
    assert_int_equal(memcmp(l.text, "one \xc3\xa9\n;two;a", 13), 0);
    assert_listing("b.jsonl", "{\"body\": \"x\"}\n{\"body\": \"y\"}\n", "body", NULL, "x;y;");
    assert_ok(list_file(&l,
                        file_text("c.jsonl", "{\"text\": \"x\", \"y\": \"pos\"}\n"
                                             "{\"text\": \"x\", \"y\": true}\n"
                                             "{\"text\": \"x\", \"y\": \"neg\"}\n"),
                        NULL, "y", &err),
              &err);
    const int32_t expected[] = {1, 2, 0};
    assert_memory_equal(l.labels, expected, sizeof expected);
}

static void objects_without_text_are_refused(void **state)
{
    (void)state;
    assert_bad(
        "a.jsonl", "{\"text\": \"x\"}\n{\"body\": \"y\", \"id\": 1}\n", NULL, NULL,
        "line 2 has no member 'text' but body, id; say which one it is by --text-column "
        "NAME");
    assert_bad("a.jsonl", "{\"text\": 5}\n", NULL, NULL,
               "line 1: the member 'text' is not a text");
    assert_bad(
        "a.jsonl", "{\"text\": \"x\"}\n", NULL, "y",
        "line 1 has no member 'y' but text; say which one it is by --label-column NAME");
    assert_bad("a.jsonl", "{\"text\": \"x\", \"y\": 1.5}\n", NULL, "y",
               "line 1: the member 'y' is not a text, a whole number, true or false");
    assert_bad("a.jsonl", "{}\n", NULL, NULL, "has no member 'text' but none at all");
    assert_bad("a.jsonl", "{\"text\": \"x\"}\n[1]\n", NULL, NULL,
               "line 2: is not an object of JSON");
    assert_bad("a.jsonl", "{\"text\": \"x\"\n", NULL, NULL, "line 1 is not JSON: ");
}

static void records_are_documents(void **state)
{
    (void)state;
    assert_listing("a.csv", "text,y\none,1\n\"two, \"\"quoted\"\"\nlines\",2\r\n\n,3\n", NULL,
                   NULL, "one;two, \"quoted\"\nlines;;");
    assert_listing("a.tsv", "id\tbody\n1\tsome words\n2\tmore", "body", NULL,
                   "some words;more;");
    assert_listing("b.csv", "id;\"the body\"\n1;x\n2;\"\"\n", "-1", NULL, "x;;");
    assert_listing("c.csv", "id,text\n7,many words\n", "1", NULL, "many words;");
    assert_listing("d.csv", "text\none word\n", NULL, NULL, "one word;");
    listing l;
    imsat_error err;
    assert_ok(list_file(&l, file_text("e.csv", "y,text\nb,x\n\"a\",x\nb,x"), NULL, "y", &err),
              &err);
    const int32_t expected[] = {1, 0, 1};
    assert_int_equal(l.label_count, 3);
    assert_memory_equal(l.labels, expected, sizeof expected);
}

static void damaged_tables_are_refused(void **state)
{
    (void)state;
    assert_bad("a.csv", "id,body\n1,x\n", NULL, NULL,
               "there is no column 'text' but id, body; say which one it is by --text-column");
    assert_bad("a.csv", "id,text\n1,x\n", NULL, "2", "there is no column '2' but id, text");
    assert_bad("a.csv", "id,text\n1,\"x\ny\"\n2\n", NULL, NULL,
               "line 4 has 1 fields, and the header 2");
    assert_bad("a.csv", "id,text\n1,\"x\n", NULL, NULL, "line 2: a quote is not closed");
    assert_bad("a.csv", "id,text\n1,\"x\" y\n", NULL, NULL,
               "line 2: there is text behind a closing quote");
    assert_bad("a.csv", "\n\n", NULL, NULL, "there is no line with the names of columns");
}

static tar_bytes tar;

static const char *put_tar(void)
{
    memset(&tar, 0, sizeof tar);
    tar_add(&tar, '0', "set/b/1", "first", 5);
    tar_add(&tar, '0', "set/a/2", "second", 6);
    return file_put("a.tar", tar.data, tar.size);
}

static void files_are_documents(void **state)
{
    (void)state;
    listing l;
    imsat_error err;
    const char *path = put_tar();
    assert_ok(list_file(&l, path, NULL, NULL, &err), &err);
    assert_string_equal(l.text, "first;second;");
    const int32_t expected[] = {1, 0};
    assert_int_equal(l.label_count, 2);
    assert_memory_equal(l.labels, expected, sizeof expected);
    assert_refused(list_file(&l, path, NULL, "y", &err), &err, IMSAT_EINVAL,
                   "labels of an archive are its folders, so there is no label column 'y'");
}

static void assert_are(const char *path, const char *text_column, bool expected)
{
    imsat_error err;
    bool are = !expected;
    assert_ok(im_documents_are(&are, path, text_column, &err), &err);
    assert_int_equal(are, expected);
}

static void texts_are_told_from_numbers(void **state)
{
    (void)state;
    imsat_error err;
    bool are = true;
    assert_are(put_tar(), NULL, true);
    assert_are(file_text("a.jsonl", " {\"id\": [1], \"text\": \"a b\"}"), NULL, true);
    assert_are(file_text("a.jsonl", "{\"text\": 1}"), NULL, false);
    assert_are(file_text("a.jsonl", "{\"body\": \"a b\"}"), NULL, false);
    assert_are(file_text("a.jsonl", "{\"body\": \"a b\"}"), "body", true);
    assert_are(file_text("a.csv", "1,2\n"), NULL, false);
    assert_are(file_text("a.csv", "1,2\n"), "body", true);
    assert_refused(im_documents_are(&are, in_folder("absent"), NULL, &err), &err, IMSAT_EIO,
                   "No such file");
}

static imsat_status attempt(void *context, imsat_error *err)
{
    listing l;
    return list_file(&l, context, NULL, "y", err);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char path[512];
    const char *csv = "text,y\n\"a \"\"b\"\"\",\"c\"\"\"\n";
    snprintf(path, sizeof path, "%s", file_gzip("a.csv.gz", csv, strlen(csv)));
    assert_true(fail_each(attempt, path) > 4);
    const char *json = "{\"text\": \"x\", \"y\": \"z\"}";
    snprintf(path, sizeof path, "%s", file_gzip("a.jsonl.gz", json, strlen(json)));
    assert_true(fail_each(attempt, path) > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_documents),
        cmocka_unit_test(objects_are_documents),
        cmocka_unit_test(objects_without_text_are_refused),
        cmocka_unit_test(records_are_documents),
        cmocka_unit_test(damaged_tables_are_refused),
        cmocka_unit_test(files_are_documents),
        cmocka_unit_test(texts_are_told_from_numbers),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
