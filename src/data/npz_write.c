/* SPDX-License-Identifier: MIT
 *
 * .npz: dense rows as np.savez(x=, y=) writes them, sparse ones as scipy.sparse.save_npz()
 * does, with their labels beside them as one more array, which scipy does not look at.
 *
 *     dense    x y            sparse    data indices indptr shape format labels
 *
 * The first array, which is the large one, goes to the file as it comes. Its head, with its
 * checksum and the number of its elements, is put over at the end. The others wait meanwhile
 * in files without a name.
 */
#include "core/alloc.h"
#include "core/spool.h"
#include "core/transfer.h"
#include "core/unpack.h"
#include "data/npy_write.h"
#include "data/zip_write.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER = 1 << 16, HEAD_ROOM = IM_ZIP_HEAD_ROOM + IM_NPY_HEADER };

/* An array on its way to the archive. */
typedef struct array {
    const char *name;        /* of the member */
    im_output_column column; /* its type and the shape of a row */
    size_t count;            /* rows so far */
    uint64_t bytes;          /* and their bytes */
    uint32_t crc;            /* of these */
    int spool;               /* where they wait; -1: they are in the file */
    unsigned char *waiting;  /* (used) owned: not in the spool yet */
    size_t used;
} array;

/* The archive being written. */
typedef struct archive {
    array arrays[IM_ZIP_MEMBERS];
    im_zip_stored members[IM_ZIP_MEMBERS];
    size_t count;
    uint64_t at; /* bytes of the file so far */
    int64_t elements;
} archive;

/* ---- arrays ------------------------------------------------------------------------ */

static imsat_status put(imsat_output *out, const void *bytes, size_t size, imsat_error *err)
{
    archive *a = out->state;
    a->at += size;
    return im_writer_put(&out->writer, bytes, size, err);
}

static imsat_status fail_spool(const imsat_output *out, imsat_error *err)
{
    return im_fail(err, IMSAT_EIO, "%s: what waits for its end, in a temporary file: %s",
                   out->writer.path, strerror(errno));
}

static imsat_status flush(const imsat_output *out, array *x, imsat_error *err)
{
    const bool done = im_transfer_write(x->spool, x->waiting, x->used);
    x->used = 0;
    return done ? IMSAT_OK : fail_spool(out, err);
}

/* The next rows of an array. */
static imsat_status append(imsat_output *out, array *x, const void *rows, size_t count,
                           imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const unsigned char *at = rows;
    size_t left = count * im_output_width(&x->column) * im_dtype_size(x->column.type);
    x->crc = im_unpack_crc(x->crc, rows, left);
    x->count += count;
    x->bytes += left;
    if (x->spool < 0)
        return put(out, rows, left, err);
    while (left > 0) {
        const size_t now = left < BUFFER - x->used ? left : BUFFER - x->used;
        memcpy(x->waiting + x->used, at, now);
        x->used += now;
        at += now;
        left -= now;
        if (x->used == BUFFER)
            IM_TRY(flush(out, x, err));
    }

cleanup:
    return st;
}

/* The heads of a member and of the array in it, and what the archive's list says of it. */
static size_t build_head(unsigned char head[HEAD_ROOM], im_zip_stored *member, const array *x)
{
    char header[IM_NPY_HEADER];
    im_npy_write_header(header, &x->column, x->count);
    snprintf(member->name, sizeof member->name, "%s.npy", x->name);
    member->size = x->bytes + IM_NPY_HEADER;
    member->crc =
        im_unpack_crc_join(im_unpack_crc(0, header, sizeof header), x->crc, x->bytes);
    const size_t size = im_zip_write_head(head, member);
    memcpy(head + size, header, sizeof header);
    return size + sizeof header;
}

/* ---- beginning --------------------------------------------------------------------- */

static array *add_array(archive *a, const char *name, im_dtype type, size_t width)
{
    array *x = &a->arrays[a->count++];
    *x = (array){.name = name, .column = {.type = type, .width = width}, .spool = -1};
    return x;
}

static imsat_status open_spools(const imsat_output *out, archive *a, imsat_error *err)
{
    for (size_t i = 1; i < a->count; i++) {
        a->arrays[i].waiting = im_alloc(BUFFER, 1);
        if (!a->arrays[i].waiting)
            return im_fail_memory(err, out->writer.path);
        a->arrays[i].spool = im_spool_new();
        if (a->arrays[i].spool < 0)
            return fail_spool(out, err);
    }
    return IMSAT_OK;
}

static imsat_status begin(imsat_output *out, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_output_column *rows = &out->columns[0];
    const bool sparse = rows->sparse;
    unsigned char head[HEAD_ROOM];
    archive *a = out->state = im_alloc(1, sizeof *a);
    if (!a)
        return im_fail_memory(err, out->writer.path);
    if (sparse) {
        add_array(a, "data", IM_F32, 0);
        add_array(a, "indices", IM_I32, 0);
        add_array(a, "indptr", IM_I64, 0);
        add_array(a, "shape", IM_I64, 0);
    } else {
        add_array(a, "x", rows->type, rows->width)->column.image = rows->image;
    }
    if (out->ncolumns > 1)
        add_array(a, sparse ? "labels" : "y", out->columns[1].type, 0);
    IM_TRY(open_spools(out, a, err));
    IM_TRY(put(out, head, build_head(head, &a->members[0], &a->arrays[0]), err));
    if (sparse)
        IM_TRY(append(out, &a->arrays[2], &a->elements, 1, err));

cleanup:
    return st;
}

