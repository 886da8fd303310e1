/* SPDX-License-Identifier: MIT
 * Temporary files beside the final ones; see temporary.h. */
#define _GNU_SOURCE
#include "core/temporary.h"

#include "core/checksum.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".tmp"

enum { DIGITS = 16, ATTEMPTS = 100 };

/* What the names of all temporary files of a place begin with. */
static size_t begin(char name[IM_TEMPORARY_NAME], const im_place *place)
{
    return (size_t)snprintf(name, IM_TEMPORARY_NAME, ".imsat-%0*" PRIx64 "-", DIGITS,
                            im_checksum_of(place->name, strlen(place->name)));
}

static bool draw_name(char name[IM_TEMPORARY_NAME], const im_place *place)
{
    uint64_t number;
    const size_t used = begin(name, place);
    ssize_t got;
    do
        got = getrandom(&number, sizeof number, 0);
    while (got < 0 && errno == EINTR);
    if (got != (ssize_t)sizeof number)
        return false;
    snprintf(name + used, IM_TEMPORARY_NAME - used, "%0*" PRIx64 SUFFIX, DIGITS, number);
    return true;
}

/* Lock a file that was just made. A sweep of another writer may have locked it before, and may
 * have removed it: then it is lost. Where the file system has no locks, nobody sweeps. */
static bool hold(int descriptor)
{
    struct stat info;
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return false;
    return fstat(descriptor, &info) == 0 && info.st_nlink > 0;
}

imsat_status im_temporary_make(char name[IM_TEMPORARY_NAME], int *descriptor,
                               const im_place *place, const char *path, imsat_error *err)
{
    const mode_t mode = place->exists ? 0600 : 0666;
    errno = EEXIST;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if (!draw_name(name, place))
            break;
        const int opened = openat(place->folder, name,
                                  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (opened < 0 && errno != EEXIST)
            break;
        if (opened < 0)
            continue;
        if (hold(opened)) {
            *descriptor = opened;
            return IMSAT_OK;
        }
        unlinkat(place->folder, name, 0);
        close(opened);
        errno = EEXIST;
    }
    return im_place_fail(err, path);
}

/* Whether a name is one that draw_name() makes of this beginning. */
static bool is_ours(const char *name, const char *beginning, size_t length)
{
    return strncmp(name, beginning, length) == 0 &&
           strspn(name + length, "0123456789abcdef") == DIGITS &&
           strcmp(name + length + DIGITS, SUFFIX) == 0;
}

/* Remove a file unless somebody holds it. The lock is kept while it is removed: who has made
 * the file and not locked it yet will find it locked or gone, and make another. */
static void remove_unheld(int folder, const char *name)
{
    struct stat info;
    if (fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(info.st_mode))
        return;
    const int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return;
    if (flock(file, LOCK_EX | LOCK_NB) == 0)
        unlinkat(folder, name, 0);
    close(file);
}

void im_temporary_sweep(const im_place *place)
{
    char beginning[IM_TEMPORARY_NAME];
    const size_t length = begin(beginning, place);
    const int folder = openat(place->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = folder < 0 ? NULL : fdopendir(folder);
    if (!entries && folder >= 0)
        close(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        if (is_ours(entry->d_name, beginning, length))
            remove_unheld(place->folder, entry->d_name);
    if (entries)
        closedir(entries);
}
