/* SPDX-License-Identifier: MIT
 *
 * What a model says of each row beside its label: how far the label is to be trusted, and how
 * far the row is from the training data. --confidence OUT and --outliers OUT of `cluster` and
 * `predict` write it to files, --join FILE beside the rows of the input; all in one pass.
 */
#include "cli.h"

#include <stdlib.h>

enum { UNUSUAL = 50 }; /* one row in so many is worth a word: of training data 1 in 100 is */

/* Where it goes, and the results of a piece. */
typedef struct sink {
    const imsat_model *model;
    const imsat_data *data;
    const imsat_options *options;
    imsat_join *join; /* each file may be NULL */
    imsat_output *confidences;
    imsat_output *outliers;
    int apart;         /* distance and flag are columns of their own in that file */
    float *confidence; /* (room) */
    float *distance;   /* (room) */
    float *both;       /* (room,2) distance and flag */
    uint8_t *flag;     /* (room) whether a row is an outlier */
    size_t room;
    size_t found;        /* outliers */
    imsat_status status; /* of what is done here, and why it failed */
    imsat_error why;
} sink;

static void clear(sink *s)
{
    imsat_join_free(s->join);
    imsat_output_free(s->confidences);
    imsat_output_free(s->outliers);
    free(s->confidence);
    free(s->distance);
    free(s->both);
    free(s->flag);
}

static imsat_status make_room(sink *s, size_t rows)
{
    if (rows <= s->room)
        return IMSAT_OK;
    free(s->confidence);
    free(s->distance);
    free(s->both);
    free(s->flag);
    s->confidence = calloc(rows, sizeof *s->confidence);
    s->distance = calloc(rows, sizeof *s->distance);
    s->both = calloc(rows, 2 * sizeof *s->both);
    s->flag = calloc(rows, sizeof *s->flag);
    s->room = rows;
    if (s->confidence && s->distance && s->both && s->flag)
        return IMSAT_OK;
    cli_refuse(&s->why, "no memory for the results of %zu rows", rows);
    return IMSAT_ENOMEM;
}

/* ---- a piece ----------------------------------------------------------------------- */

/* Fill in the results; of models of before there are none. */
static imsat_status judge(sink *s, const imsat_piece *piece)
{
    const double limit = imsat_model_outlier_distance(s->model);
    if (!imsat_model_has_confidence(s->model))
        return IMSAT_OK;
    const imsat_status st = imsat_confidence(s->confidence, s->distance, s->model, s->data,
                                             piece->first, piece->count, piece->labels,
                                             piece->proba, (int)s->options->threads, &s->why);
    for (size_t i = 0; st == IMSAT_OK && i < piece->count; i++) {
        s->flag[i] = (double)s->distance[i] > limit;
        s->found += s->flag[i];
        s->both[2 * i] = s->distance[i];
        s->both[2 * i + 1] = s->flag[i];
    }
    return st;
}

static imsat_status append(sink *s, const imsat_piece *piece)
{
    const size_t n = piece->count;
    imsat_status st = make_room(s, n);
    if (st == IMSAT_OK)
        st = judge(s, piece);
    const void *beside[] = {piece->labels, s->confidence, s->distance, s->flag};
    const void *both = s->both;
    if (st == IMSAT_OK && s->join)
        st = imsat_join_append(s->join, beside, n, &s->why);
    if (st == IMSAT_OK && s->confidences)
        st = imsat_output_append(s->confidences, beside + 1, n, &s->why);
    if (st == IMSAT_OK && s->outliers)
        st = imsat_output_append(s->outliers, s->apart ? beside + 2 : &both, n, &s->why);
    return st;
}

static int take(void *user, const imsat_piece *piece)
{
    sink *s = user;
    const imsat_progress now = {.stage = "confidence",
                                .fraction = (double)(piece->first + piece->count) /
                                            (double)imsat_data_rows(s->data)};
    s->status = append(s, piece);
    return s->status != IMSAT_OK ||
           (s->options->progress && s->options->progress(s->options->progress_user, &now));
}

/* ---- files ------------------------------------------------------------------------- */

