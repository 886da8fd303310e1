/* SPDX-License-Identifier: MIT
 * Pictures as rows; see pictures.h. */
#include "data/pictures.h"

#include "core/alloc.h"
#include "core/pile.h"
#include "data/image.h"
#include "data/member.h"
#include "data/reader.h"

#include <stdio.h>

enum { SUBJECT_ROOM = 512 };

/* Rows as they come. */
typedef struct gallery {
    const im_read_request *request;
    size_t height, width, channels; /* of all; 0: not known yet */
    im_pile rows;                   /* (height, width, channels) each */
    im_member_labels labels;
} gallery;

static bool asked(const gallery *g)
{
    return g->request->image.height != 0;
}

/* "folder/cats/1.png"; of a single file its path. */
static void name_member(char subject[SUBJECT_ROOM], const gallery *g, const im_member *member)
{
    const size_t length = strlen(g->request->path);
    const bool slash = length && g->request->path[length - 1] == '/';
    snprintf(subject, SUBJECT_ROOM, "%s%s%s", g->request->path,
             slash || !*member->name ? "" : "/", member->name);
}

static imsat_status refuse_shape(const gallery *g, const im_image *image, const char *subject,
                                 imsat_error *err)
{
    return im_fail(err, IMSAT_EFORMAT,
                   "%s: is %zu x %zu pixels of %zu channels, and those before it %zu x %zu of "
                   "%zu; bring all to one shape, as by --image %zux%zux%zu",
                   subject, image->height, image->width, image->channels, g->height, g->width,
                   g->channels, g->height, g->width, g->channels);
}

/* Bring a picture to the shape of all, which is that of the first if none was asked for. */
static imsat_status fit(gallery *g, im_image *image, const char *subject, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_image other = {0};
    if (!g->height) {
        const imsat_image shape = g->request->image;
        g->height = asked(g) ? shape.height : image->height;
        g->width = asked(g) ? shape.width : image->width;
        g->channels = asked(g) ? shape.channels : image->channels;
        g->rows.size = g->height * g->width * g->channels;
    }
    if (asked(g)) {
        IM_TRY(im_image_convert(image, g->channels, err));
        if (image->height != g->height || image->width != g->width) {
            IM_TRY(im_image_resize(&other, image, g->height, g->width, err));
            im_image_clear(image);
            *image = other;
        }
    } else if (image->height != g->height || image->width != g->width ||
               image->channels != g->channels) {
        st = refuse_shape(g, image, subject, err);
    }

cleanup:
    return st;
}

static imsat_status take_picture(void *context, const im_member *member, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    gallery *g = context;
    im_image image = {0};
    char subject[SUBJECT_ROOM];
    name_member(subject, g, member);
    if (!im_image_knows(member->data, member->size))
        return im_fail(err, IMSAT_EFORMAT, "%s: is not a picture (PNG, JPEG or WebP)%s",
                       subject,
                       g->rows.count ? "; those before it are"
                                     : "; texts become rows by 'imsat features tfidf'");
    IM_TRY(im_image_decode(&image, member->data, member->size, subject, err));
    IM_TRY(fit(g, &image, subject, err));
    unsigned char *row = im_pile_next(&g->rows);
    if (!row) {
        st = im_fail_memory(err, g->request->path);
        goto cleanup;
    }
    memcpy(row, image.pixels, g->rows.size);
    IM_TRY(im_member_label(&g->labels, member->name, err));

cleanup:
    im_image_clear(&image);
    return st;
}

/* The label alone, of any file. */
static imsat_status take_label(void *context, const im_member *member, imsat_error *err)
{
    gallery *g = context;
    return im_member_label(&g->labels, member->name, err);
}

/* Visit the pictures: of a folder, of an archive, or one. */
static imsat_status visit(im_bytes *bytes, const im_read_request *request, im_member_fn *take,
                          void *context, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    if (!bytes->data)
        return im_folder_each(request->file, take, context, err);
    if (im_tar_holds(bytes))
        return im_tar_each(bytes, request->path, take, context, err);
    while (bytes->stream)
        IM_TRY(im_bytes_need(bytes, 2 * bytes->size + 1, err));
    const im_member one = {"", bytes->data, bytes->size};
    IM_TRY(take(context, &one, err));

cleanup:
    return st;
}

