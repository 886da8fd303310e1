/* SPDX-License-Identifier: MIT
 * Beginnings of texts, read again from their files. */
#include "report/excerpts.h"

#include "data_files.h"
#include "failing_alloc.h"

#include <string.h>

static void assert_line(const char *text, size_t most, const char *expected)
{
    im_strbuf out = {0};
    im_excerpts_put(&out, text, strlen(text), most);
    assert_string_equal(out.text ? out.text : "", expected);
    im_strbuf_clear(&out);
}

static void a_text_on_one_line(void **state)
{
    (void)state;
    assert_line("  two\n\n words\t here ", 90, "two words here ");
    assert_line("", 5, "");
    assert_line("abcdef", 4, "abcd\xe2\x80\xa6");
    assert_line("\xc3\xa9\xc3\xa9", 3, "\xc3\xa9\xe2\x80\xa6"); /* not half a character */
}

static void of_a_mail_its_subject(void **state)
{
    (void)state;
    assert_line("From: a@b\nSubject: Re: cars\nLines: 3\n\nThe body\n", 90,
                "Re: cars \xc2\xb7 The body ");
    assert_line("From: a@b\nLines: 3\n\nThe body", 90, "The body");
    assert_line("Re: no header, since no blank line follows", 90,
                "Re: no header, since no blank line follows");
    assert_line("From: a\nSubject: long one\n\nbody", 6, "long o\xe2\x80\xa6");
}

/* Texts without words are left out of the data: rows are not the numbers of documents. */
static imsat_data *open_texts(const char **path)
{
    imsat_data *data = NULL;
    imsat_error err;
    *path = file_text("texts.jsonl", "{\"text\": \"apple pear\"}\n{\"text\": \"\"}\n"
                                     "{\"text\": \"cherry <b>plum</b>\"}\n"
                                     "{\"text\": \"apple plum\"}\n");
    assert_ok(imsat_texts_open(&data, path, 1, NULL, &err), &err);
    assert_int_equal(imsat_data_rows(data), 3);
    return data;
}

static void rows_find_their_documents(void **state)
{
    (void)state;
    const char *path;
    imsat_data *data = open_texts(&path);
    const size_t rows[] = {1, 2};
    im_excerpts e = {0};
    imsat_error err;
    assert_ok(im_excerpts_read(&e, data, rows, 2, &path, 1, NULL, &err), &err);
    assert_null(im_excerpts_of(&e, 0));
    assert_string_equal(im_excerpts_of(&e, 1), "cherry <b>plum</b>");
    assert_string_equal(im_excerpts_of(&e, 2), "apple plum");
    assert_null(im_excerpts_of(&e, 3));
    im_excerpts_clear(&e);
    imsat_data_free(data);
}

/* A file that has become shorter leaves rows without a text; one that is gone is refused. */
static void files_may_have_changed(void **state)
{
    (void)state;
    const char *path;
    imsat_data *data = open_texts(&path);
    const size_t rows[] = {0, 2};
    im_excerpts e = {0};
    imsat_error err;
    file_text("texts.jsonl", "{\"text\": \"apple\"}\n");
    assert_ok(im_excerpts_read(&e, data, rows, 2, &path, 1, NULL, &err), &err);
    assert_string_equal(im_excerpts_of(&e, 0), "apple");
    assert_null(im_excerpts_of(&e, 2));
    im_excerpts_clear(&e);
    path = in_folder("gone.jsonl");
    assert_refused(im_excerpts_read(&e, data, rows, 2, &path, 1, NULL, &err), &err, IMSAT_EIO,
                   "gone.jsonl");
    imsat_data_free(data);
}

typedef struct attempt {
    imsat_data *data;
    const char *path;
} attempt;

static imsat_status try_once(void *context, imsat_error *err)
{
    const attempt *a = context;
    const size_t rows[] = {0, 1};
    im_excerpts e = {0};
    const imsat_status st = im_excerpts_read(&e, a->data, rows, 2, &a->path, 1, NULL, err);
    im_excerpts_clear(&e);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    attempt a;
    a.data = open_texts(&a.path);
    assert_true(fail_each(try_once, &a) >= 3);
    imsat_data_free(a.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_on_one_line),        cmocka_unit_test(of_a_mail_its_subject),
        cmocka_unit_test(rows_find_their_documents), cmocka_unit_test(files_may_have_changed),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
