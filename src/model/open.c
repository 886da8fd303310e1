/* SPDX-License-Identifier: MIT
 *
 * Data as a model was given it for training: imsat_model_open(); see imsat/features.h. What is
 * made of texts, pictures or tables is made of others in the same way; rows that were made
 * already, and are in a file, are taken as they are.
 */
#include "core/path.h"
#include "data/dataset.h"
#include "data/pictures.h"
#include "features/documents.h"
#include "features/texts.h"
#include "imsat/features.h"
#include "model/model.h"

#include <math.h>

/* What may hold numbers as well as texts, by its contents, holds texts to a model of texts. */
static imsat_status are_texts(bool *out, const char *path, const char *text_column,
                              imsat_error *err)
{
    if (!im_path_lasts(path) || im_path_ends(path, ".txt") || im_path_ends(path, ".csv") ||
        im_path_ends(path, ".tsv")) {
        *out = true;
        return IMSAT_OK;
    }
    return im_documents_are(out, path, text_column, err);
}

/* What is to be opened. */
typedef struct inputs {
    const imsat_model *model;
    const char *const *paths;
    size_t npaths;
    const imsat_data_options *options;
    const imsat_table_options *table; /* or NULL */
    const char *text_column;
} inputs;

/* Rows of numbers; tables as those of training. */
static imsat_status open_rows(imsat_data **out, const inputs *in,
                              const imsat_data_options *options, imsat_error *err)
{
    return im_data_open(out, in->paths, in->npaths, options, in->table, &in->model->table,
                        err);
}

static imsat_status open_texts(imsat_data **out, const inputs *in, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    bool texts = false;
    IM_TRY(are_texts(&texts, in->paths[0], in->text_column, err));
    if (texts)
        st = im_texts_apply(out, in->model->origin, in->paths, in->npaths, in->text_column,
                            in->options->label_column, err);
    else
        st = open_rows(out, in, in->options, err);

cleanup:
    return st;
}

/* Rows, or pictures brought to the shape of those of training. */
static imsat_status open_shaped(imsat_data **out, const inputs *in, imsat_image image,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_data_options shaped = *in->options;
    bool pictures = false;
    if (image.height && !shaped.image.height)
        IM_TRY(im_pictures_are(&pictures, in->paths[0], err));
    if (pictures)
        shaped.image = image;
    st = open_rows(out, in, &shaped, err);

cleanup:
    return st;
}

static imsat_status open_gist(imsat_data **out, const inputs *in, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_origin *origin = in->model->origin;
    imsat_data *images = NULL;
    IM_TRY(open_shaped(&images, in, origin->image, err));
    if (images->dim == im_origin_dim(origin) && !images->image.height) {
        *out = images;
        images = NULL;
    } else {
        IM_TRY(imsat_gist(out, images, origin->color, 0, err));
    }

cleanup:
    imsat_data_free(images);
    return st;
}

/* Words and means of these rows are not those of training: a model without a table does not
 * keep them, and the columns would be others without anybody noticing. */
static imsat_status check_table(const inputs *in, imsat_error *err)
{
    const imsat_table_options *table = in->table;
    if (!table || table->size != sizeof *table || in->model->table.count > 0)
        return IMSAT_OK;
    if (table->categories == IMSAT_CATEGORIES_ONE_HOT)
        return im_fail(err, IMSAT_EINVAL,
                       "--categories one-hot: the model was not trained on a table, and keeps "
                       "no words; give it numbers");
    if (table->missing == IMSAT_MISSING_MEAN || table->missing == IMSAT_MISSING_MEDIAN)
        return im_fail(
            err, IMSAT_EINVAL,
            "--missing %s: the model was not trained on a table, and keeps no %s of "
            "columns; --missing drop leaves out rows that lack values",
            imsat_missing_name(table->missing), imsat_missing_name(table->missing));
    return IMSAT_OK;
}

static imsat_status open_inputs(imsat_data **out, const inputs *in, imsat_error *err)
{
    const imsat_model *model = in->model;
    const imsat_status st = check_table(in, err);
    if (st != IMSAT_OK)
        return st;
    if (in->npaths == 0)
        return im_fail(err, IMSAT_EINVAL, "no data file is given");
    if (!model->origin)
        return open_shaped(out, in, model->image, err);
    if (model->origin->kind == IM_ORIGIN_TFIDF)
        return open_texts(out, in, err);
    return open_gist(out, in, err);
}

static const imsat_data_options no_options = {0};

imsat_status imsat_model_open(imsat_data **out, const imsat_model *model,
                              const char *const *paths, size_t npaths,
                              const imsat_data_options *options, const char *text_column,
                              imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE(model);
    IM_REQUIRE_PATHS(paths, npaths);
    const inputs in = {model, paths,      npaths, options ? options : &no_options,
                       NULL,  text_column};
    return open_inputs(out, &in, err);
}

imsat_status imsat_model_open_table(imsat_data **out, const imsat_model *model,
                                    const char *const *paths, size_t npaths,
                                    const imsat_data_options *options,
                                    const imsat_table_options *table, const char *text_column,
                                    imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE(model);
    IM_REQUIRE_PATHS(paths, npaths);
    const inputs in = {model, paths,      npaths, options ? options : &no_options,
                       table, text_column};
    return open_inputs(out, &in, err);
}

/* ---- what a model keeps of tables ---------------------------------------------------- */

size_t imsat_model_columns(const imsat_model *model)
{
    return model ? model->table.count : 0;
}

const char *imsat_model_column_name(const imsat_model *model, size_t i)
{
    return i < imsat_model_columns(model) && model->table.names && *model->table.names[i]
               ? model->table.names[i]
               : NULL;
}

const char *imsat_model_column_kind(const imsat_model *model, size_t i)
{
    static const char *const names[] = {[IM_KIND_NUMBER] = "number",
                                        [IM_KIND_BOOLEAN] = "boolean",
                                        [IM_KIND_DATE] = "date",
                                        [IM_KIND_CATEGORY] = "category"};
    return i < imsat_model_columns(model) ? names[model->table.kinds[i]] : NULL;
}

double imsat_model_column_fill(const imsat_model *model, size_t i)
{
    return i < imsat_model_columns(model) && model->table.fills &&
                   model->table.kinds[i] != IM_KIND_CATEGORY
               ? model->table.fills[i]
               : NAN;
}

const char *imsat_model_column_word(const imsat_model *model, size_t i, size_t w)
{
    if (i >= imsat_model_columns(model) || !model->table.categories)
        return NULL;
    const im_categories *words = &model->table.categories[i];
    return w < words->count ? words->words[w] : NULL;
}

const char *imsat_model_label_name(const imsat_model *model)
{
    return model ? model->table.label : NULL;
}
