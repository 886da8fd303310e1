/* SPDX-License-Identifier: MIT
 *
 * The variables of a file of MATLAB; see mat.h.
 *
 * Version 5: 124 bytes of text, the version (0x0100), and "MI" as a number of 16 bits, which
 * tells the byte order. Then elements:
 *
 *     u32 type, u32 size, the data, zeros to a multiple of 8            8 + size bytes
 *     u16 size, u16 type (as one u32, size above), 4 bytes of data      if size is at most 4
 *
 * One of type 15 is a stream of zlib with one of type 14 in it, and has no zeros behind it.
 * One of type 14 is a variable, whose data are elements again: flags and class, dimensions,
 * name, and then the values, of any type that holds them: a double 7 may be stored as a byte.
 * A sparse matrix has the rows of its values, where columns begin, and the values.
 *
 * Version 4 has no header: a variable is five u32 (type, rows, columns, whether it is complex,
 * bytes of the name), the name with its 0, and the values. It is known by the name of the
 * file.
 */
#include "core/alloc.h"
#include "core/pile.h"
#include "data/mat.h"

#include <string.h>

enum {
    HEADER = 128,
    VERSION = 124, /* where it is */
    TAG = 8,
    MATRIX = 14,
    COMPRESSED = 15,
    MOST_VARIABLES = 4096,
    HEAD = 512, /* more than the flags, dimensions and name of a variable take */
    OLD_HEAD = 20
};

static uint64_t number(const unsigned char *p, size_t bytes, bool big_endian)
{
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++)
        value = value << 8 | p[big_endian ? i : bytes - 1 - i];
    return value;
}

static bool has_version(const im_bytes *bytes, unsigned char major)
{
    const unsigned char little[] = {0, major, 'I', 'M'}, big[] = {major, 0, 'M', 'I'};
    return bytes->size >= HEADER && memchr(bytes->data, 0, 4) == NULL &&
           (memcmp(bytes->data + VERSION, little, sizeof little) == 0 ||
            memcmp(bytes->data + VERSION, big, sizeof big) == 0);
}

bool im_mat_is_5(const im_bytes *bytes)
{
    return has_version(bytes, 1);
}

bool im_mat_is_73(const im_bytes *bytes)
{
    return has_version(bytes, 2);
}

/* ---- elements ---------------------------------------------------------------------- */

typedef struct element {
    unsigned type;
    size_t start, size; /* of its data */
    size_t next;        /* behind it and its zeros */
} element;

/* The element at `at`; false if its header is not among the bytes that are here. */
static bool element_at(element *out, const im_bytes *bytes, size_t at, bool big_endian)
{
    if (at > bytes->size || bytes->size - at < TAG)
        return false;
    const unsigned first = (unsigned)number(bytes->data + at, 4, big_endian);
    const size_t size = number(bytes->data + at + 4, 4, big_endian);
    if (first >> 16) {
        *out = (element){first & 0xffff, at + 4, first >> 16, at + TAG};
        return out->size <= 4;
    }
    *out = (element){first, at + TAG, size, at + TAG + (size + 7) / 8 * 8};
    return true;
}

/* The same, and all of its data is here. */
static bool whole_element_at(element *out, const im_bytes *bytes, size_t at, bool big_endian)
{
    return element_at(out, bytes, at, big_endian) && out->start <= bytes->size &&
           out->size <= bytes->size - out->start;
}

/* ---- a variable of version 5 ----------------------------------------------------------- */

/* The classes of variables, by their numbers. */
static const struct {
    const char *name;
    bool numbers;
} classes[] = {{NULL, false},        {"a cell array", false}, {"a struct", false},
               {"an object", false}, {"text", false},         {"sparse", true},
               {"double", true},     {"single", true},        {"int8", true},
               {"uint8", true},      {"int16", true},         {"uint16", true},
               {"int32", true},      {"uint32", true},        {"int64", true},
               {"uint64", true},     {"a function", false},   {"an object", false}};

