/* SPDX-License-Identifier: MIT
 * See blobs.h. */
#include "blobs.h"

#include "core/rng.h"
#include "support.h"

imsat_data *blobs_open(void)
{
    static float x[BLOB_ROWS * BLOB_DIM];
    imsat_error err;
    imsat_data *data = NULL;
    for (size_t i = 0; i < BLOB_ROWS; i++) {
        float *row = x + i * BLOB_DIM;
        im_rng_normals(row, BLOB_DIM, (im_rng){3, IM_STREAM_INIT, 1, 0}, (uint32_t)i);
        row[i % BLOB_K] += 9;
    }
    assert_ok(imsat_data_view(&data, x, BLOB_ROWS, BLOB_DIM, BLOB_DIM, &err), &err);
    return data;
}

static void make_short(imsat_options *opt)
{
    opt->epochs = 12;
    opt->batch = 40;
    opt->threads = 2;
    if (opt->hidden_auto || opt->hidden_count > 0) {
        opt->hidden_auto = 0;
        opt->hidden_count = 2;
        opt->hidden[0] = 30;
        opt->hidden[1] = 21;
    }
}

imsat_options blobs_options(imsat_method method)
{
    imsat_options opt;
    imsat_options_init(&opt, method, IMSAT_PRESET_DEFAULT);
    opt.k = BLOB_K;
    make_short(&opt);
    return opt;
}

imsat_options blobs_hash_options(imsat_method method)
{
    imsat_options opt;
    imsat_options_init_hash(&opt, method, IMSAT_PRESET_DEFAULT);
    opt.bits = BLOB_BITS;
    make_short(&opt);
    return opt;
}
