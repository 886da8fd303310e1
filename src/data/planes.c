/* SPDX-License-Identifier: MIT
 *
 * Pictures as the binary batches of CIFAR-10, CIFAR-100 and STL-10 have them: one record after
 * the other, each some bytes of labels, then all of red, all of green, all of blue, a byte a
 * pixel. There is no header: the names of the files are those of the data sets, and sizes must
 * fit.
 *
 *     CIFAR-10    data_batch_1.bin, test_batch.bin    label, 3 x 32 x 32
 *     CIFAR-100   train.bin, test.bin                 coarse label, fine label, 3 x 32 x 32
 *     STL-10      train_X.bin, test_X.bin, ...        3 x 96 x 96, column after column
 *                 train_y.bin, test_y.bin             label
 *
 * The colors are brought together when a row is asked for (pixels.h).
 */
#include "data/pixels.h"
#include "data/reader.h"

#include <string.h>
#include <strings.h>

enum { COLORS = 3 };

typedef struct layout {
    const char *name;
    size_t labels;        /* bytes of labels before the pixels */
    size_t side;          /* pixels; 0: there are none, the records are labels */
    bool by_columns;      /* a color goes down the columns, not along the rows */
    const char *which[2]; /* what the bytes of labels are called; the last is the usual one */
} layout;

static const layout CIFAR10 = {"cifar-10", 1, 32, false, {"label"}};
static const layout CIFAR100 = {"cifar-100", 2, 32, false, {"coarse", "fine"}};
static const layout STL10 = {"stl-10", 0, 96, true, {NULL}};
static const layout STL10_LABELS = {"stl-10 labels", 1, 0, false, {"label"}};

static size_t pixels_of(const layout *l)
{
    return COLORS * l->side * l->side;
}

/* The part of a path that is the file's own name. */
static const char *base_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

static bool is_called(const char *file, const char *name)
{
    const char *base = base_name(file);
    return im_path_ends(base, name) && strncasecmp(base, name, strlen(name)) == 0;
}

/* The layout of files of this name, or NULL. */
static const layout *find_layout(const char *file)
{
    const char *base = base_name(file);
    if (!im_path_ends(base, ".bin"))
        return NULL;
    if (strstr(base, "data_batch") || strstr(base, "test_batch"))
        return &CIFAR10;
    if (im_path_ends(base, "_X.bin"))
        return &STL10;
    if (im_path_ends(base, "_y.bin"))
        return &STL10_LABELS;
    return is_called(file, "train.bin") || is_called(file, "test.bin") ? &CIFAR100 : NULL;
}

static bool cifar_named(const char *file)
{
    const layout *l = find_layout(file);
    return l == &CIFAR10 || l == &CIFAR100;
}

static bool stl_named(const char *file)
{
    const layout *l = find_layout(file);
    return l == &STL10 || l == &STL10_LABELS;
}

/* ---- reading ----------------------------------------------------------------------- */

/* Which byte of labels is asked for. */
static imsat_status find_label(size_t *byte, const layout *l, const im_read_request *request,
                               imsat_error *err)
{
    for (*byte = l->labels; (*byte)-- > 0;)
        if (!request->label_column || strcmp(request->label_column, l->which[*byte]) == 0)
            return IMSAT_OK;
    return im_fail(err, IMSAT_EINVAL, "%s: no labels '%s' in a file of %s; it has %s%s%s",
                   request->path, request->label_column, l->name,
                   l->labels ? l->which[0] : "none", l->labels > 1 ? " and " : "",
                   l->labels > 1 ? l->which[1] : "");
}

/* The labels as the block: a column of bytes, a record apart. */
static imsat_status set_labels(im_block *block, im_bytes *bytes, size_t byte)
{
    block->base = bytes->data + byte;
    block->col_stride = 1;
    block->dim = 1;
    block->ndim = 1;
    block->bytes = *bytes;
    *bytes = (im_bytes){0};
    return IMSAT_OK;
}

/* The pixels as the block. */
static imsat_status set_pixels(im_block *block, im_bytes *bytes, const layout *l,
                               const char *path, imsat_error *err)
{
    const im_pixels_order order = {.down = l->by_columns ? 1 : l->side,
                                   .right = l->by_columns ? l->side : 1,
                                   .channel = l->side * l->side};
    block->base = bytes->data + l->labels;
    block->bytes = *bytes;
    const imsat_status st = im_pixels_set(block, order, path, err);
    *(st == IMSAT_OK ? bytes : &block->bytes) = (im_bytes){0};
    return st;
}

static imsat_status add_labels(im_label_list *labels, const im_bytes *bytes, size_t rows,
                               size_t record, size_t byte, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (size_t i = 0; i < rows; i++) {
        const unsigned char *label = bytes->data + i * record + byte;
        IM_TRY(im_label_list_add(labels, *label, err));
        im_bytes_touched(bytes, label, 1);
    }

cleanup:
    return st;
}

/* Rows and columns of a block, by the bytes that there are. */
static imsat_status measure(im_block *block, const im_bytes *bytes, const layout *l,
                            const char *path, imsat_error *err)
{
    const size_t pixels = pixels_of(l), record = l->labels + pixels;
    if (bytes->size % record != 0)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: by its name it is a file of %s, records of %zu bytes each; but it "
                       "has %zu bytes",
                       path, l->name, record, bytes->size);
    *block = (im_block){.dtype = IM_U8,
                        .rows = bytes->size / record,
                        .dim = pixels,
                        .ndim = 4,
                        .row_stride = record,
                        .image = {l->side, l->side, l->side ? COLORS : 0}};
    return im_block_describe(block, err, "%s, %zu records of uint8, %s", l->name, block->rows,
                             im_bytes_held(bytes));
}

static imsat_status planes_read(im_block *out, im_bytes *bytes, const im_read_request *request,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const layout *l = find_layout(request->file);
    im_block block = {0};
    size_t byte = 0;
    IM_TRY(im_bytes_all(bytes, err));
    IM_TRY(measure(&block, bytes, l, request->path, err));
    if (l->labels || request->label_column)
        IM_TRY(find_label(&byte, l, request, err));
    const bool only_labels = l->side == 0 || (request->wants_labels && l->labels);
    if (only_labels)
        block.image = (imsat_image){0}, block.dim = block.ndim = 1;
    if (request->suits)
        IM_TRY(request->suits(&block, request, err));
    if (request->labels && l->labels && l->side)
        IM_TRY(add_labels(request->labels, bytes, block.rows, block.row_stride, byte, err));
    IM_TRY(only_labels ? set_labels(&block, bytes, byte)
                       : set_pixels(&block, bytes, l, request->path, err));
    *out = block;
    block = (im_block){0};

cleanup:
    im_block_clear(&block);
    return st;
}

const im_reader im_cifar_reader = {
    .format = {"cifar", "binary batches of CIFAR-10 and CIFAR-100, by their usual names",
               "data_batch_1.bin test_batch.bin train.bin test.bin", NULL},
    .named = cifar_named,
    .read = planes_read};

const im_reader im_stl_reader = {.format = {"stl",
                                            "binary files of STL-10, by their usual names",
                                            "train_X.bin test_X.bin train_y.bin", NULL},
                                 .named = stl_named,
                                 .read = planes_read};
