/* SPDX-License-Identifier: MIT
 *
 * WebP; see image_codec.h. The only file that knows libwebp. Its memory is its own: there is
 * no way to hand it ours. A WebP file is never gray: a gray picture comes as equal colors.
 */
#include "data/image_codec.h"

#include "core/alloc.h"

static bool webp_knows(const unsigned char *head, size_t size)
{
    return size >= 12 && memcmp(head, "RIFF", 4) == 0 && memcmp(head + 8, "WEBP", 4) == 0;
}

#if IM_HAVE_WEBP

#include <webp/decode.h>

static imsat_status refuse(VP8StatusCode code, const char *path, imsat_error *err)
{
    const char *why = "its data is not as it must be";
    if (code == VP8_STATUS_OUT_OF_MEMORY)
        return im_fail_memory(err, path);
    if (code == VP8_STATUS_NOT_ENOUGH_DATA || code == VP8_STATUS_SUSPENDED)
        why = "it is cut short";
    return im_fail(err, IMSAT_EFORMAT, "%s: the WebP image is damaged: %s", path, why);
}

static imsat_status webp_decode(im_image *out, const unsigned char *data, size_t size,
                                const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_image image = {0};
    WebPDecoderConfig config;
    if (!WebPInitDecoderConfig(&config))
        return im_fail(err, IMSAT_EIO,
                       "%s: libwebp is older than the one that imsat was built with", path);
    VP8StatusCode code = WebPGetFeatures(data, size, &config.input);
    if (code != VP8_STATUS_OK)
        return refuse(code, path, err);
    if (config.input.has_animation)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: is an animation; imsat reads WebP files of one picture", path);
    const bool alpha = config.input.has_alpha;
    const size_t height = (size_t)config.input.height, width = (size_t)config.input.width;
    IM_TRY(im_image_check_file(height, width, size, path, err));
    IM_TRY(im_image_new(&image, height, width, alpha ? 4 : 3, path, err));
    const size_t stride = image.width * image.channels;
    config.output.colorspace = alpha ? MODE_RGBA : MODE_RGB;
    config.output.is_external_memory = 1;
    config.output.u.RGBA = (WebPRGBABuffer){image.pixels, (int)stride, stride * image.height};
    code = WebPDecode(data, size, &config);
    if (code != VP8_STATUS_OK) {
        st = refuse(code, path, err);
        goto cleanup;
    }
    im_image_flatten(&image);
    *out = image;
    image = (im_image){0};

cleanup:
    im_image_clear(&image);
    return st;
}

#endif

const im_image_codec im_image_webp = {.feature = IM_FEATURE_WEBP,
                                      .knows = webp_knows,
#if IM_HAVE_WEBP
                                      .decode = webp_decode
#endif
};