/* ---- rows -------------------------------------------------------------------------- */

static imsat_status put_sparse(imsat_output *out, const im_csr_row *row, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    archive *a = out->state;
    IM_TRY(append(out, &a->arrays[0], row->value, row->count, err));
    IM_TRY(append(out, &a->arrays[1], row->column, row->count, err));
    a->elements += (int64_t)row->count;
    IM_TRY(append(out, &a->arrays[2], &a->elements, 1, err));

cleanup:
    return st;
}

static imsat_status put_rows(imsat_output *out, const im_output_piece *piece, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    archive *a = out->state;
    if (!piece->sparse)
        IM_TRY(append(out, &a->arrays[0], piece->values[0], piece->count, err));
    for (size_t i = 0; piece->sparse && i < piece->count; i++)
        IM_TRY(put_sparse(out, &piece->sparse[i], err));
    if (out->ncolumns > 1)
        IM_TRY(append(out, &a->arrays[a->count - 1], piece->values[1], piece->count, err));

cleanup:
    return st;
}

/* ---- the end ------------------------------------------------------------------------ */

/* Copy an array that waited to the file. */
static imsat_status put_member(imsat_output *out, size_t i, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    archive *a = out->state;
    array *x = &a->arrays[i];
    unsigned char head[HEAD_ROOM];
    size_t got = BUFFER;
    IM_TRY(flush(out, x, err));
    a->members[i].at = a->at;
    IM_TRY(put(out, head, build_head(head, &a->members[i], x), err));
    if (lseek(x->spool, 0, SEEK_SET) != 0)
        return fail_spool(out, err);
    while (got == BUFFER) {
        if (!im_transfer_read(x->spool, x->waiting, BUFFER, &got))
            return fail_spool(out, err);
        IM_TRY(put(out, x->waiting, got, err));
    }

cleanup:
    return st;
}

/* The array that says how rows are compressed: one text, without a shape. */
static imsat_status put_format(imsat_output *out, imsat_error *err)
{
    static const char text[] = "csr", is[] = "{'descr': '|S3', 'fortran_order': False, "
                                             "'shape': (), }";
    imsat_status st = IMSAT_OK;
    archive *a = out->state;
    im_zip_stored *member = &a->members[a->count++];
    char bytes[IM_NPY_HEADER + sizeof text - 1];
    unsigned char head[IM_ZIP_HEAD_ROOM];
    im_npy_write_header(bytes, &(im_output_column){.type = IM_U8}, 0);
    memset(bytes + 10, ' ', IM_NPY_HEADER - 11);
    memcpy(bytes + 10, is, sizeof is - 1);
    memcpy(bytes + IM_NPY_HEADER, text, sizeof text - 1);
    *member = (im_zip_stored){"format.npy", a->at, sizeof bytes,
                              im_unpack_crc(0, bytes, sizeof bytes)};
    IM_TRY(put(out, head, im_zip_write_head(head, member), err));
    IM_TRY(put(out, bytes, sizeof bytes, err));

cleanup:
    return st;
}

static imsat_status end(imsat_output *out, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    archive *a = out->state;
    const size_t arrays = a->count;
    const int64_t shape[2] = {(int64_t)out->rows, (int64_t)out->columns[0].width};
    unsigned char head[HEAD_ROOM];
    const size_t size = build_head(head, &a->members[0], &a->arrays[0]);
    if (out->columns[0].sparse)
        IM_TRY(append(out, &a->arrays[3], shape, 2, err));
    for (size_t i = 1; i < arrays; i++)
        IM_TRY(put_member(out, i, err));
    if (out->columns[0].sparse)
        IM_TRY(put_format(out, err));
    IM_TRY(im_zip_write_list(&out->writer, a->members, a->count, a->at, err));
    IM_TRY(im_writer_over(&out->writer, head, size, err));

cleanup:
    return st;
}

static void clear(imsat_output *out)
{
    archive *a = out->state;
    for (size_t i = 0; a && i < IM_ZIP_MEMBERS; i++) {
        if (a->arrays[i].waiting && a->arrays[i].spool >= 0)
            close(a->arrays[i].spool);
        im_free(a->arrays[i].waiting);
    }
    im_free(a);
}

const im_output_format im_npz_output = {
    .shown = {.name = "npz",
              .summary = "arrays of numpy, or a sparse matrix of scipy",
              .endings = ".npz"},
    .most_columns = 2,
    .lists = true,
    .sparse = true,
    .types = IM_NPY_TYPES,
    .head = IM_HEAD_LATE,
    .begin = begin,
    .put = put_rows,
    .end = end,
    .clear = clear};
