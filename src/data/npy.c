/* SPDX-License-Identifier: MIT
 *
 * .npy, numpy's file of one array: "\x93NUMPY", version (1.0, 2.0 or 3.0), the length of a
 * header (u16, or u32 from 2.0 on; little-endian), the header as a Python dictionary
 *
 *     {'descr': '<f4', 'fortran_order': False, 'shape': (70000, 784), }
 *
 * and the elements. Read: f2 f4 f8, i1 i2 i4 i8, u1 u2 u4 u8 and b1, in either byte order;
 * 1 and 2 dimensions in C or Fortran order, 3 and 4 (images) in C order. Nothing is copied:
 * the block's strides and byte order say how the file holds its elements.
 *
 * The header is taken strictly: these three keys, once each, in any order and spacing.
 */
#include "data/reader.h"

#include <stdio.h>
#include <string.h>

/* A header of ours is some hundred bytes, and numpy itself reads up to 10000. */
enum { PREFIX_SIZE = 8, DESCR_ROOM = 24, HEADER_MAX = 1 << 20 };

static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

/* What the dictionary says. */
typedef struct npy_header {
    char descr[DESCR_ROOM];
    bool fortran;
    size_t shape[IM_SHAPE_MAX], ndim;
    bool has_descr, has_fortran, has_shape;
} npy_header;

/* The dictionary being read. */
typedef struct cursor {
    const char *start, *at, *end;
    const char *path;
    imsat_error *err;
} cursor;

static imsat_status malformed(const cursor *c, const char *expected)
{
    return im_fail(c->err, IMSAT_EFORMAT, "%s: npy header, byte %zu: expected %s", c->path,
                   (size_t)(c->at - c->start), expected);
}

static void skip_space(cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\n'))
        c->at++;
}

/* The next thing, after any space, if it is this text. */
static bool take(cursor *c, const char *text)
{
    const size_t size = strlen(text);
    skip_space(c);
    if ((size_t)(c->end - c->at) < size || memcmp(c->at, text, size) != 0)
        return false;
    c->at += size;
    return true;
}

/* A string in single or double quotes, without escapes; a long one is cut to the room. */
static bool take_string(cursor *c, char *text, size_t room)
{
    skip_space(c);
    if (c->at == c->end || (*c->at != '\'' && *c->at != '"'))
        return false;
    const char *from = c->at + 1;
    const char *quote = memchr(from, *c->at, (size_t)(c->end - from));
    if (!quote)
        return false;
    snprintf(text, room, "%.*s", (int)(quote - from < 100 ? quote - from : 100), from);
    c->at = quote + 1;
    return true;
}

static imsat_status take_size(cursor *c, size_t *size)
{
    skip_space(c);
    if (c->at < c->end && *c->at == '-')
        return im_fail(c->err, IMSAT_EFORMAT, "%s: npy header: negative size in the shape",
                       c->path);
    if (c->at == c->end || *c->at < '0' || *c->at > '9')
        return malformed(c, "a size in the shape");
    *size = 0;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++)
        if (__builtin_mul_overflow(*size, (size_t)10, size) ||
            __builtin_add_overflow(*size, (size_t)(*c->at - '0'), size))
            return im_fail(c->err, IMSAT_EFORMAT,
                           "%s: npy header: a size in the shape is too large", c->path);
    if (c->at < c->end && *c->at == 'L') /* as Python 2 wrote it */
        c->at++;
    return IMSAT_OK;
}

static imsat_status take_shape(cursor *c, npy_header *header)
{
    imsat_status st = IMSAT_OK;
    bool comma = true;
    if (!take(c, "("))
        return malformed(c, "the shape, a tuple");
    while (!take(c, ")")) {
        if (!comma)
            return malformed(c, "a comma or the end of the shape");
        if (header->ndim == IM_SHAPE_MAX)
            return im_fail(c->err, IMSAT_EFORMAT, "%s: has more than %d dimensions", c->path,
                           IM_SHAPE_MAX);
        IM_TRY(take_size(c, &header->shape[header->ndim]));
        header->ndim++;
        comma = take(c, ",");
    }
    if (header->ndim == 1 && !comma)
        return malformed(c, "a tuple: (n,)");

cleanup:
    return st;
}