static imsat_status check_request(const im_read_request *request, imsat_error *err)
{
    const imsat_image image = request->image;
    if (!image.height ||
        ((image.channels == 1 || image.channels == 3) && image.height <= IM_IMAGE_MAX_SIDE &&
         image.width <= IM_IMAGE_MAX_PIXELS / image.height))
        return IMSAT_OK;
    return im_fail(err, IMSAT_EINVAL,
                   "%s: pictures cannot be made %zu x %zu pixels of %zu channels: they have 1 "
                   "channel (gray) or 3 (color), and at most %d pixels",
                   request->path, image.height, image.width, image.channels,
                   IM_IMAGE_MAX_PIXELS);
}

/* Hand the rows over as an array. */
static imsat_status make_block(im_block *out, gallery *g, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_read_request *request = g->request;
    const size_t shape[] = {g->rows.count, g->height, g->width, g->channels};
    const size_t ndim = g->channels == 1 ? 3 : 4;
    char text[IM_SHAPE_TEXT];
    im_block block = {.dtype = IM_U8};
    IM_TRY(im_block_set_shape(&block, shape, ndim, request->path, err));
    im_block_shape_text(text, shape, ndim);
    IM_TRY(im_block_describe(&block, err, "pictures, uint8 %s", text));
    if (request->suits)
        IM_TRY(request->suits(&block, request, err));
    block.bytes.size = g->rows.count * g->rows.size;
    block.bytes.heap = im_pile_join(&g->rows);
    if (!block.bytes.heap) {
        st = im_fail_memory(err, request->path);
        goto cleanup;
    }
    block.base = block.bytes.data = block.bytes.heap;
    *out = block;
    block = (im_block){0};

cleanup:
    im_block_clear(&block);
    return st;
}

static imsat_status pictures_read(im_block *out, im_bytes *bytes,
                                  const im_read_request *request, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    gallery g = {.request = request, .labels = {.list = request->labels}};
    if (request->wants_labels) {
        IM_TRY(visit(bytes, request, take_label, &g, err));
        goto cleanup;
    }
    IM_TRY(check_request(request, err));
    IM_TRY(visit(bytes, request, take_picture, &g, err));
    if (g.rows.count == 0) {
        st = im_fail(err, IMSAT_EFORMAT, "%s: there are no files in it", request->path);
        goto cleanup;
    }
    IM_TRY(make_block(out, &g, err));

cleanup:
    im_member_labels_clear(&g.labels);
    im_pile_clear(&g.rows);
    return st;
}

static bool pictures_hold(const im_bytes *bytes)
{
    return im_tar_holds(bytes) || im_image_knows(bytes->data, bytes->size);
}

/* Stops at the first member. */
static imsat_status look(void *context, const im_member *member, imsat_error *err)
{
    bool *picture = context;
    *picture = im_image_knows(member->data, member->size);
    return im_fail(err, IMSAT_ESTOPPED, "%s: was looked at", member->name);
}

static imsat_status look_at(bool *picture, const char *file, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_bytes bytes = {0};
    const im_read_request request = {.path = file, .file = file};
    if (!im_folder_is(file))
        IM_TRY(im_bytes_open(&bytes, file, err));
    if (!bytes.data || im_tar_holds(&bytes)) {
        st = visit(&bytes, &request, look, picture, err);
        st = st == IMSAT_ESTOPPED ? IMSAT_OK : st;
    } else {
        *picture = im_image_knows(bytes.data, bytes.size);
    }

cleanup:
    st = im_bytes_check(&bytes, st, err);
    im_bytes_clear(&bytes);
    return st;
}

imsat_status im_pictures_are(bool *out, const char *path, imsat_error *err)
{
    im_path_parts name;
    bool picture = false;
    if (!im_path_split(&name, path))
        return im_fail_memory(err, path);
    const imsat_status st =
        im_path_lasts(name.file) ? look_at(&picture, name.file, err) : IMSAT_OK;
    im_path_parts_clear(&name);
    if (st == IMSAT_OK)
        *out = picture;
    return st;
}

const im_reader im_pictures_reader = {
    .format =
        {"pictures",
         "PNG, JPEG or WebP files, a row each, in a folder or a tar archive; the folders in "
         "it are labels",
         ".tar .tgz .png .jpg .jpeg .webp", NULL},
    .holds = pictures_hold,
    .read = pictures_read};
