/* SPDX-License-Identifier: MIT
 *
 * See attempt.h. A cell of the paper is a row of our table of methods with the options that
 * the paper names: network, bits, decay or lambda, of which mu is 4 as in the authors' code.
 */
#include "reproduce/attempt.h"

#include "core/alloc.h"
#include "core/clock.h"
#include "core/path.h"
#include "core/status.h"
#include "imsat/search.h"
#include "model/methods.h"
#include "reproduce/gallery.h"
#include "reproduce/particulars.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    QUERIES = 100,     /* of each class */
    TOY_EPOCHS = 1000, /* 600 points are 3 steps an epoch */
    TOY_RUNS = 3,      /* of which the best by its objective is kept */
    LARGE = 10000,     /* rows from which on every epoch has its checkpoint, */
    CHECKPOINT = 100   /* and epochs between two of fewer rows: to write one takes longer
                          than to train an epoch again */
};

#define MODEL ".safetensors" /* the ending of a model that other cells start from */

#define TOY_DECAY "0.0005" /* as in the paper */
#define TOY_XI    "0.3"    /* the probe is as long as the perturbation; 10 is for images */

static size_t bits_of(imsat_experiment experiment)
{
    return experiment == IMSAT_EXPERIMENT_HASH16   ? 16
           : experiment == IMSAT_EXPERIMENT_HASH32 ? 32
                                                   : 0;
}

/* The option that is varied; with lambda goes mu, which is 4 lambda. */
static void set_value(imsat_options *o, const im_entry *cell)
{
    if (strcmp(cell->row->option, "decay") == 0) {
        o->decay = cell->value;
    } else {
        o->lambda = cell->value;
        o->mu = 4 * cell->value;
    }
}

static imsat_status set_toy(imsat_options *o, const im_method *method, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    o->epochs = TOY_EPOCHS;
    o->runs = TOY_RUNS;
    o->threads = 1; /* networks of a few units */
    if (method->uses & IM_USES_PROBE)
        IM_TRY(imsat_options_set(o, "xi", TOY_XI, err));
    else
        IM_TRY(imsat_options_set(o, "decay", TOY_DECAY, err));

cleanup:
    return st;
}

static imsat_status set_options(imsat_options *o, const im_entry *cell, im_source *source,
                                const imsat_reproduce_options *options, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_method *method = im_methods_find(cell->row->method);
    const size_t bits = bits_of(cell->row->experiment);
    imsat_options_init_sized(o, sizeof *o, bits ? IMSAT_TASK_HASH : IMSAT_TASK_CLUSTER,
                             cell->row->method, source->preset);
    o->bits = bits;
    o->k = bits ? 0 : source->classes;
    o->seed = cell->seed;
    o->threads = (size_t)options->threads;
    o->progress = options->progress;
    o->progress_user = options->progress_user;
    o->resume = 1;
    if (cell->row->hidden)
        IM_TRY(imsat_options_set(o, "hidden", cell->row->hidden, err));
    if (cell->row->option)
        set_value(o, cell);
    if (source->points)
        IM_TRY(set_toy(o, method, err));
    if (cell->race) {
        o->runs = cell->race;
        o->race = 1;
    }
    if (method->sections & 1U << IMSAT_SECTION_TRAINING) {
        o->checkpoint_every = source->rows >= LARGE ? 1 : CHECKPOINT;
        o->epochs = cell->epochs ? cell->epochs : o->epochs;
    }
    if (method->uses & IM_USES_RADIUS) {
        IM_TRY(im_source_radius(source, o, err));
        o->radius = source->radius;
    }

cleanup:
    return st;
}

/* The model that the cell starts from, if the folder has it; else *path is NULL, and what
 * would be in it is trained once more. It is the same either way: method, seed and epochs are.
 */
