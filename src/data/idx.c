/* SPDX-License-Identifier: MIT
 *
 * idx, the format of MNIST: two zero bytes, the element type, the number of dimensions; each
 * dimension as a big-endian u32; then the elements, big-endian, in C order.
 *
 *     0x08 u8   0x09 i8   0x0B i16   0x0C i32   0x0D f32   0x0E f64
 *
 * 1 to 4 dimensions: (n), (n, dim), images (n, h, w) or (n, h, w, c). Nothing is copied.
 */
#include "core/path.h"
#include "data/reader.h"

#include <string.h>

enum { MAGIC_SIZE = 4 };

static bool find_type(im_dtype *dtype, const char **name, unsigned char code)
{
    switch (code) {
    case 0x08: *dtype = IM_U8, *name = "u8"; return true;
    case 0x09: *dtype = IM_I8, *name = "i8"; return true;
    case 0x0B: *dtype = IM_I16, *name = "i16"; return true;
    case 0x0C: *dtype = IM_I32, *name = "i32"; return true;
    case 0x0D: *dtype = IM_F32, *name = "f32"; return true;
    case 0x0E: *dtype = IM_F64, *name = "f64"; return true;
    default: return false;
    }
}

static size_t load_u32(const unsigned char *p)
{
    return (size_t)p[0] << 24 | (size_t)p[1] << 16 | (size_t)p[2] << 8 | p[3];
}

static bool idx_holds(const im_bytes *bytes)
{
    im_dtype dtype;
    const char *name;
    const unsigned char *magic = bytes->data;
    return bytes->size >= MAGIC_SIZE && magic[0] == 0 && magic[1] == 0 &&
           find_type(&dtype, &name, magic[2]) && magic[3] >= 1 && magic[3] <= IM_SHAPE_MAX;
}

static bool idx_named(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (im_path_ends(name, ".csv") || im_path_ends(name, ".tsv") || im_path_ends(name, ".txt"))
        return false; /* idx_of_rows.csv */
    return strstr(name, "idx") || strstr(name, "ubyte") || im_path_ends(name, ".idx");
}

static imsat_status idx_read(im_block *out, im_bytes *bytes, const im_read_request *request,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_block block = {0};
    const char *path = request->path, *type = "";
    char text[IM_SHAPE_TEXT];
    size_t shape[IM_SHAPE_MAX];
    if (bytes->size < MAGIC_SIZE)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: ends after %zu of the %d bytes of idx's magic number", path,
                       bytes->size, MAGIC_SIZE);
    if (!idx_holds(bytes))
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: magic number 0x%08zx is not idx's (0x0000TTDD: type 08, 09, 0b to "
                       "0e; 1 to %d dimensions)",
                       path, load_u32(bytes->data), IM_SHAPE_MAX);
    find_type(&block.dtype, &type, bytes->data[2]);
    const size_t ndim = bytes->data[3], header = MAGIC_SIZE + 4 * ndim;
    if (bytes->size < header)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: ends after %zu of the %zu bytes of its idx header", path,
                       bytes->size, header);
    for (size_t i = 0; i < ndim; i++)
        shape[i] = load_u32(bytes->data + MAGIC_SIZE + 4 * i);
    IM_TRY(im_block_set_shape(&block, shape, ndim, path, err));
    block.swapped = im_element_little_endian() && im_dtype_size(block.dtype) > 1;
    im_block_shape_text(text, shape, ndim);
    IM_TRY(im_block_describe(&block, err, "idx %s %s, %s", type, text, im_bytes_held(bytes)));
    if (request->suits)
        IM_TRY(request->suits(&block, request, err));
    IM_TRY(im_block_fill(&block, bytes, header, path, err));
    *out = block;
    block = (im_block){0};

cleanup:
    im_block_clear(&block);
    return st;
}

const im_reader im_idx_reader = {
    .format = {"idx", "an array as MNIST has them (train-images-idx3-ubyte)", ".idx", NULL},
    .holds = idx_holds,
    .named = idx_named,
    .read = idx_read};
