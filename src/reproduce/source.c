/* SPDX-License-Identifier: MIT
 *
 * See source.h. The spirals of appendix I: the paper says that each arc has 300 points, and
 * that |r| is 0.3. Here arc a has the points
 *
 *     (0.5 + 2.5 t) (cos, sin)(2 pi t + pi a) + noise of deviation 0.05,  0 < t < 1
 *
 * so that the arcs are about 1.25 apart, and |r| reaches half of that half the way.
 */
#include "reproduce/source.h"

#include "core/alloc.h"
#include "core/elementary.h"
#include "core/partition.h"
#include "core/path.h"
#include "core/rng.h"
#include "core/status.h"

#include <stdio.h>
#include <string.h>

enum { SPIRAL_ROWS = 2 * IM_SOURCE_ARC };

#define SPIRAL_RADIUS 0.3

void im_source_spirals(float *points, int32_t *arcs)
{
    const im_rng rng = {1, IM_STREAM_SAMPLE, 0, 0};
    for (size_t i = 0; i < SPIRAL_ROWS; i++) {
        const double t = ((double)(i % IM_SOURCE_ARC) + 0.5) / IM_SOURCE_ARC;
        const double length = 0.5 + 2.5 * t;
        float noise[2];
        double cosine, sine;
        arcs[i] = (int32_t)(i / IM_SOURCE_ARC);
        im_elementary_turn(&cosine, &sine, 360 * t + 180 * arcs[i]);
        im_rng_normals(noise, 2, rng, (uint32_t)i);
        points[2 * i] = (float)(length * cosine + 0.05 * (double)noise[0]);
        points[2 * i + 1] = (float)(length * sine + 0.05 * (double)noise[1]);
    }
}

static imsat_status open_spirals(im_source *source, imsat_error *err)
{
    source->points = im_alloc(SPIRAL_ROWS, 2 * sizeof *source->points);
    source->arcs = im_alloc(SPIRAL_ROWS, sizeof *source->arcs);
    if (!source->points || !source->arcs)
        return im_fail_memory(err, "the spirals");
    im_source_spirals(source->points, source->arcs);
    source->labels = source->arcs;
    return imsat_data_view(&source->data, source->points, SPIRAL_ROWS, 2, 2, err);
}

/* digits.csv.gz in the folder, or in a folder digits in it. */
static imsat_status open_digits(im_source *source, const char *folder, imsat_error *err)
{
    const imsat_data_options options = {.label_column = "64"};
    const size_t room = strlen(folder) + sizeof "/digits/digits.csv.gz";
    char *path = im_alloc(room, 1);
    if (!path)
        return im_fail_memory(err, "the name of a file");
    snprintf(path, room, "%s/digits.csv.gz", folder);
    if (!im_path_exists(path))
        snprintf(path, room, "%s/digits/digits.csv.gz", folder);
    const char *const paths[] = {path};
    source->preset = IMSAT_PRESET_DEFAULT;
    source->instead = "digits of 8 x 8, preset default; not in the paper";
    const imsat_status st = imsat_data_open(&source->data, paths, 1, &options, err);
    im_free(path);
    return st;
}

static imsat_status open_set(im_source *source, imsat_experiment experiment, const char *name,
                             const imsat_reproduce_options *options, imsat_error *err)
{
    const imsat_set_form *form = NULL;
    const bool gist = strcmp(name, "cifar10") == 0 && (experiment == IMSAT_EXPERIMENT_HASH16 ||
                                                       experiment == IMSAT_EXPERIMENT_HASH32);
    const imsat_prepare_options prepare = {
        .form = gist ? "gist" : NULL, .seed = 1, .threads = options->threads};
    const imsat_status st = imsat_sets_prepare(
        &source->data, &form, name, options->data ? options->data : ".", &prepare, err);
    if (st == IMSAT_OK)
        source->instead = gist ? NULL : form->instead;
    return st;
}

static imsat_status count(im_source *source, const char *name, imsat_error *err)
{
    im_side side = {0};
    if (!source->labels)
        source->labels = imsat_data_labels(source->data);
    if (!source->labels)
        return im_fail(err, IMSAT_EFORMAT, "%s: has no classes to compare with", name);
    source->rows = imsat_data_rows(source->data);
    const imsat_status st = im_side_new(&side, source->labels, source->rows, err);
    if (st != IMSAT_OK)
        return st;
    source->classes = side.parts;
    source->smallest = source->rows;
    for (size_t i = 0; i < side.parts; i++)
        source->smallest = im_size_min(source->smallest, side.sizes[i]);
    im_side_clear(&side);
    return IMSAT_OK;
}

imsat_status im_source_open(im_source *source, imsat_experiment experiment, const char *name,
                            const imsat_reproduce_options *options, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    *source = (im_source){.preset = IMSAT_PRESET_REFERENCE};
    if (experiment == IMSAT_EXPERIMENT_TOY)
        IM_TRY(open_spirals(source, err));
    else if (strcmp(name, "digits") == 0)
        IM_TRY(open_digits(source, options->data ? options->data : ".", err));
    else
        IM_TRY(open_set(source, experiment, name, options, err));
    IM_TRY(count(source, name, err));

cleanup:
    if (st != IMSAT_OK)
        im_source_clear(source);
    return st;
}

void im_source_clear(im_source *source)
{
    imsat_data_free(source->data);
    im_free(source->radius);
    im_free(source->points);
    im_free(source->arcs);
    *source = (im_source){0};
}

imsat_status im_source_radius(im_source *source, const imsat_options *options,
                              imsat_error *err)
{
    if (source->radius)
        return IMSAT_OK;
    float *radius = im_alloc(source->rows, sizeof *radius);
    if (!radius)
        return im_fail_memory(err, "the radius of every row");
    imsat_status st = IMSAT_OK;
    if (source->points)
        for (size_t i = 0; i < source->rows; i++)
            radius[i] = (float)(SPIRAL_RADIUS / options->alpha);
    else
        st = imsat_neighbor_radius(radius, NULL, source->data, options, err);
    if (st == IMSAT_OK)
        source->radius = radius;
    else
        im_free(radius);
    return st;
}
