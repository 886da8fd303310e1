/* SPDX-License-Identifier: MIT
 * Files of an archive of any kind; see archive.h. */
#include "data/archive.h"

#include "core/alloc.h"
#include "data/zip.h"

#include <stdio.h>

enum { SUBJECT_ROOM = 512 };

/* ---- all of them ---------------------------------------------------------------- */

static bool is_folder_name(const char *name)
{
    const size_t length = strlen(name);
    return length == 0 || name[length - 1] == '/';
}

static imsat_status take_zipped(const im_zip_member *packed, const im_bytes *archive,
                                const char *path, im_member_fn *take, void *context,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_bytes bytes = {0};
    char subject[SUBJECT_ROOM];
    snprintf(subject, sizeof subject, "%s:%s", path, packed->name);
    IM_TRY(im_zip_open(&bytes, packed, archive, subject, err));
    IM_TRY(im_bytes_all(&bytes, err));
    const im_member member = {packed->name,
                              bytes.size ? bytes.data : (const unsigned char *)"", bytes.size};
    IM_TRY(take(context, &member, err));

cleanup:
    im_bytes_clear(&bytes);
    return st;
}

static imsat_status each_zipped(im_bytes *bytes, const char *path, im_member_wish *wants,
                                im_member_fn *take, void *context, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_zip zip = {0};
    IM_TRY(im_bytes_all(bytes, err));
    IM_TRY(im_zip_list(&zip, bytes, path, err));
    for (size_t i = 0; i < zip.count; i++) {
        const char *name = zip.members[i].name;
        if (!is_folder_name(name) && (!wants || wants(context, name)))
            IM_TRY(take_zipped(&zip.members[i], bytes, path, take, context, err));
    }

cleanup:
    im_zip_clear(&zip);
    return st;
}

imsat_status im_archive_each(const char *path, im_member_wish *wants, im_member_fn *take,
                             void *context, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_bytes bytes = {0};
    if (im_folder_is(path))
        return im_folder_each_wanted(path, wants, take, context, err);
    IM_TRY(im_bytes_open(&bytes, path, err));
    if (im_tar_holds(&bytes))
        IM_TRY(im_tar_each_wanted(&bytes, path, wants, take, context, err));
    else if (im_zip_begins(&bytes))
        IM_TRY(each_zipped(&bytes, path, wants, take, context, err));
    else
        st = im_fail(err, IMSAT_EFORMAT, "%s: is neither a folder nor a tar or zip archive",
                     path);

cleanup:
    st = im_bytes_check(&bytes, st, err);
    im_bytes_clear(&bytes);
    return st;
}

/* ---- one of them ----------------------------------------------------------------- */

/* What is looked for in an archive. */
typedef struct search {
    const char *name;
    const im_bytes *archive;
    im_bytes found;
    size_t first; /* where it is, if the archive is mapped */
    bool done;
} search;

/* Names may begin with "./", as those of 'tar c .' do. */
static bool is_sought(void *context, const char *name)
{
    const search *s = context;
    return !s->done && (strcmp(name, s->name) == 0 ||
                        (strncmp(name, "./", 2) == 0 && strcmp(name + 2, s->name) == 0));
}

/* Stops at the first one. */
static imsat_status keep(void *context, const im_member *member, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    search *s = context;
    if (s->archive->mapped) {
        s->first = (size_t)(member->data - s->archive->data);
        s->found.size = member->size;
    } else {
        IM_TRY(im_bytes_afford(s->archive, member->size, err));
        unsigned char *copy = im_alloc_unset(member->size, 1);
        if (!copy)
            return im_fail_memory(err, member->name);
        memcpy(copy, member->data, member->size);
        s->found =
            (im_bytes){.data = copy, .size = member->size, .heap = copy, .unpacked = true};
    }
    s->done = true;
    st = im_fail(err, IMSAT_ESTOPPED, "%s: was found", member->name);

cleanup:
    return st;
}

imsat_status im_archive_enter(im_bytes *bytes, const char *path, const char *name,
                              imsat_error *err)
{
    search s = {.name = name, .archive = bytes};
    imsat_error why = {""};
    const imsat_status st = im_tar_each_wanted(bytes, path, is_sought, keep, &s, &why);
    if (!s.done && st != IMSAT_OK) {
        if (err)
            *err = why;
        return st;
    }
    if (!s.done)
        return im_fail(err, IMSAT_EINVAL, "%s: no file '%s' is in the archive", path, name);
    if (s.found.size == 0) {
        im_bytes_clear(&s.found);
        return im_fail(err, IMSAT_EFORMAT, "%s: is empty", path);
    }
    if (s.archive->mapped) {
        im_bytes_narrow(bytes, s.first, s.found.size);
        return IMSAT_OK;
    }
    im_bytes_clear(bytes);
    *bytes = s.found;
    return IMSAT_OK;
}
