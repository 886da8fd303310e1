/* SPDX-License-Identifier: MIT
 *
 * Files of rows: which format, how many rows, opened and committed; see output.h. The table is
 * all that is said anywhere of what formats there are.
 */
#include "data/output.h"

#include "core/alloc.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Those that hold results come first, as help and refusals list them. */
static const im_output_format *const formats[] = {
    &im_npy_output,      &im_csv_output,  &im_tsv_output,   &im_jsonl_output, &im_npz_output,
    &im_svmlight_output, &im_mtx_output,  &im_idx_output,   &im_fvecs_output, &im_bvecs_output,
    &im_ivecs_output,    &im_fbin_output, &im_u8bin_output, &im_i8bin_output, &im_ibin_output};

enum { FORMATS = sizeof formats / sizeof *formats, LIST_ROOM = 512 };

const imsat_output_format *imsat_output_format_at(size_t i)
{
    return i < FORMATS ? &formats[i]->shown : NULL;
}

/* ---- which format ---------------------------------------------------------------- */

/* What a name ends in, from its last dot on; NULL: nothing, or what is only a hidden name. */
static const char *ending_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot && dot > name && dot[1] ? dot : NULL;
}

static bool has_ending(const im_output_format *format, const char *ending)
{
    const size_t size = strlen(ending);
    for (const char *word = format->shown.endings; *word; word += *word == ' ') {
        const size_t length = strcspn(word, " ");
        if (length == size && strncasecmp(word, ending, size) == 0)
            return true;
        word += length;
    }
    return false;
}

/* ".npy, .csv": the endings of those that hold results, or of all. */
static void list_endings(char list[LIST_ROOM], bool all)
{
    size_t used = 0;
    list[0] = '\0';
    for (size_t i = 0; i < FORMATS; i++)
        for (const char *word = formats[i]->shown.endings; *word; word += *word == ' ') {
            const size_t length = strcspn(word, " ");
            if (all || formats[i]->shown.results)
                used += (size_t)snprintf(list + used, LIST_ROOM - used, "%s%.*s",
                                         used ? ", " : "", (int)length, word);
            word += length;
        }
}

imsat_status im_output_find(const im_output_format **out, const char *path, const char *name,
                            imsat_error *err)
{
    const char *ending = ending_of(path);
    char list[LIST_ROOM];
    for (size_t i = 0; i < FORMATS; i++) {
        const im_output_format *format = formats[i];
        if (name     ? strcmp(format->shown.name, name) == 0
            : ending ? has_ending(format, ending)
                     : format == &im_npy_output) {
            *out = format;
            return IMSAT_OK;
        }
    }
    if (name)
        return im_fail(err, IMSAT_EINVAL, "%s: there is no format '%s' to write it in", path,
                       name);
    list_endings(list, true);
    return im_fail(err, IMSAT_EINVAL,
                   "%s: no format that imsat writes ends in %s; these do: %s", path, ending,
                   list);
}

imsat_status imsat_output_format_find(const imsat_output_format **out, const char *path,
                                      const char *name, imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE_PATH(path);
    const im_output_format *format;
    const imsat_status st = im_output_find(&format, path, name, err);
    if (st == IMSAT_OK)
        *out = &format->shown;
    return st;
}

int imsat_output_has_labels(const imsat_output_format *format)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (format == &formats[i]->shown)
            return formats[i]->most_columns > 1;
    return 0;
}

/* ---- what it holds ---------------------------------------------------------------- */

static imsat_status refuse_columns(const imsat_output *out, const char *what, imsat_error *err)
{
    char list[LIST_ROOM];
    list_endings(list, false);
    return im_fail(err, IMSAT_EINVAL, "%s: a file of the format %s does not hold %s; %s do",
                   out->writer.path, out->format->shown.name, what, list);
}

static imsat_status too_large(const char *path, size_t rows, size_t cols, imsat_error *err)
{
    return im_fail(err, IMSAT_EINVAL, "%s: %zu rows of %zu are more than memory holds", path,
                   rows, cols);
}

