/* SPDX-License-Identifier: MIT
 * Documents out of files; see documents.h. */
#include "features/documents.h"

#include "core/path.h"
#include "data/json_rows.h"
#include "data/pictures.h"
#include "data/text.h"

#include <string.h>

static imsat_status take_member(void *context, const im_member *member, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_documents *documents = context;
    IM_TRY(im_member_label(documents->labels, member->name, err));
    IM_TRY(documents->take(documents->context, (const char *)member->data, member->size, err));

cleanup:
    return st;
}

/* Every line is a document, also a blank one: rows are counted by lines. */
static imsat_status take_lines(const im_documents *documents, im_bytes *bytes,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_text text = {0};
    IM_TRY(im_text_begin(&text, bytes, err));
    while (text.at < text.end) {
        for (const char *line = text.at, *next; line < text.end; line = next) {
            const char *newline = memchr(line, '\n', (size_t)(text.end - line));
            next = newline ? newline + 1 : text.end;
            const im_span span = {line, (size_t)(next - line)};
            im_bytes_touched(bytes, span.at, span.size);
            IM_TRY(im_documents_put(documents, span, (im_span){0}, err));
        }
        IM_TRY(im_text_next(&text, err));
    }

cleanup:
    im_text_clear(&text);
    return st;
}

static imsat_status refuse_column(const im_documents *documents, const char *what,
                                  imsat_error *err)
{
    return im_fail(err, IMSAT_EINVAL,
                   "%s: %s, so there is no label column '%s'; leave out --label-column",
                   documents->path, what, documents->label_column);
}

static imsat_status take_file(const im_documents *documents, im_bytes *bytes, imsat_error *err)
{
    const char *path = documents->path;
    if (im_tar_holds(bytes)) {
        if (documents->label_column)
            return refuse_column(documents, "labels of an archive are its folders", err);
        return im_tar_each(bytes, path, take_member, (void *)(uintptr_t)documents, err);
    }
    if (im_documents_are_json(bytes))
        return im_documents_json(documents, bytes, err);
    if (documents->text_column || im_path_ends(path, ".csv") || im_path_ends(path, ".tsv"))
        return im_documents_table(documents, bytes, err);
    if (documents->label_column)
        return refuse_column(documents, "each line is a text", err);
    return take_lines(documents, bytes, err);
}

imsat_status im_documents_each(const im_documents *documents, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_bytes bytes = {0};
    if (im_folder_is(documents->path)) {
        if (documents->label_column)
            return refuse_column(documents, "labels of a folder are the folders in it", err);
        return im_folder_each(documents->path, take_member, (void *)(uintptr_t)documents, err);
    }
    IM_TRY(im_bytes_open(&bytes, documents->path, err));
    IM_TRY(take_file(documents, &bytes, err));

cleanup:
    st = im_bytes_check(&bytes, st, err);
    im_bytes_clear(&bytes);
    return st;
}

static imsat_status look_at(bool *texts, const char *file, const char *text_column,
                            imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_bytes bytes = {0};
    bool pictures = false, many = im_folder_is(file);
    if (!many) {
        IM_TRY(im_bytes_open(&bytes, file, err));
        many = im_tar_holds(&bytes);
        *texts = im_json_rows_have_text(&bytes, "text") || text_column;
    }
    if (many) {
        IM_TRY(im_pictures_are(&pictures, file, err));
        *texts = !pictures;
    }

cleanup:
    st = im_bytes_check(&bytes, st, err);
    im_bytes_clear(&bytes);
    return st;
}

imsat_status im_documents_are(bool *out, const char *path, const char *text_column,
                              imsat_error *err)
{
    im_path_parts name;
    bool texts = false;
    if (!im_path_split(&name, path))
        return im_fail_memory(err, path);
    const imsat_status st =
        im_path_lasts(name.file) ? look_at(&texts, name.file, text_column, err) : IMSAT_OK;
    im_path_parts_clear(&name);
    if (st == IMSAT_OK)
        *out = texts;
    return st;
}
