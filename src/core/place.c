/* SPDX-License-Identifier: MIT
 * Where the name of an output leads; see place.h. */
#define _GNU_SOURCE
#include "core/place.h"

#include "core/path.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_LINKS = 40 }; /* that are followed; Linux follows as many */

_Static_assert(IM_PLACE_NAME > NAME_MAX, "every name fits");

imsat_status im_place_fail(imsat_error *err, const char *path)
{
    if (errno == EISDIR)
        return im_fail(err, IMSAT_EIO, "%s: is a directory, not a file", path);
    return im_fail(err, IMSAT_EIO, "%.800s: cannot be written: %s", path, strerror(errno));
}

bool im_place_is_stream(const im_place *place)
{
    return place->descriptor >= 0 || (place->exists && !S_ISREG(place->mode));
}

void im_place_clear(im_place *place)
{
    if (place->folder >= 0)
        close(place->folder);
    place->folder = -1;
}

/* Refuse with an errno. */
static int refuse(int why)
{
    errno = why;
    return -1;
}

static int note(im_place *place, const struct stat *info)
{
    place->exists = true;
    place->mode = info->st_mode;
    place->owner = info->st_uid;
    place->group = info->st_gid;
    place->device = info->st_dev;
    place->inode = info->st_ino;
    return S_ISDIR(info->st_mode) ? refuse(EISDIR) : 0;
}

/* Open the folder of a path, which is relative to the folder that is open now, and keep the
 * last name. */
static int enter(im_place *place, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char folder[PATH_MAX];
    if (!*path)
        return refuse(ENOENT);
    if (!*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return refuse(EISDIR);
    if (strlen(name) > NAME_MAX)
        return refuse(ENAMETOOLONG);
    snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
    const int opened =
        openat(place->folder, slash ? folder : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (opened < 0)
        return -1;
    im_place_clear(place);
    place->folder = opened;
    snprintf(place->name, sizeof place->name, "%s", name);
    return 0;
}

/* The descriptor that the entry stands for if its folder is /proc/self/fd, or -1. */
static int descriptor_of(const im_place *place)
{
    struct stat here, descriptors;
    const size_t digits = strspn(place->name, "0123456789");
    if (place->name[digits] || digits > 9 || fstat(place->folder, &here) != 0 ||
        stat("/proc/self/fd", &descriptors) != 0 || here.st_dev != descriptors.st_dev ||
        here.st_ino != descriptors.st_ino)
        return -1;
    return atoi(place->name);
}

/* Whether Linux would follow the link with fs.protected_symlinks: in a folder where everybody
 * may write, such as /tmp, only a link of ours or of the folder's owner. */
static bool is_trusted(const im_place *place, const struct stat *link)
{
    struct stat folder;
    const mode_t shared = S_ISVTX | S_IWOTH;
    return fstat(place->folder, &folder) == 0 &&
           ((folder.st_mode & shared) != shared || link->st_uid == geteuid() ||
            link->st_uid == folder.st_uid);
}

/* Look at what `entry` is. 1: a link, and path is its target; 0: the place; -1: see errno. */
static int look(im_place *place, char path[PATH_MAX], int entry)
{
    struct stat info;
    if (fstat(entry, &info) != 0)
        return -1;
    if (!S_ISLNK(info.st_mode))
        return note(place, &info);
    if (!is_trusted(place, &info))
        return refuse(EACCES);
    const ssize_t length = readlinkat(entry, "", path, PATH_MAX - 1);
    if (length < 0)
        return -1;
    path[length] = '\0';
    return 1;
}

/* Go where path says; returns as look() does. */
static int step(im_place *place, char path[PATH_MAX])
{
    struct stat info;
    if (enter(place, path) != 0)
        return -1;
    place->descriptor = descriptor_of(place);
    if (place->descriptor == place->folder)
        return refuse(EBADF); /* it was free until we opened the folder */
    if (place->descriptor >= 0)
        return fstat(place->descriptor, &info) == 0 ? note(place, &info) : -1;
    const int entry = openat(place->folder, place->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (entry < 0)
        return errno == ENOENT ? 0 : -1;
    const int more = look(place, path, entry);
    const int why = errno;
    close(entry);
    errno = why;
    return more;
}

imsat_status im_place_find(im_place *out, const char *path, imsat_error *err)
{
    im_place place = {.folder = AT_FDCWD, .descriptor = -1};
    char at[PATH_MAX];
    const int length = snprintf(at, sizeof at, "%s", path);
    int more = length < PATH_MAX ? 1 : refuse(ENAMETOOLONG);
    for (int links = 0; more > 0; links++)
        more = links <= MOST_LINKS ? step(&place, at) : refuse(ELOOP);
    if (more < 0) {
        const imsat_status st = im_place_fail(err, path);
        im_place_clear(&place);
        return st;
    }
    *out = place;
    return IMSAT_OK;
}

/* Whether two names that nothing has yet are the same entry of a folder. */
static bool same_entry(const char *a, const char *b)
{
    im_place p, q;
    struct stat in_p, in_q;
    if (im_place_find(&p, a, NULL) != IMSAT_OK)
        return false;
    if (im_place_find(&q, b, NULL) != IMSAT_OK) {
        im_place_clear(&p);
        return false;
    }
    const bool same = fstat(p.folder, &in_p) == 0 && fstat(q.folder, &in_q) == 0 &&
                      in_p.st_dev == in_q.st_dev && in_p.st_ino == in_q.st_ino &&
                      strcmp(p.name, q.name) == 0;
    im_place_clear(&q);
    im_place_clear(&p);
    return same;
}

/* The file of a name, FILE or FILE:NAME. */
static bool find_file(struct stat *info, const char *path)
{
    im_path_parts parts;
    const bool exists =
        im_path_split(&parts, path) && stat(parts.inside ? parts.file : path, info) == 0;
    im_path_parts_clear(&parts);
    return exists;
}

int imsat_same_file(const char *a, const char *b)
{
    struct stat p, q;
    if (!a || !b)
        return 0;
    const bool a_exists = find_file(&p, a), b_exists = find_file(&q, b);
    if (a_exists && b_exists)
        return p.st_dev == q.st_dev && p.st_ino == q.st_ino && !S_ISCHR(p.st_mode);
    return !a_exists && !b_exists && same_entry(a, b);
}
