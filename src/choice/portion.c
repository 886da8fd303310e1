/* SPDX-License-Identifier: MIT
 * See portion.h. */
#include "choice/portion.h"

#include "core/alloc.h"
#include "core/rng.h"

/* Rows without clusters take time that grows with the rows squared times their length, and a
 * dozen sets of them are in memory. */
static const size_t MOST_NUMBERS = (size_t)1 << 21;
enum { LEAST_ROWS = 64 };

void im_portion_clear(im_portion *portion)
{
    imsat_data_free(portion->data);
    im_graph_clear(&portion->graph);
    im_free(portion->x);
    im_free(portion->row);
    *portion = (im_portion){0};
}

imsat_status im_portion_frame(im_frame *out, im_preprocess *pre, const im_portion *portion,
                              im_pool *pool, imsat_error *err)
{
    *pre = (im_preprocess){.dim = portion->d, .scale = 1, .factor = 1};
    return im_frame_fit(out, portion->data, pre, pool, NULL, err);
}

imsat_status im_portion_part(imsat_data **out, const im_portion *portion, size_t first,
                             size_t count, imsat_error *err)
{
    const imsat_status st = imsat_data_view(out, portion->x + first * portion->d, count,
                                            portion->d, portion->d, err);
    if (st == IMSAT_OK)
        (*out)->image = portion->image;
    return st;
}

imsat_status im_portion_open(im_portion *portion, im_pool *pool, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_frame frame = {0};
    im_preprocess pre;
    IM_TRY(im_portion_part(&portion->data, portion, 0, portion->n, err));
    IM_TRY(im_portion_frame(&frame, &pre, portion, pool, err));
    IM_TRY(im_graph_new(&portion->graph, &frame,
                        im_size_min(IM_PORTION_NEIGHBORS, portion->n - 1), pool, NULL, err));

cleanup:
    im_frame_clear(&frame);
    return st;
}

/* How many rows there are to be. */
static size_t count_rows(const imsat_data *data, size_t most)
{
    size_t n = im_size_min(data->rows, most);
    if (n > MOST_NUMBERS / data->dim)
        n = MOST_NUMBERS / data->dim;
    return n < LEAST_ROWS ? im_size_min(LEAST_ROWS, data->rows) : n;
}

static imsat_status read_rows(im_portion *portion, const imsat_data *data,
                              const im_preprocess *pre, uint64_t seed, imsat_error *err)
{
    const im_rng rng = {seed, IM_STREAM_CHOICE, 0, 0};
    double *scratch = im_alloc(portion->d, sizeof *scratch);
    portion->x = im_alloc_unset(portion->n * portion->d, sizeof *portion->x);
    portion->row = im_alloc(portion->n, sizeof *portion->row);
    const bool room = scratch && portion->x && portion->row;
    for (size_t i = 0; room && i < portion->n; i++) {
        portion->row[i] = (size_t)im_rng_permute(i, data->rows, rng);
        im_preprocess_read(portion->x + i * portion->d, data, portion->row[i], pre, scratch);
    }
    im_free(scratch);
    return room ? im_data_check(data, 0, data->rows, IMSAT_OK, err)
                : im_fail_memory(err, "rows to compare methods on");
}

static int told(void *user, double fraction)
{
    const imsat_options *options = user;
    const imsat_progress p = {.stage = "prepare", .fraction = fraction, .runs = 1};
    return options->progress ? options->progress(options->progress_user, &p) : 0;
}

imsat_status im_portion_draw(im_portion *out, const imsat_data *data,
                             const imsat_options *options, size_t most, im_pool *pool,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_options own = *options;
    const im_stage stage = {"preparing the data", told, &own, 0, 1};
    im_preprocess pre = {0};
    im_portion portion = {.n = count_rows(data, most), .d = data->dim, .image = data->image};
    IM_TRY(im_preprocess_fit(&pre, data, options, &stage, err));
    IM_TRY(read_rows(&portion, data, &pre, options->seed, err));
    IM_TRY(im_portion_open(&portion, pool, err));
    *out = portion;
    portion = (im_portion){0};

cleanup:
    im_preprocess_clear(&pre);
    im_portion_clear(&portion);
    return st;
}
