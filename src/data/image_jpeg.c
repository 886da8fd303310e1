/* SPDX-License-Identifier: MIT
 *
 * JPEG; see image_codec.h. The only file that knows libjpeg (the one of libjpeg-turbo).
 *
 * libjpeg reports a failure by a function of ours, which must not return: it keeps the message
 * and jumps back to read_file(). What is used on both sides of the jump is therefore a member
 * of `reading`, not a local variable. Its memory is its own: there is no way to hand it ours.
 *
 * Where data is missing or wrong, libjpeg warns and goes on with gray; such a picture would be
 * learned from, so it is refused. Bytes between segments, which many programs write, are not.
 *
 * Four channels are taken to be as Adobe writes them, inverted: all that are found are.
 */
#include "data/image_codec.h"

#include "core/alloc.h"

static bool jpeg_knows(const unsigned char *head, size_t size)
{
    return size >= 3 && memcmp(head, "\xff\xd8\xff", 3) == 0;
}

#if IM_HAVE_JPEG

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h> /* jpeglib.h needs it and does not say so */

#include <jerror.h>
#include <jpeglib.h>

/* A progressive file of a few bytes a scan can have thousands of scans, each of which goes
 * over the whole picture. libjpeg's own writers make ten. */
enum { MOST_SCANS = 500, LONGEST_SEGMENT = 0xffff };

typedef struct reading {
    struct jpeg_decompress_struct jpeg; /* its err, progress and client_data are set below */
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    const unsigned char *data;
    size_t size;
    const char *path;
    im_image image;
    unsigned char *row; /* of four channels, or NULL */
    imsat_status st;
    imsat_error *err;
    jmp_buf back;
} reading;

/* Leave libjpeg with its last message. */
static void on_error(j_common_ptr jpeg)
{
    reading *r = jpeg->client_data;
    char message[JMSG_LENGTH_MAX];
    jpeg->err->format_message(jpeg, message);
    r->st = jpeg->err->msg_code == JERR_OUT_OF_MEMORY
                ? im_fail_memory(r->err, r->path)
                : im_fail(r->err, IMSAT_EFORMAT, "%s: the JPEG image is damaged: %s", r->path,
                          message);
    longjmp(r->back, 1);
}

/* A negative level is a warning: something is not as it must be. These few cost no pixel. */
static void on_message(j_common_ptr jpeg, int level)
{
    if (level >= 0)
        return;
    switch (jpeg->err->msg_code) {
    case JWRN_EXTRANEOUS_DATA:
    case JWRN_ADOBE_XFORM:
    case JWRN_JFIF_MAJOR:
    case JWRN_NOT_SEQUENTIAL:
    case JWRN_BOGUS_PROGRESSION: break;
    default: on_error(jpeg);
    }
}

static void print_nothing(j_common_ptr jpeg)
{
    (void)jpeg;
}

static void on_progress(j_common_ptr jpeg)
{
    reading *r = jpeg->client_data;
    if (r->jpeg.input_scan_number <= MOST_SCANS)
        return;
    r->st = im_fail(r->err, IMSAT_EFORMAT,
                    "%s: the JPEG image has more than %d scans, which no program writes",
                    r->path, MOST_SCANS);
    longjmp(r->back, 1);
}

/* Gray stays gray, CMYK and YCCK become CMYK, all else becomes RGB. Returns the channels. */
static size_t choose_colors(struct jpeg_decompress_struct *jpeg)
{
    switch (jpeg->jpeg_color_space) {
    case JCS_GRAYSCALE: return 1;
    case JCS_CMYK:
    case JCS_YCCK: jpeg->out_color_space = JCS_CMYK; return 4;
    default: jpeg->out_color_space = JCS_RGB; return 3;
    }
}

/* Inverted CMYK is light of three colors, all dimmed by the fourth. */
static void mix_row(unsigned char *rgb, const unsigned char *cmyk, size_t width)
{
    for (size_t x = 0; x < width; x++, cmyk += 4)
        for (size_t c = 0; c < 3; c++)
            *rgb++ = (unsigned char)((cmyk[c] * cmyk[3] + 127U) / 255);
}

static void read_rows(reading *r)
{
    const size_t stride = r->image.width * r->image.channels;
    while (r->jpeg.output_scanline < r->jpeg.output_height) {
        unsigned char *to = r->image.pixels + r->jpeg.output_scanline * stride;
        JSAMPROW row = r->row ? r->row : to;
        jpeg_read_scanlines(&r->jpeg, &row, 1);
        if (r->row)
            mix_row(to, r->row, r->image.width);
    }
}

static unsigned find_orientation(const struct jpeg_decompress_struct *jpeg)
{
    unsigned orientation = 0;
    for (jpeg_saved_marker_ptr marker = jpeg->marker_list; marker && !orientation;
         marker = marker->next)
        orientation = im_image_exif(marker->data, marker->data_length);
    return orientation;
}

/* All that may end in a jump. */
static imsat_status read_file(reading *r)
{
    imsat_status st = IMSAT_OK;
    if (setjmp(r->back))
        return r->st;
    jpeg_create_decompress(&r->jpeg);
    r->jpeg.progress = &r->progress;
    jpeg_mem_src(&r->jpeg, r->data, (unsigned long)r->size);
    jpeg_save_markers(&r->jpeg, JPEG_APP0 + 1, LONGEST_SEGMENT);
    jpeg_read_header(&r->jpeg, TRUE);
    const size_t height = r->jpeg.image_height, width = r->jpeg.image_width;
    const size_t channels = choose_colors(&r->jpeg);
    IM_TRY(im_image_check_file(height, width, r->size, r->path, r->err));
    IM_TRY(im_image_new(&r->image, height, width, channels == 1 ? 1 : 3, r->path, r->err));
    if (channels == 4) {
        r->row = im_alloc_unset(width, 4);
        if (!r->row)
            return im_fail_memory(r->err, r->path);
    }
    jpeg_start_decompress(&r->jpeg);
    read_rows(r);
    const unsigned orientation = find_orientation(&r->jpeg);
    jpeg_finish_decompress(&r->jpeg);
    IM_TRY(im_image_orient(&r->image, orientation, r->path, r->err));

cleanup:
    return st;
}

static imsat_status jpeg_decode(im_image *out, const unsigned char *data, size_t size,
                                const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    reading *r = im_alloc(1, sizeof *r);
    if (!r)
        return im_fail_memory(err, path);
    r->data = data;
    r->size = size;
    r->path = path;
    r->err = err;
    r->jpeg.err = jpeg_std_error(&r->errors);
    r->jpeg.client_data = r;
    r->errors.error_exit = on_error;
    r->errors.emit_message = on_message;
    r->errors.output_message = print_nothing;
    r->progress.progress_monitor = on_progress;
    IM_TRY(read_file(r));
    *out = r->image;
    r->image = (im_image){0};

cleanup:
    jpeg_destroy_decompress(&r->jpeg);
    im_image_clear(&r->image);
    im_free(r->row);
    im_free(r);
    return st;
}

#endif

const im_image_codec im_image_jpeg = {.feature = IM_FEATURE_JPEG,
                                      .knows = jpeg_knows,
#if IM_HAVE_JPEG
                                      .decode = jpeg_decode
#endif
};
