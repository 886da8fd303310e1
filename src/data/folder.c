/* SPDX-License-Identifier: MIT
 * The files of a folder; see member.h. */
#define _POSIX_C_SOURCE 200809L
#include "core/alloc.h"
#include "core/path.h"
#include "data/member.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

enum { MOST_DEPTH = 64 };

/* The way to what is being looked at. */
typedef struct visit {
    size_t root;           /* bytes of the folder's own path, and the slash */
    im_member_wish *wants; /* or NULL: all */
    im_member_fn *take;
    void *context;
    imsat_error *err;
    im_path_file above[MOST_DEPTH]; /* folders that this one is in, and itself */
    size_t depth;
} visit;

/* Names of a folder. */
typedef struct names {
    char **items; /* (count) owned, and each */
    size_t count, room;
} names;

bool im_folder_is(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static void names_clear(names *list)
{
    for (size_t i = 0; i < list->count; i++)
        im_free(list->items[i]);
    im_free(list->items);
}

static bool names_add(names *list, const char *name)
{
    if (list->count == list->room) {
        const size_t room = 2 * list->room + 64;
        char **items = im_grow(list->items, list->count, room, sizeof *items);
        if (!items)
            return false;
        list->items = items;
        list->room = room;
    }
    list->items[list->count] = im_strdup(name);
    return list->items[list->count] && ++list->count;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* What is in a folder, sorted, without what begins with a dot. */
static imsat_status list_folder(names *out, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    DIR *folder = opendir(path);
    if (!folder)
        return im_fail_file(err, path);
    errno = 0;
    for (const struct dirent *entry; st == IMSAT_OK && (entry = readdir(folder)); errno = 0)
        if (entry->d_name[0] != '.' && !names_add(out, entry->d_name))
            st = im_fail_memory(err, path);
    if (st == IMSAT_OK && errno)
        st = im_fail_file(err, path);
    closedir(folder);
    if (out->count)
        qsort(out->items, out->count, sizeof *out->items, by_bytes);
    return st;
}

/* All of a file. */
static imsat_status take_file(visit *v, const char *path, size_t size)
{
    imsat_status st = IMSAT_OK;
    im_bytes bytes = {0};
    const im_member empty = {.name = path + v->root, .data = (const unsigned char *)""};
    if (size == 0)
        return v->take(v->context, &empty, v->err);
    IM_TRY(im_bytes_open(&bytes, path, v->err));
    while (bytes.stream) /* twice as much each time: how much there is, nobody knows */
        IM_TRY(im_bytes_need(&bytes, 2 * bytes.size + 1, v->err));
    const im_member member = {path + v->root, bytes.data, bytes.size};
    IM_TRY(v->take(v->context, &member, v->err));

cleanup:
    st = im_bytes_check(&bytes, st, v->err);
    im_bytes_clear(&bytes);
    return st;
}

static imsat_status take_folder(visit *v, const char *path);

static imsat_status take_entry(visit *v, const char *folder, const char *name)
{
    imsat_status st = IMSAT_OK;
    struct stat info;
    const size_t length = strlen(folder) + strlen(name) + 2;
    char *path = im_alloc(length, 1);
    if (!path)
        return im_fail_memory(v->err, folder);
    snprintf(path, length, "%s/%s", folder, name);
    if (stat(path, &info) != 0)
        st = im_fail_file(v->err, path);
    else if (S_ISDIR(info.st_mode))
        st = take_folder(v, path);
    else if (S_ISREG(info.st_mode) && (!v->wants || v->wants(v->context, path + v->root)))
        st = take_file(v, path, (size_t)info.st_size);
    im_free(path);
    return st;
}

/* A link can lead to a folder that it is in. */
static imsat_status enter(visit *v, const char *path)
{
    im_path_file self;
    if (!im_path_identify(&self, path))
        return im_fail_file(v->err, path);
    for (size_t i = 0; i < v->depth; i++)
        if (v->above[i].device == self.device && v->above[i].inode == self.inode)
            return im_fail(v->err, IMSAT_EIO,
                           "%s: is a link to a folder that it is in, so there is no end of "
                           "files; remove it",
                           path);
    if (v->depth == MOST_DEPTH)
        return im_fail(v->err, IMSAT_EIO, "%s: is more than %d folders deep", path,
                       MOST_DEPTH);
    v->above[v->depth++] = self;
    return IMSAT_OK;
}

static imsat_status take_folder(visit *v, const char *path)
{
    imsat_status st = IMSAT_OK;
    names list = {0};
    IM_TRY(enter(v, path));
    IM_TRY(list_folder(&list, path, v->err));
    for (size_t i = 0; i < list.count; i++)
        IM_TRY(take_entry(v, path, list.items[i]));
    v->depth--;

cleanup:
    names_clear(&list);
    return st;
}

imsat_status im_folder_each_wanted(const char *path, im_member_wish *wants, im_member_fn *take,
                                   void *context, imsat_error *err)
{
    visit v = {.wants = wants, .take = take, .context = context, .err = err};
    char *root = im_strdup(path);
    if (!root)
        return im_fail_memory(err, path);
    while (v.root < strlen(path) && path[strlen(path) - 1 - v.root] == '/')
        v.root++; /* slashes at the end; of "/" all of it, and that is right, too */
    root[strlen(path) - v.root] = '\0';
    v.root = strlen(root) + 1;
    const imsat_status st = take_folder(&v, *root ? root : "/");
    im_free(root);
    return st;
}

imsat_status im_folder_each(const char *path, im_member_fn *take, void *context,
                            imsat_error *err)
{
    return im_folder_each_wanted(path, NULL, take, context, err);
}