enum { CLASSES = sizeof classes / sizeof *classes, SPARSE = 5, OPAQUE = 17 };
enum { LOGICAL = 0x200, COMPLEX = 0x800 }; /* flags */
enum { INT8 = 1, INT32 = 5, UINT32 = 6, UTF8 = 16 };

/* What the variable is: its class, and whether that can be rows. */
static bool take_class(im_mat_variable *v, unsigned flags)
{
    const unsigned class = flags & 0xff;
    if (class == 0 || class >= CLASSES)
        return false;
    v->type = flags & COMPLEX   ? "an array of complex numbers"
              : flags & LOGICAL ? "logical"
                                : classes[class].name;
    v->usable = classes[class].numbers && !(flags & COMPLEX);
    v->sparse = class == SPARSE;
    v->is_bool = flags & LOGICAL;
    return true;
}

/* What a shape says: an array may be empty, or have more dimensions than rows can have. */
static void check_shape(im_mat_variable *v, size_t ndim)
{
    bool empty = false;
    for (size_t i = 0; i < im_size_min(ndim, IM_SHAPE_MAX); i++)
        empty |= v->shape[i] == 0;
    if (!v->usable || (!empty && ndim <= IM_SHAPE_MAX))
        return;
    v->usable = false;
    v->type = empty ? "an empty array" : "an array of more than 4 dimensions";
}

static bool take_shape(im_mat_variable *v, const im_bytes *bytes, const element *dims)
{
    const size_t ndim = dims->size / 4;
    if ((dims->type != INT32 && dims->type != UINT32) || dims->size % 4 != 0 || ndim < 2)
        return false;
    for (size_t i = 0; i < ndim; i++) {
        const size_t side = number(bytes->data + dims->start + 4 * i, 4, v->big_endian);
        if (side > INT32_MAX)
            return false;
        if (i < IM_SHAPE_MAX)
            v->shape[i] = side;
    }
    v->ndim = im_size_min(ndim, IM_SHAPE_MAX);
    check_shape(v, ndim);
    return true;
}

/* The flags, which are the first element of a variable. */
static bool find_flags(element *out, const im_bytes *bytes, bool big_endian)
{
    element variable;
    return element_at(&variable, bytes, 0, big_endian) && variable.type == MATRIX &&
           whole_element_at(out, bytes, variable.start, big_endian) && out->type == UINT32 &&
           out->size == 8;
}

/* Name and what else is in front of the values; false if it is damaged. */
static bool parse_variable(im_mat_variable *v, const im_bytes *bytes)
{
    const bool big = v->big_endian;
    element e, name;
    if (!find_flags(&e, bytes, big))
        return false;
    const unsigned flags = (unsigned)number(bytes->data + e.start, 4, big);
    if (!take_class(v, flags))
        return false;
    if ((flags & 0xff) != OPAQUE && /* which has no shape */
        (!whole_element_at(&e, bytes, e.next, big) || !take_shape(v, bytes, &e)))
        return false;
    if (!whole_element_at(&name, bytes, e.next, big) ||
        (name.type != INT8 && name.type != UTF8) || name.size >= IM_MAT_NAME)
        return false;
    memcpy(v->name, bytes->data + name.start, name.size);
    v->values = name.next;
    return true;
}

/* The start of a variable that may be compressed. */
static imsat_status open_head(im_bytes *out, const im_bytes *file, const im_mat_variable *v,
                              const char *path, imsat_error *err)
{
    const im_bytes packed = im_bytes_borrow(file, v->at, v->size);
    if (v->packed)
        return im_bytes_open_zlib(out, &packed, HEAD, path, err);
    *out = im_bytes_borrow(file, v->at, im_size_min(v->size, HEAD));
    return IMSAT_OK;
}

static imsat_status read_variable(im_mat_variable *v, const im_bytes *file, const char *path,
                                  imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_bytes head = {0};
    IM_TRY(open_head(&head, file, v, path, err));
    if (!parse_variable(v, &head))
        st = im_fail(err, IMSAT_EFORMAT, "%s: the variable at byte %zu is damaged", path,
                     v->at);

cleanup:
    im_bytes_clear(&head);
    return st;
}

