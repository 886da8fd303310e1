/* SPDX-License-Identifier: MIT
 * Files of archives of any kind, and one file of an archive as data. */
#include "data/archive.h"

#include "core/path.h"
#include "data_files.h"
#include "failing_alloc.h"
#include "tar_files.h"
#include "zips.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "name=contents;" of each file that ends in ".txt". */
typedef struct listing {
    char text[512];
    size_t used;
} listing;

static bool is_text(void *context, const char *name)
{
    (void)context;
    return im_path_ends(name, ".txt");
}

static imsat_status list(void *context, const im_member *member, imsat_error *err)
{
    listing *l = context;
    (void)err;
    assert_non_null(member->data);
    l->used += (size_t)snprintf(l->text + l->used, sizeof l->text - l->used, "%s=%.*s;",
                                member->name, (int)member->size, (const char *)member->data);
    return IMSAT_OK;
}

static void assert_listing(const char *path, const char *expected)
{
    listing l = {0};
    imsat_error err;
    assert_ok(im_archive_each(path, is_text, list, &l, &err), &err);
    assert_string_equal(l.text, expected);
}

static const tar_bytes *make_tar(void)
{
    static tar_bytes tar;
    tar = (tar_bytes){0};
    tar_add(&tar, '5', "d/", "", 0);
    tar_add(&tar, '0', "d/b.txt", "two", 3);
    tar_add(&tar, '0', "d/c.bin", "other", 5);
    tar_add(&tar, '0', "./d/x.csv", "1,2\n3,4\n", 8);
    tar_add(&tar, '0', "a.txt", "", 0);
    tar_end(&tar);
    return &tar;
}

static const char *put_tar(void)
{
    const tar_bytes *tar = make_tar();
    return file_put("a.tar", tar->data, tar->size);
}

static const char *put_tar_gz(void)
{
    const tar_bytes *tar = make_tar();
    return file_gzip("a.tar.gz", tar->data, tar->size);
}

static const char *put_zip(void)
{
    static zip_maker zip;
    zip = (zip_maker){0};
    zip_add(&zip, "d/", "", 0, false);
    zip_add(&zip, "d/b.txt", "two", 3, true);
    zip_add(&zip, "d/c.bin", "other", 5, false);
    zip_add(&zip, "a.txt", "one", 3, false);
    zip_end(&zip, false);
    return file_put("a.zip", zip.bytes, zip.size);
}

static void the_files_that_are_wanted_are_handed_over(void **state)
{
    (void)state;
    char folder[512];
    assert_listing(put_tar(), "d/b.txt=two;a.txt=;");
    assert_listing(put_tar_gz(), "d/b.txt=two;a.txt=;");
    assert_listing(put_zip(), "d/b.txt=two;a.txt=one;");
    snprintf(folder, sizeof folder, "%s", in_folder("sub"));
    assert_int_equal(mkdir(folder, 0777), 0);
    file_text("sub/b.txt", "B");
    file_text("sub/a.txt", "A");
    file_text("sub/c.csv", "C");
    assert_listing(folder, "a.txt=A;b.txt=B;");
    unlink(in_folder("sub/a.txt")), unlink(in_folder("sub/b.txt")),
        unlink(in_folder("sub/c.csv"));
    assert_int_equal(rmdir(folder), 0);
}

static void other_files_are_no_archives(void **state)
{
    (void)state;
    listing l = {0};
    imsat_error err;
    assert_refused(im_archive_each(file_text("a.txt", "text"), NULL, list, &l, &err), &err,
                   IMSAT_EFORMAT, "a.txt: is neither a folder nor a tar or zip archive");
}

/* ---- FILE:NAME -------------------------------------------------------------------- */

static const char *inside(const char *file, const char *name)
{
    static char path[600];
    snprintf(path, sizeof path, "%s:%s", file, name);
    return path;
}

static void a_file_of_an_archive_is_read_as_if_it_were_alone(void **state)
{
    (void)state;
    const float expected[] = {1, 2, 3, 4};
    imsat_data *data = open_with(inside(put_tar(), "d/x.csv"), NULL);
    assert_rows(data, expected, 2, 2);
    imsat_data_free(data);
    data = open_with(inside(put_tar_gz(), "./d/x.csv"), NULL);
    assert_rows(data, expected, 2, 2);
    imsat_data_free(data);
}

/* The name in the archive says that it is a batch of CIFAR-10, and it stays mapped. */
static void its_name_tells_its_format(void **state)
{
    (void)state;
    static unsigned char record[3073] = {7, 1, 2};
    static tar_bytes tar;
    tar = (tar_bytes){0};
    tar_add(&tar, '0', "cifar/data_batch_1.bin", record, sizeof record);
    tar_end(&tar);
    imsat_data *data = open_with(
        inside(file_put("c.tar", tar.data, tar.size), "cifar/data_batch_1.bin"), NULL);
    assert_int_equal(imsat_data_dim(data), 3072);
    assert_int_equal(imsat_data_labels(data)[0], 7);
    assert_string_equal(imsat_data_describe(data, 0), "cifar-10, 1 records of uint8, mapped");
    imsat_data_free(data);
}

static void what_is_not_in_it_is_refused(void **state)
{
    (void)state;
    assert_unreadable_with(inside(put_tar(), "x.csv"), NULL, IMSAT_EINVAL,
                           "a.tar:x.csv: no file 'x.csv' is in the archive");
    assert_unreadable_with(inside(put_tar_gz(), "d"), NULL, IMSAT_EINVAL,
                           "no file 'd' is in the archive");
    assert_unreadable_with(inside(put_tar_gz(), "a.txt"), NULL, IMSAT_EFORMAT, "is empty");
    const tar_bytes *tar = make_tar();
    assert_unreadable_with(inside(file_put("cut.tar", tar->data, 3 * 512 + 100), "a.txt"),
                           NULL, IMSAT_EFORMAT, "the tar archive is damaged");
}

static imsat_status attempt(void *context, imsat_error *err)
{
    imsat_data *data = NULL;
    const char *const path = context;
    const imsat_status st = imsat_data_open(&data, &path, 1, NULL, err);
    assert_true((data == NULL) == (st != IMSAT_OK));
    imsat_data_free(data);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char path[600];
    snprintf(path, sizeof path, "%s", inside(put_tar_gz(), "d/x.csv"));
    assert_true(fail_each(attempt, path) >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_files_that_are_wanted_are_handed_over),
        cmocka_unit_test(other_files_are_no_archives),
        cmocka_unit_test(a_file_of_an_archive_is_read_as_if_it_were_alone),
        cmocka_unit_test(its_name_tells_its_format),
        cmocka_unit_test(what_is_not_in_it_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
