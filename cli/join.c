/* SPDX-License-Identifier: MIT
 *
 * --join FILE of `cluster` and `predict`: the input's rows with what the model says of each
 * beside them: its label, how sure the model is of it, and how far the row is from the
 * training data.
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

static const imsat_output_column columns[] = {{"label", IMSAT_NPY_INT32, 0},
                                              {"confidence", IMSAT_NPY_FLOAT32, 0},
                                              {"distance", IMSAT_NPY_FLOAT32, 0}};

/* What goes to the file. */
typedef struct sink {
    const imsat_model *model;
    const imsat_data *data;
    const imsat_options *options;
    imsat_join *file;
    float *confidence, *distance; /* (room) */
    size_t room;
    imsat_status status; /* of what is done here, and why it failed */
    imsat_error why;
} sink;

static imsat_status make_room(sink *s, size_t rows)
{
    if (rows <= s->room)
        return IMSAT_OK;
    free(s->confidence);
    free(s->distance);
    s->confidence = calloc(rows, sizeof *s->confidence);
    s->distance = calloc(rows, sizeof *s->distance);
    s->room = rows;
    if (s->confidence && s->distance)
        return IMSAT_OK;
    cli_refuse(&s->why, "no memory for the results of %zu rows", rows);
    return IMSAT_ENOMEM;
}

static imsat_status join_piece(sink *s, const imsat_piece *piece)
{
    const size_t k = imsat_model_clusters(s->model);
    const int tells = imsat_model_has_distance(s->model);
    imsat_status st = make_room(s, piece->count);
    if (st != IMSAT_OK)
        return st;
    for (size_t i = 0; i < piece->count; i++)
        s->confidence[i] = piece->proba[i * k + (size_t)piece->labels[i]];
    if (tells)
        st = imsat_distance(s->distance, s->model, s->data, piece->first, piece->count,
                            piece->labels, &s->why);
    const void *values[] = {piece->labels, s->confidence, s->distance};
    return st == IMSAT_OK ? imsat_join_append(s->file, values, piece->count, &s->why) : st;
}

static int take(void *user, const imsat_piece *piece)
{
    sink *s = user;
    const imsat_progress now = {.stage = "join",
                                .fraction = (double)(piece->first + piece->count) /
                                            (double)imsat_data_rows(s->data)};
    s->status = join_piece(s, piece);
    return s->status != IMSAT_OK ||
           (s->options->progress && s->options->progress(s->options->progress_user, &now));
}

imsat_status cli_join_file(const cli_args *args, const imsat_model *model,
                           const imsat_data *data, const char *const *paths, size_t npaths,
                           const imsat_options *options, imsat_error *err)
{
    sink s = {.model = model, .data = data, .options = options};
    const size_t count = imsat_model_has_distance(model) ? 3 : 2; /* models of before have 2 */
    imsat_status st = imsat_join_create(&s.file, args->join, cli_rows_format(args), data,
                                        paths, npaths, columns, count, err);
    if (st == IMSAT_OK)
        st = imsat_predict_stream(model, data, take, &s, (int)options->threads, err);
    if (s.status != IMSAT_OK) {
        st = s.status;
        *err = s.why;
    }
    if (st == IMSAT_OK)
        st = imsat_join_commit(s.file, err);
    imsat_join_free(s.file);
    free(s.confidence);
    free(s.distance);
    return st;
}

int cli_join_check(const cli_command *command, const cli_args *args)
{
    const imsat_output_format *format = NULL;
    imsat_error err;
    if (!args->join)
        return CLI_OK;
    for (size_t i = 0; i < args->files.count; i++)
        if (cli_is_stream(args->files.items[i]))
            return cli_usage(command,
                             "--join reads its input twice, and %s can be read only "
                             "once",
                             args->files.items[i]);
    if (imsat_output_format_find(&format, args->join, cli_rows_format(args), &err) != IMSAT_OK)
        return cli_usage(command, "--join %s; --format says it for any name", err.message);
    const int plain = !args->format && format == imsat_output_format_at(0);
    const size_t length = strlen(args->join);
    if (format->text ||
        (plain && (length < 4 || strcmp(args->join + length - 4, ".npy") != 0)))
        return CLI_OK;
    return cli_usage(command,
                     "--join %s: rows with results beside them are .csv, .tsv or "
                     ".jsonl, not %s",
                     args->join, format->name);
}
