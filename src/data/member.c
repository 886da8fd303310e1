/* SPDX-License-Identifier: MIT
 * Labels of the files of a folder or an archive; see member.h. */
#include "data/member.h"

#include "core/alloc.h"

/* The last folder of a name; empty if there is none. */
static const char *folder_of(const char *name, size_t *size)
{
    const char *slash = strrchr(name, '/');
    const char *begin = slash ? slash : name;
    const char *end = begin;
    while (begin > name && begin[-1] != '/')
        begin--;
    *size = (size_t)(end - begin);
    return begin;
}

static imsat_status add(im_member_labels *labels, const char *folder, size_t size,
                        imsat_error *err)
{
    return im_label_list_add_text(labels->list, folder, size, err);
}

/* The first member of another folder: those before it get their labels, too. */
static imsat_status add_held(im_member_labels *labels, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (size_t i = 0; i < labels->held; i++)
        IM_TRY(add(labels, labels->only, labels->size, err));
    labels->differ = true;

cleanup:
    return st;
}

imsat_status im_member_label(im_member_labels *labels, const char *name, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    size_t size;
    const char *folder = folder_of(name, &size);
    if (!labels->list)
        return IMSAT_OK;
    if (labels->held == 0) {
        labels->only = im_alloc(size + 1, 1);
        if (!labels->only)
            return im_fail_memory(err, "labels");
        memcpy(labels->only, folder, size);
        labels->size = size;
    }
    if (!labels->differ && (size != labels->size || memcmp(folder, labels->only, size) != 0))
        IM_TRY(add_held(labels, err));
    labels->held++;
    if (labels->differ)
        IM_TRY(add(labels, folder, size, err));

cleanup:
    return st;
}

void im_member_labels_clear(im_member_labels *labels)
{
    im_free(labels->only);
    *labels = (im_member_labels){0};
}