static imsat_status find_start(char **path, im_entry *cell, const char *folder,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_entry from = {.row = im_paper_start(cell->row),
                     .dataset = cell->dataset,
                     .seed = cell->seed,
                     .epochs = cell->epochs};
    *path = NULL;
    if (!from.row)
        return IMSAT_OK;
    im_entry_name(&from);
    IM_TRY(im_entry_read(&from, folder, err));
    *path = im_entry_path(&from, folder, MODEL);
    if (!*path) {
        st = im_fail_memory(err, "the name of a cell");
    } else if (!from.done || !im_path_exists(*path)) {
        im_free(*path);
        *path = NULL;
    } else {
        im_strbuf_format(&cell->about, ",\n  \"start\": \"%s\"", from.name);
    }

cleanup:
    im_entry_clear(&from);
    return st;
}

/* Before the cell is done, so that one that is done has its model. */
static imsat_status keep_model(const im_entry *cell, const imsat_model *model,
                               const char *folder, imsat_error *err)
{
    if (!im_paper_is_start(cell->row))
        return IMSAT_OK;
    char *path = im_entry_path(cell, folder, MODEL);
    if (!path)
        return im_fail_memory(err, "the name of a cell");
    const imsat_status st = imsat_model_save(model, path, err);
    im_free(path);
    return st;
}

/* ---- scores ------------------------------------------------------------------------------
 */

/* By every rule of ties; those of the table, and the others for who reads the file. The
 * precision within the radius does not depend on it. */
static imsat_status score_codes(im_entry *cell, const im_source *source,
                                const imsat_codes *codes, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_evaluate_hash_options how;
    const size_t queries = im_size_min(QUERIES, (source->smallest + 1) / 2);
    imsat_evaluate_hash_options_init(&how);
    for (how.ties = 0; how.ties < IMSAT_TIES; how.ties++) {
        imsat_hash_score score;
        IM_TRY(imsat_evaluate_hash_split(&score, codes, source->labels, queries, cell->seed,
                                         &how, err));
        switch (how.ties) {
        case IMSAT_TIES_TRAPEZOID: cell->score[IM_SCORE_MAP] = 100 * score.map; break;
        case IMSAT_TIES_BLOCK: cell->score[IM_SCORE_MAP_BLOCK] = 100 * score.map; break;
        case IMSAT_TIES_EXPECTED:
            im_entry_number(&cell->about, "map_expected", 100 * score.map);
            im_entry_number(&cell->about, "precision_at_expected", 100 * score.precision_at);
            break;
        default:
            im_entry_number(&cell->about, "map_id", 100 * score.map);
            im_strbuf_format(&cell->about, ",\n  \"queries\": %zu,\n  \"empty\": %zu",
                             score.queries, score.empty);
            cell->score[IM_SCORE_AT] = 100 * score.precision_at;
            cell->score[IM_SCORE_WITHIN] = 100 * score.precision_radius;
        }
        imsat_hash_score_clear(&score);
    }

cleanup:
    return st;
}

static imsat_status score(im_entry *cell, const im_source *source, const imsat_result *result,
                          imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_cluster_score clusters;
    const size_t bits = bits_of(cell->row->experiment);
    if (bits > 0) {
        const imsat_codes codes = {result->codes +
                                       result->best * result->rows * imsat_code_bytes(bits),
                                   result->rows, bits};
        return score_codes(cell, source, &codes, err);
    }
    IM_TRY(imsat_evaluate_clusters(&clusters, result->labels + result->best * result->rows,
                                   source->labels, source->rows, err));
    cell->score[IM_SCORE_ACC] = 100 * clusters.acc;
    im_entry_number(&cell->about, "nmi", clusters.nmi);
    im_entry_number(&cell->about, "ari", clusters.ari);
    im_entry_number(&cell->about, "purity", clusters.purity);

cleanup:
    return st;
}

