/* SPDX-License-Identifier: MIT
 * Names of files; see path.h. */
#define _GNU_SOURCE
#include "core/path.h"

#include "core/alloc.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

bool im_path_exists(const char *path)
{
    return access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR);
}

/* What compressors add to a name. */
static const char *const packed[] = {".gz", ".zst", ".xz", ".bz2"};

bool im_path_find(char **found, const char *path)
{
    const size_t room = strlen(path) + 8;
    char *name = im_alloc(room, 1);
    if (!name)
        return false;
    snprintf(name, room, "%s", path);
    bool there = im_path_exists(name);
    for (size_t i = 0; i < sizeof packed / sizeof *packed && !there; i++) {
        snprintf(name, room, "%s%s", path, packed[i]);
        there = im_path_exists(name);
    }
    if (!there) {
        im_free(name);
        name = NULL;
    }
    *found = name;
    return true;
}

bool im_path_identify(im_path_file *out, const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return false;
    *out = (im_path_file){info.st_dev, info.st_ino};
    return true;
}

bool im_path_lasts(const char *path)
{
    struct stat info;
    return stat(path, &info) != 0 || S_ISREG(info.st_mode) || S_ISDIR(info.st_mode);
}

static bool ends(const char *path, size_t length, const char *suffix)
{
    const size_t size = strlen(suffix);
    return length >= size && strncasecmp(path + length - size, suffix, size) == 0;
}

bool im_path_ends(const char *path, const char *suffix)
{
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (ends(path, length, packed[i])) {
            length -= strlen(packed[i]);
            break;
        }
    return ends(path, length, suffix);
}

bool im_path_split(im_path_parts *out, const char *path)
{
    char *file = im_strdup(path);
    *out = (im_path_parts){.file = file};
    if (!file || im_path_exists(path))
        return file != NULL;
    for (size_t at = strlen(path); at-- > 1;) {
        if (path[at] != ':')
            continue;
        file[at] = '\0';
        if (im_path_exists(file)) {
            out->inside = file + at + 1;
            return true;
        }
        file[at] = ':';
    }
    return true;
}

void im_path_parts_clear(im_path_parts *parts)
{
    im_free(parts->file);
    *parts = (im_path_parts){0};
}
