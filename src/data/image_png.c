/* SPDX-License-Identifier: MIT
 *
 * PNG; see image_codec.h. The only file that knows libpng.
 *
 * libpng reports a failure by a function of ours, which must not return: it keeps the message
 * and jumps back to decode(). What is used on both sides of the jump is therefore a member of
 * `reading`, not a local variable.
 */
#include "data/image_codec.h"

#include "core/alloc.h"

static const unsigned char MAGIC[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

static bool png_knows(const unsigned char *head, size_t size)
{
    return size >= sizeof MAGIC && memcmp(head, MAGIC, sizeof MAGIC) == 0;
}

#if IM_HAVE_PNG

#include <png.h>
#include <setjmp.h>
#include <stdio.h>

/* Of memory that libpng takes, besides what a chunk needs: rows, of up to 8 bytes a pixel. */
enum { ROW_ROOM = 16 * IM_IMAGE_MAX_SIDE };

typedef struct reading {
    const unsigned char *data; /* what is left of the file */
    size_t size, file_size;    /* of it, and of the whole */
    const char *path;
    im_image image;
    png_structp png;
    png_infop info;
    size_t most;    /* bytes that libpng may take at once */
    bool no_memory; /* an allocation failed */
    imsat_error *err;
    jmp_buf back;
} reading;

static void on_error(png_structp png, png_const_charp message)
{
    reading *r = png_get_error_ptr(png);
    im_fail(r->err, IMSAT_EFORMAT, "%s: the PNG image is damaged: %s", r->path, message);
    longjmp(r->back, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message; /* about texts, profiles and times, which are not needed */
}

/* A chunk that claims gigabytes gets none, and libpng goes on to find that the file is
 * shorter. Its own limit, png_set_chunk_malloc_max(), only makes it warn. */
static png_voidp take_memory(png_structp png, png_alloc_size_t size)
{
    reading *r = png_get_mem_ptr(png);
    if (size > r->most)
        return NULL;
    void *block = im_alloc_unset(size, 1);
    r->no_memory = r->no_memory || !block;
    return block;
}

static void give_memory(png_structp png, png_voidp block)
{
    (void)png;
    im_free(block);
}

static void give_bytes(png_structp png, png_bytep to, size_t size)
{
    reading *r = png_get_io_ptr(png);
    if (size > r->size)
        png_error(png, "it is cut short");
    memcpy(to, r->data, size);
    r->data += size;
    r->size -= size;
}

/* 8 bits a sample, palettes as colors, and a color that means transparent as opacity. Returns
 * in how many passes the rows come. */
static int set_transforms(reading *r)
{
    png_set_expand(r->png);
    png_set_strip_16(r->png);
    const int passes = png_set_interlace_handling(r->png);
    png_read_update_info(r->png, r->info);
    return passes;
}

static void read_rows(reading *r, int passes)
{
    const size_t stride = r->image.width * r->image.channels;
    for (int pass = 0; pass < passes; pass++)
        for (size_t y = 0; y < r->image.height; y++)
            png_read_row(r->png, r->image.pixels + y * stride, NULL);
    png_read_end(r->png, NULL);
}

/* All that may end in a jump. */
static imsat_status read_file(reading *r)
{
    imsat_status st = IMSAT_OK;
    if (setjmp(r->back))
        return r->no_memory ? im_fail_memory(r->err, r->path) : IMSAT_EFORMAT;
    r->info = png_create_info_struct(r->png);
    if (!r->info)
        return im_fail_memory(r->err, r->path);
    png_set_read_fn(r->png, r, give_bytes);
    png_set_user_limits(r->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX); /* ours are checked below */
    png_read_info(r->png, r->info);
    const size_t height = png_get_image_height(r->png, r->info);
    const size_t width = png_get_image_width(r->png, r->info);
    IM_TRY(im_image_check_file(height, width, r->file_size, r->path, r->err));
    const int passes = set_transforms(r);
    const size_t channels = png_get_channels(r->png, r->info);
    IM_TRY(im_image_new(&r->image, height, width, channels, r->path, r->err));
    read_rows(r, passes);
    if (r->no_memory) /* for something that libpng thinks it can do without */
        return im_fail_memory(r->err, r->path);

cleanup:
    return st;
}

static imsat_status png_decode(im_image *out, const unsigned char *data, size_t size,
                               const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    reading r = {.data = data,
                 .size = size,
                 .file_size = size,
                 .path = path,
                 .most = size + ROW_ROOM,
                 .err = err};
    r.png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &r, on_error, on_warning, &r,
                                     take_memory, give_memory);
    if (!r.png)
        return im_fail_memory(err, path);
    IM_TRY(read_file(&r));
    im_image_flatten(&r.image);
    *out = r.image;
    r.image = (im_image){0};

cleanup:
    png_destroy_read_struct(&r.png, &r.info, NULL);
    im_image_clear(&r.image);
    return st;
}

#endif

const im_image_codec im_image_png = {.feature = IM_FEATURE_PNG,
                                     .knows = png_knows,
#if IM_HAVE_PNG
                                     .decode = png_decode
#endif
};
