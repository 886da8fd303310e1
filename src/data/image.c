/* SPDX-License-Identifier: MIT
 * Which codec takes a picture; see image.h. */
#include "data/image.h"

#include "data/image_codec.h"

/* A new kind of file is a new line. */
static const im_image_codec *const codecs[] = {&im_image_png, &im_image_jpeg, &im_image_webp};

enum { CODECS = sizeof codecs / sizeof *codecs };

static const im_image_codec *find_codec(const unsigned char *head, size_t size)
{
    for (size_t i = 0; i < CODECS; i++)
        if (codecs[i]->knows(head, size))
            return codecs[i];
    return NULL;
}

bool im_image_knows(const unsigned char *head, size_t size)
{
    return find_codec(head, size) != NULL;
}

imsat_status im_image_decode(im_image *out, const unsigned char *data, size_t size,
                             const char *path, imsat_error *err)
{
    const im_image_codec *codec = find_codec(data, size);
    if (!codec)
        return im_fail(err, IMSAT_EFORMAT, "%s: is not a PNG, JPEG or WebP image", path);
    if (!codec->decode)
        return im_feature_refuse(codec->feature, path, err);
    return codec->decode(out, data, size, path, err);
}
