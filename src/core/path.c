/* SPDX-License-Identifier: MIT
 * Names of files; see path.h. */
#define _GNU_SOURCE
#include "core/path.h"

#include <errno.h>
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

bool im_path_identify(im_path_file *out, const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return false;
    *out = (im_path_file){info.st_dev, info.st_ino};
    return true;
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
