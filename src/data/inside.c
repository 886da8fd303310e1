/* SPDX-License-Identifier: MIT
 * Which array of several; see inside.h. */
#include "data/inside.h"

#include "core/alloc.h"
#include "data/block_labels.h"

#include <stdio.h>
#include <string.h>

enum { LIST_ROOM = 500, NAME_ROOM = 256 };

static const size_t NONE = SIZE_MAX;

/* What data and its labels are called. */
static const struct pair {
    const char *data, *labels;
} pairs[] = {
    {"x", "y"},        {"X", "y"},           {"data", "labels"},
    {"data", "label"}, {"data", "target"},   {"data", "targets"},
    {"data", "y"},     {"images", "labels"}, {"features", "labels"},
    {"features", "y"}, {"X", "Y"},           {"fea", "gnd"},
};

enum { PAIRS = sizeof pairs / sizeof *pairs };

static size_t find(const im_inside *inside, const char *name)
{
    for (size_t i = 0; i < inside->count; i++)
        if (strcmp(inside->names[i], name) == 0)
            return i;
    return NONE;
}

/* ---- messages ----------------------------------------------------------------- */

/* "x, y, ..." */
static void list_names(char list[LIST_ROOM], const im_inside *inside)
{
    size_t used = 0;
    list[0] = '\0';
    for (size_t i = 0; i < inside->count; i++) {
        if (used + strlen(inside->names[i]) + 8 > LIST_ROOM) {
            snprintf(list + used, LIST_ROOM - used, "%s...", used ? ", " : "");
            return;
        }
        used += (size_t)snprintf(list + used, LIST_ROOM - used, "%s%s", used ? ", " : "",
                                 inside->names[i]);
    }
}

static imsat_status refuse_name(const im_inside *inside, const im_read_request *request,
                                const char *name, imsat_error *err)
{
    char list[LIST_ROOM];
    list_names(list, inside);
    return im_fail(err, IMSAT_EINVAL, "%s: there is no %s '%s' inside; there is %s",
                   request->path, inside->what, name, inside->count ? list : "none at all");
}

static imsat_status refuse_choice(const im_inside *inside, const im_read_request *request,
                                  imsat_error *err)
{
    char list[LIST_ROOM];
    if (inside->count == 0)
        return im_fail(err, IMSAT_EFORMAT, "%s: holds no %s", request->path, inside->what);
    list_names(list, inside);
    return im_fail(err, IMSAT_EINVAL, "%s: holds %zu %ss; say which one by FILE:NAME: %s",
                   request->path, inside->count, inside->what, list);
}

/* ---- data and labels ------------------------------------------------------------- */

/* The array that is called as `name` is, with the word of the labels in place of that of the
 * data; NONE if the name does not have that word, or there is no such array. */
static size_t find_beside(const im_inside *inside, const char *name, const struct pair *pair)
{
    char beside[NAME_ROOM];
    const size_t size = strlen(name), word = strlen(pair->data);
    if (size < word || size >= NAME_ROOM)
        return NONE;
    if (strncmp(name, pair->data, word) == 0 && (size == word || name[word] == '_'))
        snprintf(beside, sizeof beside, "%s%s", pair->labels, name + word);
    else if (size > word && name[size - word - 1] == '_' &&
             strcmp(name + size - word, pair->data) == 0)
        snprintf(beside, sizeof beside, "%.*s%s", (int)(size - word), name, pair->labels);
    else
        return NONE;
    return find(inside, beside);
}

static size_t labels_of(const im_inside *inside, size_t data)
{
    size_t labels = NONE;
    for (size_t p = 0; p < PAIRS && labels == NONE; p++)
        labels = find_beside(inside, inside->names[data], &pairs[p]);
    return labels;
}

/* The only array that has labels beside it; NONE if there is none, several if there are more.
 */
static size_t only_with_labels(const im_inside *inside, bool *several)
{
    size_t found = NONE;
    for (size_t i = 0; i < inside->count; i++) {
        if (labels_of(inside, i) == NONE)
            continue;
        *several |= found != NONE;
        found = i;
    }
    return found;
}

/* The only array that is no vector, or NONE. */
static size_t only_matrix(const im_inside *inside)
{
    size_t found = NONE, count = 0;
    for (size_t i = 0; inside->vectors && i < inside->count; i++)
        if (!inside->vectors[i]) {
            found = i;
            count++;
        }
    return count == 1 ? found : NONE;
}

/* Which array is the data. */
static imsat_status choose_data(size_t *data, const im_inside *inside,
                                const im_read_request *request, imsat_error *err)
{
    size_t found;
    bool several = false;
    if (request->inside) {
        *data = find(inside, request->inside);
        return *data != NONE ? IMSAT_OK : refuse_name(inside, request, request->inside, err);
    }
    found = inside->count == 1 ? 0 : only_with_labels(inside, &several);
    if (found == NONE)
        found = only_matrix(inside);
    if (found == NONE || several)
        return refuse_choice(inside, request, err);
    *data = found;
    return IMSAT_OK;
}

/* Which array holds the labels; NONE: none does, or nobody wants them. */
static imsat_status choose_labels(size_t *labels, size_t data, const im_inside *inside,
                                  const im_read_request *request, imsat_error *err)
{
    *labels = NONE;
    if (!request->labels)
        return IMSAT_OK;
    *labels =
        request->label_column ? find(inside, request->label_column) : labels_of(inside, data);
    if (request->label_column && *labels == NONE)
        return refuse_name(inside, request, request->label_column, err);
    return IMSAT_OK;
}

