/* SPDX-License-Identifier: MIT
 *
 * .npz, numpy's archive of arrays: a zip archive (zip.h) with a member NAME.npy for each,
 * stored by np.savez() and deflated by np.savez_compressed(). A stored array is used where it
 * lies, as an .npy file is; a deflated one is decompressed to memory. A sparse matrix of scipy
 * is such an archive, too (scipy.h).
 */
#define _GNU_SOURCE
#include "core/alloc.h"
#include "data/inside.h"
#include "data/scipy.h"
#include "data/zip.h"

#include <stdio.h>
#include <string.h>

static const char ENDING[] = ".npy";

enum { FORMAT_ROOM = 16, FORMAT_MOST = 1 << 12 };

/* The archive being read. */
typedef struct archive {
    im_zip zip;
    im_bytes *bytes;    /* the reader's; a mapped array takes them over */
    const char **names; /* (arrays) owned; of the arrays */
    char *texts;        /* owned: their texts */
    size_t *members;    /* (arrays) owned; which member each is */
    size_t arrays;
} archive;

static void clear(archive *a)
{
    im_zip_clear(&a->zip);
    im_free(a->names);
    im_free(a->texts);
    im_free(a->members);
}

/* The arrays among the members. */
static imsat_status name_arrays(archive *a, const char *path, imsat_error *err)
{
    size_t room = 1;
    for (size_t i = 0; i < a->zip.count; i++)
        room += strlen(a->zip.members[i].name) + 1;
    a->names = im_alloc(a->zip.count, sizeof *a->names);
    a->members = im_alloc(a->zip.count, sizeof *a->members);
    a->texts = im_alloc(room, 1);
    if (!a->names || !a->members || !a->texts)
        return im_fail_memory(err, path);
    char *text = a->texts;
    for (size_t i = 0; i < a->zip.count; i++) {
        const char *name = a->zip.members[i].name;
        const size_t size = strlen(name), ending = strlen(ENDING);
        if (size < ending || strcmp(name + size - ending, ENDING) != 0)
            continue;
        memcpy(text, name, size - ending);
        a->names[a->arrays] = text;
        a->members[a->arrays++] = i;
        text += size - ending + 1;
    }
    return IMSAT_OK;
}

static imsat_status read_array(im_block *out, void *context, size_t i,
                               const im_read_request *request, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const archive *a = context;
    im_bytes member = {0};
    im_block block = {0};
    IM_TRY(im_zip_open(&member, &a->zip.members[a->members[i]], a->bytes, request->path, err));
    IM_TRY(im_npy_reader.read(&block, &member, request, err));
    char *array = block.description;
    block.description = NULL;
    st = im_block_describe(&block, err, "npz '%s': %s", a->names[i], array);
    im_free(array);
    IM_TRY(st);
    *out = block;
    block = (im_block){0};

cleanup:
    im_bytes_clear(&member);
    im_block_clear(&block);
    return st;
}

/* The text of an array that is one, as scipy writes it: the last bytes of the member, of which
 * some may be 0. Longer ones are not looked for. */
static imsat_status read_text(char text[FORMAT_ROOM], const archive *a, const char *name,
                              const im_read_request *request, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_bytes member = {0};
    size_t i = 0, used = 0;
    while (strcmp(a->names[i], name) != 0)
        i++;
    IM_TRY(im_zip_open(&member, &a->zip.members[a->members[i]], a->bytes, request->path, err));
    IM_TRY(im_bytes_need(&member, FORMAT_MOST, err));
    const unsigned char *newline = memrchr(member.data, '\n', member.size);
    const unsigned char *at = newline ? newline + 1 : member.data + member.size;
    for (; at < member.data + member.size && used + 1 < FORMAT_ROOM; at++)
        if (*at)
            text[used++] = (char)*at;
    text[used] = 0;

cleanup:
    im_bytes_clear(&member);
    return st;
}

/* A sparse matrix, of the arrays that it is made of. */
static imsat_status read_sparse(im_block *out, const archive *a, const im_inside *inside,
                                const im_read_request *request, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    char format[FORMAT_ROOM];
    IM_TRY(read_text(format, a, "format", request, err));
    IM_TRY(im_scipy_read(out, inside, format, a->bytes->size, request, err));

cleanup:
    return st;
}

static imsat_status npz_read(im_block *out, im_bytes *bytes, const im_read_request *request,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    archive a = {.bytes = bytes};
    im_block block = {0};
    IM_TRY(im_bytes_all(bytes, err));
    IM_TRY(im_zip_list(&a.zip, bytes, request->path, err));
    IM_TRY(name_arrays(&a, request->path, err));
    const im_inside inside = {.what = im_npz_reader.format.inside,
                              .names = a.names,
                              .count = a.arrays,
                              .read = read_array,
                              .context = &a};
    const bool sparse = im_scipy_fits(&inside) && !request->inside && !request->wants_labels;
    if (sparse && request->contents) {
        st = IMSAT_ESTOPPED; /* it is one thing */
        goto cleanup;
    }
    IM_TRY(sparse ? read_sparse(&block, &a, &inside, request, err)
                  : im_inside_read(&block, &inside, request, err));
    IM_TRY(im_bytes_check(bytes, IMSAT_OK, err)); /* of all that was read, labels included */
    if (sparse)
        im_bytes_clear(bytes);
    else
        im_block_keep(&block, bytes);
    *out = block;
    block = (im_block){0};

cleanup:
    im_block_clear(&block);
    clear(&a);
    return st;
}

const im_reader im_npz_reader = {
    .format = {"npz", "arrays of numpy in a zip archive", ".npz", "array"},
    .lists = true,
    .holds = im_zip_begins,
    .read = npz_read};
