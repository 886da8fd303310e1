/* SPDX-License-Identifier: MIT
 *
 * imsat features tfidf TEXTS... -o OUT
 * imsat features gist DATA... -o OUT
 * imsat features resize PICTURES... --image HxW[xC] -o OUT
 *
 * Rows that are made of texts or pictures, as a file. 'imsat cluster' makes them itself; these
 * are for those who want to see them, or use them elsewhere.
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { PIECE = 256 }; /* rows that are written at a time */

static int ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), size = strlen(ending);
    return length >= size && strcasecmp(path + length - size, ending) == 0;
}

static int is_svmlight(const char *path)
{
    return ends_in(path, ".svm") || ends_in(path, ".svmlight") || ends_in(path, ".libsvm");
}

static int check_output(const cli_command *command, const cli_args *args)
{
    if (!args->output)
        return cli_usage(command, "the file to write, -o OUT, must be given");
    if (ends_in(args->output, ".npy") || is_svmlight(args->output) ||
        cli_is_stream(args->output))
        return CLI_OK;
    return cli_usage(command,
                     "%s: its ending must say what to write: .npy, an array, or .svmlight, "
                     "sparse rows",
                     args->output);
}

/* One piece of rows as the file has them. */
static imsat_status append_rows(imsat_npy *file, const imsat_data *data, size_t first,
                                size_t count, float *rows, uint8_t *bytes, imsat_error *err)
{
    const imsat_status st = imsat_data_read(data, first, count, rows, err);
    if (st != IMSAT_OK)
        return st;
    for (size_t i = 0; bytes && i < count * imsat_data_dim(data); i++)
        bytes[i] = (uint8_t)rows[i];
    return imsat_npy_append(file, bytes ? (void *)bytes : (void *)rows, count, err);
}

/* An array of float, or of bytes, which pictures are. */
static imsat_status write_npy(const char *path, const imsat_data *data, int pictures,
                              imsat_error *err)
{
    const size_t n = imsat_data_rows(data), dim = imsat_data_dim(data);
    imsat_npy *file = NULL;
    float *rows = calloc(PIECE * dim, sizeof *rows);
    uint8_t *bytes = pictures ? calloc(PIECE * dim, 1) : NULL;
    imsat_status st = IMSAT_ENOMEM;
    if (rows && (bytes || !pictures))
        st = imsat_npy_create(&file, path, pictures ? IMSAT_NPY_UINT8 : IMSAT_NPY_FLOAT32, n,
                              dim, err);
    else
        cli_refuse(err, "%s: no memory for rows of %zu values", path, dim);
    for (size_t first = 0; st == IMSAT_OK && first < n; first += PIECE)
        st = append_rows(file, data, first, n - first < PIECE ? n - first : PIECE, rows, bytes,
                         err);
    if (st == IMSAT_OK)
        st = imsat_npy_commit(file, err);
    imsat_npy_free(file);
    free(rows);
    free(bytes);
    return st;
}

static imsat_status write_labels(const cli_args *args, const imsat_data *data,
                                 imsat_error *err)
{
    const int32_t *labels = imsat_data_labels(data);
    if (!args->labels)
        return IMSAT_OK;
    if (labels)
        return imsat_labels_write(args->labels, cli_rows_format(args), labels,
                                  imsat_data_rows(data), err);
    cli_refuse(err,
               "%s: there are no labels: the files are in one folder, and no label column "
               "is given",
               args->labels);
    return IMSAT_EINVAL;
}

static imsat_status write_documents(const cli_args *args, const imsat_data *data,
                                    imsat_error *err)
{
    const imsat_output_column column = {"document", IMSAT_NPY_INT32, 0};
    const void *values = imsat_data_documents(data);
    return cli_column_write(args->documents, args, column, values, imsat_data_rows(data), err);
}

static int report(const cli_command *command, const cli_args *args, const imsat_data *data)
{
    const size_t n = imsat_data_rows(data);
    size_t largest = 0;
    const size_t classes = cli_count_classes(imsat_data_labels(data), n, &largest);
    const double share = (double)largest / (double)n;
    if (args->json) {
        cli_json *object = cli_json_new();
        cli_json_text(object, "output", args->output);
        cli_json_count(object, "rows", n);
        cli_json_count(object, "dim", imsat_data_dim(data));
        cli_json_text(object, "features", imsat_data_describe(data, 0));
        if (classes) {
            cli_json_count(object, "classes", classes);
            cli_json_number(object, "largest_class", share);
        }
        return cli_json_finish(command, args, object);
    }
    fprintf(args->report, "%s: %zu x %zu", args->output, n, imsat_data_dim(data));
    if (classes)
        fprintf(args->report, ", %zu classes, the largest %.1f %%", classes, 100 * share);
    fprintf(args->report, "\n");
    return CLI_OK;
}

/* Write and report what was made; `st` says whether it was. data is freed. */
static int finish(const cli_command *command, const cli_args *args, imsat_data *data,
                  int pictures, imsat_status st, imsat_error *err)
{
    if (st == IMSAT_OK)
        st = is_svmlight(args->output) ? imsat_svmlight_write(args->output, data, err)
                                       : write_npy(args->output, data, pictures, err);
    if (st == IMSAT_OK)
        st = write_labels(args, data, err);
    if (st == IMSAT_OK && args->documents)
        st = write_documents(args, data, err);
    if (st == IMSAT_OK && args->vocabulary)
        st = imsat_words_write(args->vocabulary, data, err);
    const int code = st == IMSAT_OK ? report(command, args, data) : cli_failed(command, err);
    imsat_data_free(data);
    return code;
}

int cli_features_tfidf(const cli_command *command, cli_args *args)
{
    imsat_data *data = NULL;
    imsat_error err;
    const int code = check_output(command, args);
    if (code != CLI_OK)
        return code;
    const imsat_status st = cli_texts_open(command, args, &data, &err);
    return finish(command, args, data, 0, st, &err);
}

int cli_features_gist(const cli_command *command, cli_args *args)
{
    imsat_data *data = NULL;
    imsat_error err;
    const int code = check_output(command, args);
    if (code != CLI_OK)
        return code;
    args->gist = args->color ? 2 : 1;
    const imsat_status st = cli_data_open(command, args, &data, &err);
    return finish(command, args, data, 0, st, &err);
}

/* Pictures get their size while they are read; images in a file, afterwards. */
static imsat_status open_resized(imsat_data **out, const cli_args *args, imsat_error *err)
{
    const cli_list *files = &args->files;
    imsat_data_options options = args->data;
    imsat_data *images = NULL;
    int pictures = 0;
    imsat_status st = imsat_pictures_are(&pictures, files->items[0], err);
    if (!pictures)
        options.image = (imsat_image){0, 0, 0};
    if (st == IMSAT_OK)
        st = imsat_data_open(pictures ? out : &images, files->items, files->count, &options,
                             err);
    if (st == IMSAT_OK && !pictures)
        st = imsat_resize(out, images, args->data.image, err);
    imsat_data_free(images);
    return st;
}

int cli_features_resize(const cli_command *command, cli_args *args)
{
    imsat_data *data = NULL;
    imsat_error err;
    const int code = check_output(command, args);
    if (code != CLI_OK)
        return code;
    if (!args->data.image.height)
        return cli_usage(command, "the size, --image HxW or HxWx3, must be given");
    const imsat_status st = open_resized(&data, args, &err);
    return finish(command, args, data, 1, st, &err);
}
