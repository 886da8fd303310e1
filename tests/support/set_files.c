/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "set_files.h"

#include "data_files.h"

#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static char folder[512];

static int drop(const char *path, const struct stat *info, int type, struct FTW *place)
{
    (void)info, (void)type, (void)place;
    return remove(path);
}

/* All that set_folder() has made. */
static void clear(void)
{
    if (*folder)
        nftw(folder, drop, 16, FTW_DEPTH | FTW_PHYS);
    folder[0] = '\0';
}

int set_files_start(void **state)
{
    return folder_setup(state);
}

int set_files_end(void **state)
{
    clear();
    return folder_teardown(state);
}

const char *set_folder(const char *name)
{
    clear();
    snprintf(folder, sizeof folder, "%s", in_folder(name));
    assert_int_equal(mkdir(folder, 0777), 0);
    return folder;
}

void set_put(const char *name, const void *data, size_t size, bool packed)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    if (!packed) {
        write_file(path, data, size);
        return;
    }
    gzFile file = gzopen(path, "wb1");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, data, (unsigned)size), (int)size);
    assert_int_equal(gzclose(file), Z_OK);
}

imsat_data *set_prepare(const char *set, const imsat_prepare_options *options)
{
    imsat_data *data = NULL;
    imsat_error err;
    assert_ok(imsat_sets_prepare(&data, NULL, set, folder, options, &err), &err);
    return data;
}

void assert_not_prepared(const char *set, const imsat_prepare_options *options,
                         imsat_status status, const char *part)
{
    imsat_data *data = NULL;
    imsat_error err = {""};
    assert_refused(imsat_sets_prepare(&data, NULL, set, folder, options, &err), &err, status,
                   part);
    assert_null(data);
}

void assert_set_labels(const imsat_data *data, const int32_t *expected, size_t n)
{
    assert_int_equal(imsat_data_rows(data), n);
    assert_non_null(imsat_data_labels(data));
    for (size_t i = 0; i < n; i++)
        assert_int_equal(imsat_data_labels(data)[i], expected[i]);
}