/* Text has two columns, an array (n, 2). */
static imsat_status create_outliers(sink *s, const char *path, const char *name,
                                    imsat_error *err)
{
    static const imsat_output_column apart[] = {{"distance", IMSAT_NPY_FLOAT32, 0},
                                                {"outlier", IMSAT_NPY_UINT8, 0}};
    static const imsat_output_column both = {"outlier", IMSAT_NPY_FLOAT32, 2};
    const imsat_output_format *format = NULL;
    const imsat_status st = imsat_output_format_find(&format, path, name, err);
    if (st != IMSAT_OK)
        return st;
    s->apart = format->text;
    return imsat_output_create(&s->outliers, path, format->name, s->apart ? apart : &both,
                               s->apart ? 2 : 1, imsat_data_rows(s->data), err);
}

static imsat_status create(sink *s, const cli_args *args, const char *const *paths,
                           size_t npaths, imsat_error *err)
{
    static const imsat_output_column beside[] = {{"label", IMSAT_NPY_INT32, 0},
                                                 {"confidence", IMSAT_NPY_FLOAT32, 0},
                                                 {"distance", IMSAT_NPY_FLOAT32, 0},
                                                 {"outlier", IMSAT_NPY_UINT8, 0}};
    const char *format = cli_rows_format(args);
    imsat_status st = IMSAT_OK;
    if (args->join) /* of models of before the label alone */
        st = imsat_join_create(&s->join, args->join, format, s->data, paths, npaths, beside,
                               imsat_model_has_confidence(s->model) ? 4 : 1, err);
    if (st == IMSAT_OK && args->confidence)
        st = imsat_output_create(&s->confidences, args->confidence, format, beside + 1, 1,
                                 imsat_data_rows(s->data), err);
    if (st == IMSAT_OK && args->outliers)
        st = create_outliers(s, args->outliers, format, err);
    return st;
}

static imsat_status commit(sink *s, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    if (s->join)
        st = imsat_join_commit(s->join, err);
    if (st == IMSAT_OK && s->confidences)
        st = imsat_output_commit(s->confidences, err);
    if (st == IMSAT_OK && s->outliers)
        st = imsat_output_commit(s->outliers, err);
    return st;
}

/* ---- the whole --------------------------------------------------------------------- */

int cli_confidence_asked(const cli_args *args)
{
    return args->join || args->confidence || args->outliers;
}

int cli_confidence_check(const cli_command *command, const cli_args *args,
                         const imsat_model *model)
{
    const char *const option = args->join         ? "--join"
                               : args->confidence ? "--confidence"
                                                  : "--outliers";
    if (cli_confidence_asked(args) && imsat_model_task(model) == IMSAT_TASK_HASH)
        return cli_usage(command, "%s is for labels, but the model makes codes", option);
    if (!(args->confidence || args->outliers) || imsat_model_has_confidence(model))
        return CLI_OK;
    cli_say(command,
            "the model keeps none of its training data to compare rows with, which %s needs: "
            "it is of a version before; train it again",
            args->confidence ? "--confidence" : "--outliers");
    return CLI_FAILED;
}

/* Tell of rows unlike the training data, if they are more than chance has. */
static void tell(const cli_command *command, const sink *s)
{
    const size_t rows = imsat_data_rows(s->data);
    if (s->found > rows / UNUSUAL)
        cli_say(
            command,
            "note: %zu of %zu rows are unlike the training data, farther from it than %.3g "
            "of its own radii; nothing is known of their labels",
            s->found, rows, imsat_model_outlier_distance(s->model));
}

imsat_status cli_confidence_write(const cli_command *command, const cli_args *args,
                                  const imsat_model *model, const imsat_data *data,
                                  const char *const *paths, size_t npaths,
                                  const imsat_options *options, imsat_error *err)
{
    sink s = {.model = model, .data = data, .options = options};
    imsat_status st = create(&s, args, paths, npaths, err);
    if (st == IMSAT_OK)
        st = imsat_predict_stream(model, data, take, &s, (int)options->threads, err);
    if (s.status != IMSAT_OK) {
        st = s.status;
        *err = s.why;
    }
    if (st == IMSAT_OK)
        st = commit(&s, err);
    if (st == IMSAT_OK && !args->quiet)
        tell(command, &s);
    clear(&s);
    return st;
}