/* Whether so many rows of a column can be counted in bytes. */
static bool fits(const im_output_column *column, size_t rows)
{
    size_t bytes;
    return column->sparse ||
           (im_size_mul(&bytes, im_output_width(column), im_dtype_size(column->type)) &&
            (rows == IMSAT_NPY_ANY_ROWS || im_size_mul(&bytes, bytes, rows)));
}

static imsat_status check_columns(const imsat_output *out, imsat_error *err)
{
    const im_output_format *format = out->format;
    const im_output_column *first = &out->columns[0];
    for (size_t c = 0; c < out->ncolumns; c++)
        if (!fits(&out->columns[c], out->announced))
            return too_large(out->writer.path, out->announced, out->columns[c].width, err);
    if (out->ncolumns > format->most_columns)
        return refuse_columns(out, "several columns of different kinds", err);
    if (format->lists && !first->width)
        return refuse_columns(out, "one value a row", err);
    if (out->ncolumns > 1 && !format->shown.results && out->columns[1].width)
        return refuse_columns(out, "two lists a row", err);
    if (format->types && !(format->types & 1U << first->type))
        return refuse_columns(out, "numbers of this type", err);
    return IMSAT_OK;
}

/* ---- the life of a file ------------------------------------------------------------ */

/* Keep columns and their names. */
static imsat_status keep_columns(imsat_output *out, const im_output_column *columns,
                                 size_t count, const char *path, imsat_error *err)
{
    size_t room = 0;
    for (size_t c = 0; c < count; c++)
        room += strlen(columns[c].name) + 1;
    out->columns = im_alloc(count, sizeof *out->columns);
    out->texts = im_alloc(room, 1);
    if (!out->columns || !out->texts)
        return im_fail_memory(err, path);
    memcpy(out->columns, columns, count * sizeof *columns);
    out->ncolumns = count;
    char *text = out->texts;
    for (size_t c = 0; c < count; c++) {
        const size_t size = strlen(columns[c].name) + 1;
        memcpy(text, columns[c].name, size);
        out->columns[c].name = text;
        text += size;
    }
    return IMSAT_OK;
}

imsat_status im_output_open(imsat_output **out, const char *path,
                            const im_output_format *format, const im_output_column *columns,
                            size_t ncolumns, size_t rows, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_output *file = im_alloc(1, sizeof *file);
    if (!file)
        return im_fail_memory(err, path);
    file->format = format;
    file->announced = rows;
    const bool over = format->head == IM_HEAD_LATE ||
                      (format->head == IM_HEAD_ROWS && rows == IMSAT_NPY_ANY_ROWS);
    file->writer.path = im_strdup(path);
    if (!file->writer.path) {
        st = im_fail_memory(err, path);
        goto cleanup;
    }
    IM_TRY(keep_columns(file, columns, ncolumns, path, err));
    IM_TRY(check_columns(file, err));
    im_free(file->writer.path);
    file->writer.path = NULL;
    IM_TRY((over ? im_writer_open_over : im_writer_open)(&file->writer, path, err));
    IM_TRY(format->begin(file, err));
    *out = file;
    file = NULL;

cleanup:
    imsat_output_free(file);
    return st;
}

bool im_output_type(im_dtype *out, imsat_npy_type type)
{
    static const im_dtype types[] = {[IMSAT_NPY_INT32] = IM_I32,
                                     [IMSAT_NPY_FLOAT32] = IM_F32,
                                     [IMSAT_NPY_UINT8] = IM_U8,
                                     [IMSAT_NPY_INT64] = IM_I64};
    if ((unsigned)type >= sizeof types / sizeof *types)
        return false;
    *out = types[type];
    return true;
}

