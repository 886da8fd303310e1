/* SPDX-License-Identifier: MIT
 * See choices.h. */
#include "choices.h"

#include "core/rng.h"
#include "support.h"

imsat_options choices_options(size_t k)
{
    imsat_options opt;
    imsat_options_init(&opt, "kmeans", IMSAT_PRESET_DEFAULT);
    opt.k = k;
    opt.threads = 1;
    opt.scale = 1;
    opt.shift = 0;
    opt.center = 0;
    return opt;
}

im_portion choices_portion(const float *x, size_t n, size_t d, im_pool *pool)
{
    imsat_error err;
    imsat_data *data = NULL;
    im_portion portion = {0};
    const imsat_options opt = choices_options(2);
    assert_ok(imsat_data_view(&data, x, n, d, d, &err), &err);
    assert_ok(im_portion_draw(&portion, data, &opt, n, pool, &err), &err);
    imsat_data_free(data);
    return portion;
}

void choices_blobs(float *x, size_t n, size_t d, size_t blobs, double apart, uint64_t seed)
{
    const im_rng rng = {seed, IM_STREAM_INIT, 0, 0};
    for (size_t i = 0; i < n; i++) {
        im_rng_normals(x + i * d, d, rng, (uint32_t)i);
        x[i * d] += (float)(apart * (double)(i % blobs));
    }
}
