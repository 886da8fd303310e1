/* SPDX-License-Identifier: MIT
 *
 * Data as a model was given it for training: imsat_model_open(); see imsat/features.h. What is
 * made of texts or pictures is made of others in the same way; rows that were made already,
 * and are in a file, are taken as they are.
 */
#include "core/path.h"
#include "data/pictures.h"
#include "features/documents.h"
#include "features/texts.h"
#include "imsat/features.h"
#include "model/model.h"

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

static imsat_status open_texts(imsat_data **out, const imsat_model *model,
                               const char *const *paths, size_t npaths,
                               const imsat_data_options *options, const char *text_column,
                               imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    bool texts = false;
    IM_TRY(are_texts(&texts, paths[0], text_column, err));
    if (texts)
        st = im_texts_apply(out, model->origin, paths, npaths, text_column,
                            options->label_column, err);
    else
        st = imsat_data_open(out, paths, npaths, options, err);

cleanup:
    return st;
}

/* Rows, or pictures brought to the shape of those of training. */
static imsat_status open_shaped(imsat_data **out, imsat_image image, const char *const *paths,
                                size_t npaths, const imsat_data_options *options,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_data_options shaped = *options;
    bool pictures = false;
    if (image.height && !options->image.height)
        IM_TRY(im_pictures_are(&pictures, paths[0], err));
    if (pictures)
        shaped.image = image;
    st = imsat_data_open(out, paths, npaths, &shaped, err);

cleanup:
    return st;
}

static imsat_status open_gist(imsat_data **out, const imsat_model *model,
                              const char *const *paths, size_t npaths,
                              const imsat_data_options *options, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_origin *origin = model->origin;
    imsat_data *images = NULL;
    IM_TRY(open_shaped(&images, origin->image, paths, npaths, options, err));
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

imsat_status imsat_model_open(imsat_data **out, const imsat_model *model,
                              const char *const *paths, size_t npaths,
                              const imsat_data_options *options, const char *text_column,
                              imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE(model);
    IM_REQUIRE_PATHS(paths, npaths);
    static const imsat_data_options defaults = {0};
    const imsat_data_options *opt = options ? options : &defaults;
    if (npaths == 0)
        return im_fail(err, IMSAT_EINVAL, "no data file is given");
    if (!model->origin)
        return open_shaped(out, model->image, paths, npaths, opt, err);
    if (model->origin->kind == IM_ORIGIN_TFIDF)
        return open_texts(out, model, paths, npaths, opt, text_column, err);
    return open_gist(out, model, paths, npaths, opt, err);
}