imsat_status imsat_output_create(imsat_output **out, const char *path, const char *format,
                                 const imsat_output_column *columns, size_t ncolumns,
                                 size_t rows, imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE_PATH(path);
    IM_REQUIRE(columns);
    const im_output_format *found;
    imsat_status st = im_output_find(&found, path, format, err);
    if (st != IMSAT_OK)
        return st;
    if (ncolumns == 0)
        return im_fail(err, IMSAT_EINVAL, "%s: rows of no columns", path);
    im_output_column *kept = im_alloc(ncolumns, sizeof *kept);
    if (!kept)
        return im_fail_memory(err, path);
    for (size_t c = 0; c < ncolumns && st == IMSAT_OK; c++) {
        kept[c].name = columns[c].name ? columns[c].name : "";
        kept[c].width = columns[c].width;
        if (!im_output_type(&kept[c].type, columns[c].type))
            st = im_fail(err, IMSAT_EINVAL, "%s: %d is not a type of elements", path,
                         (int)columns[c].type);
    }
    if (st == IMSAT_OK)
        st = im_output_open(out, path, found, kept, ncolumns, rows, err);
    im_free(kept);
    return st;
}

static imsat_status check_open(const imsat_output *file, imsat_error *err)
{
    if (!file->ended)
        return IMSAT_OK;
    return im_fail(err, IMSAT_EINVAL,
                   "%s: is committed, or could not be written; nothing can be added",
                   file->writer.path);
}

imsat_status im_output_put(imsat_output *out, const im_output_piece *piece, imsat_error *err)
{
    imsat_status st = check_open(out, err);
    if (st != IMSAT_OK || piece->count == 0)
        return st;
    if (piece->count > out->announced - out->rows)
        return im_fail(err, IMSAT_EINVAL, "%s: %zu rows more than were announced",
                       out->writer.path, piece->count - (out->announced - out->rows));
    for (size_t c = 0; c < out->ncolumns; c++)
        if (!fits(&out->columns[c], piece->count))
            return too_large(out->writer.path, piece->count, out->columns[c].width, err);
    st = out->format->put(out, piece, err);
    out->ended = st != IMSAT_OK; /* a part of the rows may be in the file */
    out->rows += st == IMSAT_OK ? piece->count : 0;
    return st;
}

imsat_status imsat_output_append(imsat_output *file, const void *const *values, size_t rows,
                                 imsat_error *err)
{
    IM_REQUIRE(file);
    IM_REQUIRE_ARRAY(values, rows);
    return im_output_put(file, &(im_output_piece){.count = rows, .values = values}, err);
}

imsat_status imsat_output_commit(imsat_output *file, imsat_error *err)
{
    IM_REQUIRE(file);
    imsat_status st = IMSAT_OK;
    IM_TRY(check_open(file, err));
    if (file->announced != IMSAT_NPY_ANY_ROWS && file->rows < file->announced)
        return im_fail(err, IMSAT_EINVAL, "%s: %zu rows are missing", file->writer.path,
                       file->announced - file->rows);
    file->ended = true;
    if (file->format->end)
        IM_TRY(file->format->end(file, err));
    IM_TRY(im_writer_commit(&file->writer, err));

cleanup:
    return st;
}

void imsat_output_free(imsat_output *file)
{
    if (!file)
        return;
    if (file->format->clear)
        file->format->clear(file);
    im_writer_clear(&file->writer);
    im_free(file->columns);
    im_free(file->texts);
    im_free(file);
}

imsat_status imsat_labels_write(const char *path, const char *format, const int32_t *labels,
                                size_t n, imsat_error *err)
{
    IM_REQUIRE_PATH(path);
    IM_REQUIRE_ARRAY(labels, n);
    const imsat_output_column column = {"label", IMSAT_NPY_INT32, 0};
    const void *values = labels;
    imsat_status st = IMSAT_OK;
    imsat_output *file = NULL;
    IM_TRY(imsat_output_create(&file, path, format, &column, 1, n, err));
    IM_TRY(imsat_output_append(file, &values, n, err));
    IM_TRY(imsat_output_commit(file, err));

cleanup:
    imsat_output_free(file);
    return st;
}
