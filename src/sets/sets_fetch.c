/* SPDX-License-Identifier: MIT
 * The files that a data set is published as, downloaded; see imsat/sets.h. */
#include "core/alloc.h"
#include "core/path.h"
#include "sets/sets.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* "place/name"; and unless `always`, "place" alone if it does not end with a slash. NULL
 * without memory. */
static char *join(const char *place, const char *name, bool always)
{
    const size_t length = strlen(place), room = length + strlen(name) + 2;
    const bool slash = length > 0 && place[length - 1] == '/';
    char *joined = im_alloc(room, 1);
    if (joined)
        snprintf(joined, room, "%s%s%s", place, always && !slash ? "/" : "",
                 always || slash ? name : "");
    return joined;
}

/* The places of a file: the mirror, if there is one, and those that are known. NULL: there is
 * none of this number. */
static const char *place_of(const im_set_file *file, const char *mirror, size_t i)
{
    return i == 0 ? mirror : file->places[i - 1];
}

static bool has_place_after(const im_set_file *file, size_t i)
{
    return i < IM_SETS_PLACES && file->places[i];
}

/* Tell that a place is given up. The message begins with its address, which the state has. */
static void tell_given_up(const imsat_fetch_options *options, const char *url,
                          const char *path, const imsat_error *err)
{
    const size_t length = strlen(url);
    const bool repeats = strncmp(err->message, url, length) == 0 &&
                         strncmp(err->message + length, ": ", 2) == 0;
    const imsat_fetch_state state = {
        .url = url, .path = path, .trouble = err->message + (repeats ? length + 2 : 0)};
    if (options->progress)
        options->progress(options->progress_user, &state); /* the next place can be stopped */
}

/* From place i. *again: it does not have the file, but another one may. */
static imsat_status fetch_from(const im_set_file *file, size_t i, const char *path,
                               const imsat_fetch_options *options, bool *again,
                               imsat_error *err)
{
    imsat_fetch_options own = *options;
    own.sha256 = file->sha256;
    char *url = join(place_of(file, options->mirror, i), file->name, i == 0);
    const imsat_status st =
        url ? imsat_fetch(url, path, &own, err) : im_fail_memory(err, path);
    /* If a wrong file is there, no place has a better one. */
    *again = url && (st == IMSAT_EIO || st == IMSAT_EMISMATCH) && has_place_after(file, i) &&
             !im_path_exists(path);
    if (*again)
        tell_given_up(options, url, path, err);
    im_free(url);
    return st;
}

static imsat_status fetch_one(const im_set_file *file, const char *folder,
                              const imsat_fetch_options *options, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_error why = {""};
    bool again = true;
    char *path = join(folder, file->name, true);
    if (!path)
        return im_fail_memory(err, file->name);
    for (size_t i = options->mirror ? 0 : 1; again; i++)
        st = fetch_from(file, i, path, options, &again, &why);
    if (st != IMSAT_OK && err)
        *err = why;
    im_free(path);
    return st;
}

imsat_status im_sets_fetch(const im_set *set, const char *folder,
                           const imsat_fetch_options *options, imsat_error *err)
{
    static const imsat_fetch_options none;
    imsat_status st = IMSAT_OK;
    if (set->refusal)
        return im_fail(err, IMSAT_EIO, "%s: %s", set->name, set->refusal);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return im_fail(err, IMSAT_EIO, "%s: cannot be made: %s", folder, strerror(errno));
    for (size_t i = 0; i < IM_SETS_FILES && set->files[i].name; i++)
        IM_TRY(fetch_one(&set->files[i], folder, options ? options : &none, err));

cleanup:
    return st;
}