static imsat_status take_value(cursor *c, npy_header *header, const char *key)
{
    bool *seen;
    if (strcmp(key, "descr") == 0)
        seen = &header->has_descr;
    else if (strcmp(key, "fortran_order") == 0)
        seen = &header->has_fortran;
    else if (strcmp(key, "shape") == 0)
        seen = &header->has_shape;
    else
        return im_fail(c->err, IMSAT_EFORMAT, "%s: npy header: unknown key '%s'", c->path,
                       key);
    if (*seen)
        return im_fail(c->err, IMSAT_EFORMAT, "%s: npy header: key '%s' twice", c->path, key);
    *seen = true;
    if (seen == &header->has_shape)
        return take_shape(c, header);
    if (seen == &header->has_fortran) {
        header->fortran = take(c, "True");
        return header->fortran || take(c, "False") ? IMSAT_OK : malformed(c, "True or False");
    }
    if (take(c, "["))
        return im_fail(c->err, IMSAT_EFORMAT,
                       "%s: holds records (a structured dtype); imsat reads plain numbers",
                       c->path);
    return take_string(c, header->descr, DESCR_ROOM) ? IMSAT_OK : malformed(c, "a dtype");
}

static imsat_status parse_header(npy_header *header, cursor *c)
{
    imsat_status st = IMSAT_OK;
    bool comma = true;
    char key[DESCR_ROOM];
    if (!take(c, "{"))
        return malformed(c, "a dictionary");
    while (!take(c, "}")) {
        if (!comma)
            return malformed(c, "a comma or the end of the dictionary");
        if (!take_string(c, key, sizeof key))
            return malformed(c, "a key");
        if (!take(c, ":"))
            return malformed(c, "a colon");
        IM_TRY(take_value(c, header, key));
        comma = take(c, ",");
    }
    skip_space(c);
    if (c->at != c->end)
        return malformed(c, "the end of the header");
    if (!header->has_descr || !header->has_fortran || !header->has_shape)
        return im_fail(c->err, IMSAT_EFORMAT, "%s: npy header: key '%s' is missing", c->path,
                       !header->has_descr     ? "descr"
                       : !header->has_fortran ? "fortran_order"
                                              : "shape");

cleanup:
    return st;
}

/* dtype and byte order of a descr such as '<f4'. */
static imsat_status find_dtype(im_block *block, const char *descr, const char *path,
                               imsat_error *err)
{
    static const struct {
        char code[3];
        im_dtype dtype;
    } known[] = {{"b1", IM_BOOL}, {"i1", IM_I8},  {"i2", IM_I16}, {"i4", IM_I32},
                 {"i8", IM_I64},  {"u1", IM_U8},  {"u2", IM_U16}, {"u4", IM_U32},
                 {"u8", IM_U64},  {"f2", IM_F16}, {"f4", IM_F32}, {"f8", IM_F64}};
    const char order = descr[0];
    if (order == '<' || order == '>' || order == '|' || order == '=')
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (strcmp(descr + 1, known[i].code) == 0) {
                block->dtype = known[i].dtype;
                block->swapped = im_dtype_size(block->dtype) > 1 &&
                                 order == (im_element_little_endian() ? '>' : '<');
                return IMSAT_OK;
            }
    const char kind = order ? descr[1] : '\0';
    const char *what = kind == 'c'                  ? "complex numbers"
                       : kind == 'O'                ? "Python objects"
                       : kind == 'U' || kind == 'S' ? "text"
                       : kind == 'M' || kind == 'm' ? "dates or times"
                       : kind == 'V'                ? "raw records"
                                                    : "elements of another type";
    return im_fail(err, IMSAT_EFORMAT,
                   "%s: holds %s (dtype '%s'); imsat reads f2, f4, f8, integers and bool",
                   path, what, descr);
}