/* The cluster of every place of the grid, row by row from the top. */
static imsat_status decide(im_entry *cell, const imsat_model *model, imsat_error *err)
{
    enum { PLACES = IM_ATTEMPT_GRID * IM_ATTEMPT_GRID };
    imsat_status st = IMSAT_OK;
    imsat_data *data = NULL;
    float *places = im_alloc(PLACES, 2 * sizeof *places);
    int32_t *labels = im_alloc(PLACES, sizeof *labels);
    char *grid = im_alloc(PLACES + 1, 1);
    if (!places || !labels || !grid) {
        st = im_fail_memory(err, "the grid of decisions");
        goto cleanup;
    }
    const double step = 2 * IM_ATTEMPT_REACH / IM_ATTEMPT_GRID;
    for (size_t i = 0; i < PLACES; i++) {
        const size_t row = i / IM_ATTEMPT_GRID, column = i % IM_ATTEMPT_GRID;
        places[2 * i] = (float)(-IM_ATTEMPT_REACH + ((double)column + 0.5) * step);
        places[2 * i + 1] = (float)(IM_ATTEMPT_REACH - ((double)row + 0.5) * step);
    }
    IM_TRY(imsat_data_view(&data, places, PLACES, 2, 2, err));
    IM_TRY(imsat_predict(model, data, labels, NULL, 1, err));
    for (size_t i = 0; i < PLACES; i++)
        grid[i] = (char)('0' + labels[i] % 10);
    cell->grid = grid;
    grid = NULL;

cleanup:
    imsat_data_free(data);
    im_free(places);
    im_free(labels);
    im_free(grid);
    return st;
}

/* Pictures of what is in some clusters. The figure needs those of one trial. */
static imsat_status show(im_entry *cell, const im_source *source, const imsat_result *result,
                         imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    size_t sample[IM_GALLERY_SIDE * IM_GALLERY_SIDE];
    if (cell->row->experiment != IMSAT_EXPERIMENT_OMNIGLOT || cell->seed != 1)
        return IMSAT_OK;
    IM_TRY(im_gallery_sample(sample, result->labels + result->best * result->rows,
                             source->rows, source->classes, cell->seed, err));
    IM_TRY(im_gallery_draw(&cell->picture, source->data, sample, err));

cleanup:
    return st;
}

/* ---- the trial ---------------------------------------------------------------------------
 */

/* Fill in what the training came to. */
static imsat_status take(im_entry *cell, const im_source *source, const imsat_model *model,
                         const imsat_result *result, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (size_t s = 0; s < IM_SCORES; s++)
        cell->score[s] = NAN;
    IM_TRY(score(cell, source, result, err));
    cell->objective = imsat_result_run(result, result->best)->objective;
    if (source->points)
        IM_TRY(decide(cell, model, err));
    IM_TRY(show(cell, source, result, err));
    if (source->instead) {
        cell->features = im_strdup(source->instead);
        if (!cell->features)
            st = im_fail_memory(err, "a cell");
    }

cleanup:
    return st;
}

imsat_status im_attempt_run(im_entry *cell, im_source *source,
                            const imsat_reproduce_options *options, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_options o;
    imsat_model *model = NULL;
    imsat_result *result = NULL;
    const double start = im_clock();
    char *begin = NULL;
    char *state = im_entry_path(cell, options->folder, ".state");
    char *heats = im_entry_path(cell, options->folder, ".state.race");
    if (!state || !heats) {
        st = im_fail_memory(err, "the name of a cell");
        goto cleanup;
    }
    IM_TRY(set_options(&o, cell, source, options, err));
    const bool resumed = im_path_exists(state) || im_path_exists(heats);
    IM_TRY(find_start(&begin, cell, options->folder, err));
    o.checkpoint = state;
    o.start = begin;
    if (o.task == IMSAT_TASK_HASH)
        IM_TRY(imsat_hash(&model, source->data, &o, &result, err));
    else
        IM_TRY(imsat_cluster(&model, source->data, &o, &result, err));
    IM_TRY(take(cell, source, model, result, err));
    im_particulars_put(&cell->about, cell, source, result, resumed);
    cell->seconds = im_clock() - start;
    IM_TRY(keep_model(cell, model, options->folder, err));
    IM_TRY(im_entry_write(cell, options->folder, err));
    cell->done = true;
    remove(state); /* the cell has it all now */
    remove(heats);

cleanup:
    imsat_result_free(result);
    imsat_model_free(model);
    im_free(begin);
    im_free(state);
    im_free(heats);
    return st;
}
