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

static int check_output(const cli_command *command, const cli_args *args)
{
    if (!args->output)
        return cli_usage(command, "the file to write, -o OUT, must be given");
    return cli_data_check(command, args, args->output);
}

static imsat_status write_documents(const cli_args *args, const imsat_data *data,
                                    imsat_error *err)
{
    const imsat_output_column column = {"document", IMSAT_NPY_INT32, 0};
    const void *values = imsat_data_documents(data);
    return cli_column_write(args->documents, NULL, column, values, imsat_data_rows(data), err);
}

/* Write and report what was made; `st` says whether it was. data is freed. */
static int finish(const cli_command *command, cli_args *args, imsat_data *data,
                  imsat_status st, imsat_error *err)
{
    if (st == IMSAT_OK && args->documents)
        st = write_documents(args, data, err);
    if (st == IMSAT_OK && args->vocabulary)
        st = imsat_words_write(args->vocabulary, data, err);
    return cli_data_finish(command, args, args->output, data, st, err);
}

int cli_features_tfidf(const cli_command *command, cli_args *args)
{
    imsat_data *data = NULL;
    imsat_error err;
    const int code = check_output(command, args);
    if (code != CLI_OK)
        return code;
    const imsat_status st = cli_texts_open(command, args, &data, &err);
    return finish(command, args, data, st, &err);
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
    return finish(command, args, data, st, &err);
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
    return finish(command, args, data, st, &err);
}
