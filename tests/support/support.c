/* SPDX-License-Identifier: MIT
 * What the tests share; see support.h. */
#define _POSIX_C_SOURCE 200809L
#include "support.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_ROOM = 512, BUFFERS = 8 };

static char folder[PATH_ROOM];

void folder_make(void)
{
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.200s/imsat-test-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(folder))
        fail_msg("%s: cannot be made", folder);
}

const char *in_folder(const char *name)
{
    static char buffer[BUFFERS][PATH_ROOM];
    static int turn;
    turn = (turn + 1) % BUFFERS;
    snprintf(buffer[turn], PATH_ROOM, "%.250s/%.200s", folder, name);
    return buffer[turn];
}

/* Entries but . and .., each removed if asked to. */
static size_t visit(int removing)
{
    size_t count = 0;
    DIR *entries = opendir(folder);
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count++;
        if (removing && remove(in_folder(entry->d_name)) != 0)
            fail_msg("%s: cannot be removed", in_folder(entry->d_name));
    }
    closedir(entries);
    return count;
}

size_t folder_count(void)
{
    return visit(0);
}

void folder_remove(void)
{
    visit(1);
    rmdir(folder);
}

int folder_setup(void **state)
{
    (void)state;
    folder_make();
    return 0;
}

int folder_teardown(void **state)
{
    (void)state;
    folder_remove();
    return 0;
}

void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void write_byte(const char *path, size_t at, unsigned char byte)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, (long)at, SEEK_SET), 0);
    assert_int_equal(fputc(byte, file), byte);
    assert_int_equal(fclose(file), 0);
}

size_t read_file(const char *path, void *bytes, size_t room)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, room, file);
    fclose(file);
    return size;
}

void assert_ok(imsat_status status, const imsat_error *err)
{
    if (status != IMSAT_OK)
        fail_msg("%s: %s", imsat_status_name(status), err->message);
}

void assert_refused(imsat_status status, const imsat_error *err, imsat_status expected,
                    const char *part)
{
    if (status != expected || !strstr(err->message, part))
        fail_msg("%s: '%s', not %s with '%s'", imsat_status_name(status), err->message,
                 imsat_status_name(expected), part);
}

void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.17g is not within %g of %.17g", value, tolerance, expected);
}