/* Read array i, which messages call FILE:NAME. */
static imsat_status read_array(im_block *out, const im_inside *inside, size_t i,
                               const im_read_request *request, im_suits_fn *suits,
                               imsat_error *err)
{
    im_read_request plain = *request;
    const size_t room = strlen(request->file) + strlen(inside->names[i]) + 2;
    char *path = im_alloc(room, 1);
    if (!path)
        return im_fail_memory(err, request->path);
    snprintf(path, room, "%s:%s", request->file, inside->names[i]);
    plain.path = path;
    plain.suits = suits;
    plain.labels = NULL;
    plain.label_column = NULL;
    const imsat_status st = inside->read(out, inside->context, i, &plain, err);
    im_free(path);
    return st;
}

/* Labels of `rows` rows, behind those that the caller has. */
static imsat_status add_labels(const im_inside *inside, size_t i, size_t rows,
                               const im_read_request *request, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_block block = {0};
    const size_t before = request->labels->count;
    IM_TRY(read_array(&block, inside, i, request, im_block_labels_suit, err));
    if (block.rows != rows) {
        st = im_fail(err, IMSAT_EMISMATCH, "%s: %zu labels in '%s' for %zu rows",
                     request->path, block.rows, inside->names[i], rows);
        goto cleanup;
    }
    IM_TRY(im_block_labels_add(request->labels, &block, request->path, err));

cleanup:
    if (st != IMSAT_OK && !request->labels->starts)
        request->labels->count = before;
    im_block_clear(&block);
    return st;
}

imsat_status im_inside_labels(const im_inside *inside, size_t data, size_t rows,
                              const im_read_request *request, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    size_t labels = NONE;
    IM_TRY(choose_labels(&labels, data, inside, request, err));
    if (labels == NONE)
        return IMSAT_OK;
    st = add_labels(inside, labels, rows, request, err);
    if (!request->label_column && st != IMSAT_ENOMEM)
        st = IMSAT_OK; /* what is beside the data is not its labels */

cleanup:
    return st;
}

/* ---- the list --------------------------------------------------------------------- */

/* An im_suits_fn that only looks: "float32 (70000, 784)". */
static imsat_status note_shape(const im_block *block, const im_read_request *request,
                               imsat_error *err)
{
    static const char *const types[] = {"bool",     "int8",    "uint8",  "int16",  "uint16",
                                        "int32",    "uint32",  "int64",  "uint64", "float16",
                                        "bfloat16", "float32", "float64"};
    char shape[IM_SHAPE_TEXT];
    const imsat_image image = block->image;
    const size_t flat[] = {block->rows, block->dim};
    const size_t images[] = {block->rows, image.height, image.width, image.channels};
    im_block_shape_text(shape, block->ndim > 2 ? images : flat, block->ndim);
    snprintf(request->contents->what, IM_CONTENTS_WHAT, "%s %s", types[block->dtype], shape);
    return im_fail(err, IMSAT_ESTOPPED, "only its shape is asked for");
}

/* Room for the list and all of its texts, in one piece; *texts is where these go. */
static imsat_inside *make_list(const im_inside *inside, char **texts)
{
    size_t room = inside->count * (sizeof(imsat_inside) + IM_CONTENTS_WHAT);
    for (size_t i = 0; i < inside->count; i++)
        room += strlen(inside->names[i]) + 1;
    imsat_inside *items = im_alloc(room, 1);
    *texts = (char *)(items + inside->count);
    return items;
}

/* The arrays of a file, instead of one of them. What is no data has the reason in place of its
 * shape, behind the name of the file. */
static imsat_status list_arrays(const im_inside *inside, const im_read_request *request,
                                imsat_error *err)
{
    im_contents *contents = request->contents;
    char *text;
    imsat_inside *items = make_list(inside, &text);
    if (!items)
        return im_fail_memory(err, request->path);
    for (size_t i = 0; i < inside->count; i++) {
        im_block block = {0};
        imsat_error why = {""};
        const imsat_status st = read_array(&block, inside, i, request, note_shape, &why);
        im_block_clear(&block);
        if (st == IMSAT_ENOMEM || st == IMSAT_EIO) {
            im_free(items);
            return im_fail(err, st, "%s", why.message);
        }
        const size_t room = strlen(inside->names[i]) + 1;
        items[i].name = memcpy(text, inside->names[i], room);
        text += room;
        items[i].what = text;
        text += 1 + snprintf(text, IM_CONTENTS_WHAT, "%.*s", IM_CONTENTS_WHAT - 1,
                             st == IMSAT_ESTOPPED ? contents->what : why.message);
    }
    contents->items = items;
    contents->count = inside->count;
    return IMSAT_ESTOPPED;
}

imsat_status im_inside_read(im_block *out, const im_inside *inside,
                            const im_read_request *request, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_block block = {0};
    size_t data = NONE;
    if (request->contents)
        return list_arrays(inside, request, err);
    IM_TRY(choose_data(&data, inside, request, err));
    if (request->wants_labels && !request->inside && labels_of(inside, data) != NONE)
        data = labels_of(inside, data);
    IM_TRY(read_array(&block, inside, data, request, request->suits, err));
    IM_TRY(im_inside_labels(inside, data, block.rows, request, err));
    *out = block;
    block = (im_block){0};

cleanup:
    im_block_clear(&block);
    return st;
}