static bool npy_holds(const im_bytes *bytes)
{
    return bytes->size >= sizeof magic && memcmp(bytes->data, magic, sizeof magic) == 0;
}

/* Where the header's text starts and how long it is. */
static imsat_status find_header(size_t *start, size_t *length, im_bytes *bytes,
                                const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    if (!npy_holds(bytes))
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: does not start as npy files do (\\x93NUMPY), whatever its name",
                       path);
    if (bytes->size < PREFIX_SIZE)
        return im_fail(err, IMSAT_EFORMAT, "%s: ends inside the npy header, after %zu bytes",
                       path, bytes->size);
    const unsigned major = bytes->data[6], minor = bytes->data[7];
    if (major < 1 || major > 3 || minor != 0)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: npy version %u.%u is not known; imsat reads 1.0, 2.0 and 3.0",
                       path, major, minor);
    const size_t width = major == 1 ? 2 : 4;
    *start = PREFIX_SIZE + width;
    *length = 0;
    if (bytes->size < *start)
        return im_fail(err, IMSAT_EFORMAT, "%s: ends inside the npy header, after %zu bytes",
                       path, bytes->size);
    for (size_t i = width; i-- > 0;)
        *length = *length << 8 | bytes->data[PREFIX_SIZE + i];
    if (*length > HEADER_MAX)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: an npy header of %zu bytes; more than %d are not read", path,
                       *length, HEADER_MAX);
    IM_TRY(im_bytes_need(bytes, *start + *length, err));
    if (*length > bytes->size - *start)
        return im_fail(err, IMSAT_EFORMAT, "%s: an npy header of %zu bytes in a file of %zu",
                       path, *length, bytes->size);

cleanup:
    return st;
}

/* The file holds the array column by column. */
static imsat_status set_fortran(im_block *block, const npy_header *header, const char *path,
                                imsat_error *err)
{
    if (header->ndim > 2)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: images in Fortran order; save np.ascontiguousarray(x)", path);
    im_block_set_fortran(block);
    return IMSAT_OK;
}

static imsat_status npy_read(im_block *out, im_bytes *bytes, const im_read_request *request,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_block block = {0};
    npy_header header = {0};
    const char *path = request->path;
    char text[IM_SHAPE_TEXT];
    size_t start = 0, length = 0;
    IM_TRY(find_header(&start, &length, bytes, path, err));
    const char *dictionary = (const char *)bytes->data + start;
    cursor c = {dictionary, dictionary, dictionary + length, path, err};
    IM_TRY(parse_header(&header, &c));
    IM_TRY(find_dtype(&block, header.descr, path, err));
    if (header.ndim == 0) {
        st = im_fail(err, IMSAT_EFORMAT, "%s: holds a single number (shape ()), not rows",
                     path);
        goto cleanup;
    }
    IM_TRY(im_block_set_shape(&block, header.shape, header.ndim, path, err));
    if (header.fortran)
        IM_TRY(set_fortran(&block, &header, path, err));
    im_block_shape_text(text, header.shape, header.ndim);
    IM_TRY(im_block_describe(&block, err, "npy %s %s%s, %s", header.descr, text,
                             header.fortran ? " in Fortran order" : "", im_bytes_held(bytes)));
    if (request->suits)
        IM_TRY(request->suits(&block, request, err));
    IM_TRY(im_block_fill(&block, bytes, start + length, path, err));
    *out = block;
    block = (im_block){0};

cleanup:
    im_block_clear(&block);
    return st;
}

const im_reader im_npy_reader = {.format = {"npy", "an array of numpy", ".npy", NULL},
                                 .holds = npy_holds,
                                 .read = npy_read};