/* The variable at *at, and go behind it. */
static imsat_status next_variable(im_mat_variable *v, size_t *at, const im_bytes *bytes,
                                  const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    element e;
    const bool big_endian = bytes->data[VERSION + 2] == 'M';
    if (!element_at(&e, bytes, *at, big_endian) ||
        (e.type != MATRIX && e.type != COMPRESSED) || e.start != *at + TAG)
        return im_fail(err, IMSAT_EFORMAT, "%s: what is at byte %zu is not a variable", path,
                       *at);
    if (e.size > bytes->size - e.start)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: ends inside a variable, after %zu of %zu bytes; it was cut", path,
                       bytes->size - e.start, e.size);
    *v = (im_mat_variable){.packed = e.type == COMPRESSED, .big_endian = big_endian};
    v->at = v->packed ? e.start : *at;
    v->size = e.start + e.size - v->at;
    *at = e.start + e.size;
    IM_TRY(read_variable(v, bytes, path, err));

cleanup:
    return st;
}

/* ---- a variable of version 4 ------------------------------------------------------------ */

/* The digits of its type: 1000 for big-endian, tens for the type of the values, and what it
 * is.
 */
static bool take_old_type(im_mat_variable *v, uint64_t type, uint64_t complex)
{
    static const im_dtype dtypes[] = {IM_F64, IM_F32, IM_I32, IM_I16, IM_U16, IM_U8};
    static const char *const names[] = {"double", "single", "int32",
                                        "int16",  "uint16", "uint8"};
    const size_t which = type / 10 % 10, kind = type % 10;
    if (type / 100 % 10 != 0 || which >= sizeof dtypes / sizeof *dtypes || kind > 2 ||
        complex > 1)
        return false;
    v->dtype = dtypes[which];
    v->type = kind == 1   ? "text"
              : kind == 2 ? "a sparse matrix of version 4"
              : complex   ? "an array of complex numbers"
                          : names[which];
    v->usable = kind == 0 && !complex;
    return true;
}

/* The name is a word and its 0. */
static bool take_old_name(im_mat_variable *v, const unsigned char *name, size_t size)
{
    if (size < 2 || size > IM_MAT_NAME || memchr(name, 0, size) != name + size - 1)
        return false;
    memcpy(v->name, name, size);
    return true;
}

static bool parse_old(im_mat_variable *v, size_t *total, const unsigned char *p, size_t size)
{
    if (size < OLD_HEAD)
        return false;
    v->big_endian = number(p, 4, false) > 9999;
    uint64_t field[OLD_HEAD / 4];
    for (size_t i = 0; i < OLD_HEAD / 4; i++)
        field[i] = number(p + 4 * i, 4, v->big_endian);
    if (field[0] / 1000 != v->big_endian || !take_old_type(v, field[0], field[3]) ||
        field[1] > INT32_MAX || field[2] > INT32_MAX || field[4] > size - OLD_HEAD ||
        !take_old_name(v, p + OLD_HEAD, field[4]))
        return false;
    v->is_old = true;
    v->ndim = 2;
    v->shape[0] = field[1];
    v->shape[1] = field[2];
    check_shape(v, 2);
    v->values = OLD_HEAD + field[4];
    return im_size_mul(total, field[1] * field[2], im_dtype_size(v->dtype) << field[3]);
}

static imsat_status next_old(im_mat_variable *v, size_t *at, const im_bytes *bytes,
                             const char *path, imsat_error *err)
{
    size_t total = 0;
    const size_t left = bytes->size - *at;
    *v = (im_mat_variable){.at = *at};
    if (!parse_old(v, &total, bytes->data + *at, left))
        return im_fail(err, IMSAT_EFORMAT,
                       *at ? "%s: what is at byte %zu is not a variable of MATLAB"
                           : "%s: does not begin as files of MATLAB do, whatever its name "
                             "(byte %zu)",
                       path, *at);
    if (total > left - v->values)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: ends inside the variable '%s', after %zu of %zu bytes; it was cut",
                       path, v->name, left - v->values, total);
    v->size = v->values + total;
    *at += v->size;
    return IMSAT_OK;
}

