/* SPDX-License-Identifier: MIT
 * Names of files; see path.h. */
#define _GNU_SOURCE
#include "core/path.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

bool im_path_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static bool ends(const char *path, size_t length, const char *suffix)
{
    const size_t size = strlen(suffix);
    return length >= size && strncasecmp(path + length - size, suffix, size) == 0;
}

bool im_path_ends(const char *path, const char *suffix)
{
    const size_t length = strlen(path);
    return ends(path, ends(path, length, ".gz") ? length - 3 : length, suffix);
}