/* ---- all of them -------------------------------------------------------------------------
 */

static imsat_status refuse_count(const char *path, imsat_error *err)
{
    return im_fail(err, IMSAT_EFORMAT, "%s: holds more than %d variables", path,
                   MOST_VARIABLES);
}

/* To a pile, all but those without a name, which are what MATLAB keeps for itself. */
static imsat_status pile_variables(im_pile *variables, const im_bytes *bytes, const char *path,
                                   imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const bool is_5 = im_mat_is_5(bytes);
    size_t at = is_5 ? HEADER : 0;
    for (size_t count = 0; at < bytes->size; count++) {
        im_mat_variable v;
        if (count == MOST_VARIABLES)
            return refuse_count(path, err);
        IM_TRY(is_5 ? next_variable(&v, &at, bytes, path, err)
                    : next_old(&v, &at, bytes, path, err));
        im_mat_variable *to = v.name[0] ? im_pile_next(variables) : &v;
        if (!to)
            return im_fail_memory(err, path);
        *to = v;
    }

cleanup:
    return st;
}

imsat_status im_mat_list(im_mat *out, const im_bytes *bytes, const char *path,
                         imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_pile variables = {.size = sizeof *out->variables};
    if (im_mat_is_73(bytes))
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: says that it is of version 7.3, which is HDF5, and is not", path);
    IM_TRY(pile_variables(&variables, bytes, path, err));
    const size_t count = variables.count;
    im_mat_variable *joined = im_pile_join(&variables);
    if (!joined) {
        st = im_fail_memory(err, path);
        goto cleanup;
    }
    *out = (im_mat){bytes, joined, count};

cleanup:
    im_pile_clear(&variables);
    return st;
}

void im_mat_clear(im_mat *file)
{
    im_free(file->variables);
    *file = (im_mat){0};
}

/* ---- values --------------------------------------------------------------------------------
 */

imsat_status im_mat_open(im_bytes *out, const im_mat *file, const im_mat_variable *variable,
                         const char *path, imsat_error *err)
{
    if (variable->packed)
        return open_head(out, file->bytes, variable, path, err);
    *out = im_bytes_borrow(file->bytes, variable->at, variable->size);
    return IMSAT_OK;
}

static bool find_dtype(im_dtype *out, unsigned type)
{
    switch (type) {
    case 1: *out = IM_I8; return true;
    case 2: *out = IM_U8; return true;
    case 3: *out = IM_I16; return true;
    case 4: *out = IM_U16; return true;
    case 5: *out = IM_I32; return true;
    case 6: *out = IM_U32; return true;
    case 7: *out = IM_F32; return true;
    case 9: *out = IM_F64; return true;
    case 12: *out = IM_I64; return true;
    case 13: *out = IM_U64; return true;
    default: return false;
    }
}

imsat_status im_mat_array_head(im_mat_array *out, im_bytes *bytes,
                               const im_mat_variable *variable, size_t at, const char *path,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    element e;
    if (variable->is_old) {
        *out = (im_mat_array){variable->dtype, at, bytes->size - at, bytes->size};
        return IMSAT_OK;
    }
    IM_TRY(im_bytes_need(bytes, at + TAG, err));
    if (!element_at(&e, bytes, at, variable->big_endian) || !find_dtype(&out->dtype, e.type))
        return im_fail(err, IMSAT_EFORMAT, "%s: has no values at byte %zu of the variable",
                       path, at);
    out->start = e.start;
    out->size = e.size;
    out->next = e.next;

cleanup:
    return st;
}

imsat_status im_mat_array_need(im_bytes *bytes, const im_mat_array *array, const char *path,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t end = array->start + array->size;
    IM_TRY(im_bytes_need(bytes, end, err));
    if (end > bytes->size)
        st = im_fail(err, IMSAT_EFORMAT, "%s: ends after %zu of %zu bytes of values", path,
                     bytes->size - array->start, array->size);

cleanup:
    return st;
}
