/* SPDX-License-Identifier: MIT
 *
 * imsat predict MODEL DATA... : labels or probabilities, to a .npy file or as text.
 *
 * Results are written as they are made, so memory does not grow with the number of rows. A
 * signal stops between two pieces; a file that was begun is then removed.
 */
#include "cli.h"

/* Where results go. */
typedef struct sink {
    const imsat_options *options; /* threads, and progress if it is to be told */
    int proba;                    /* probabilities, not labels */
    size_t rows, k;
    imsat_npy *file;     /* NULL: text on stdout */
    imsat_status status; /* of writing to file, and why it failed */
    imsat_error why;
} sink;

/* One label a line. */
static void print_labels(const int32_t *labels, size_t n)
{
    for (size_t i = 0; i < n && !ferror(stdout); i++)
        printf("%d\n", (int)labels[i]);
}

/* CSV with 9 digits, enough to read back the same floats. */
static void print_proba(const float *proba, size_t n, size_t k)
{
    for (size_t i = 0; i < n && !ferror(stdout); i++)
        for (size_t j = 0; j < k; j++)
            printf("%.9g%c", (double)proba[i * k + j], j + 1 < k ? ',' : '\n');
}

static int take(void *user, size_t first, size_t count, const int32_t *labels,
                const float *proba)
{
    sink *s = user;
    const imsat_options *options = s->options;
    const imsat_progress now = {.stage = "predict",
                                .fraction = (double)(first + count) / (double)s->rows};
    if (s->file)
        s->status =
            imsat_npy_append(s->file, s->proba ? (const void *)proba : labels, count, &s->why);
    else if (s->proba)
        print_proba(proba, count, s->k);
    else
        print_labels(labels, count);
    return s->status != IMSAT_OK || (!s->file && ferror(stdout)) ||
           (options->progress && options->progress(options->progress_user, &now));
}

static sink make_sink(int proba, const imsat_model *model, const imsat_data *data,
                      const imsat_options *options)
{
    return (sink){.options = options,
                  .proba = proba,
                  .rows = imsat_data_rows(data),
                  .k = imsat_model_clusters(model)};
}

static imsat_status run(sink *s, const imsat_model *model, const imsat_data *data,
                        imsat_error *err)
{
    const imsat_status st =
        imsat_predict_stream(model, data, take, s, s->options->threads, err);
    if (s->status == IMSAT_OK)
        return st;
    *err = s->why;
    return s->status;
}

imsat_status cli_predict_file(const char *path, int proba, const imsat_model *model,
                              const imsat_data *data, const imsat_options *options,
                              imsat_error *err)
{
    sink s = make_sink(proba, model, data, options);
    imsat_status st =
        imsat_npy_create(&s.file, path, proba ? IMSAT_NPY_FLOAT32 : IMSAT_NPY_INT32, s.rows,
                         proba ? s.k : 0, err);
    if (st == IMSAT_OK)
        st = run(&s, model, data, err);
    if (st == IMSAT_OK)
        st = imsat_npy_commit(s.file, err);
    imsat_npy_free(s.file);
    return st;
}

static imsat_status predict_text(int proba, const imsat_model *model, const imsat_data *data,
                                 const imsat_options *options, imsat_error *err)
{
    sink s = make_sink(proba, model, data, options);
    const imsat_status st = run(&s, model, data, err);
    /* Whether a reader is gone or stdout failed is for cli_flush() to say. */
    return st == IMSAT_ESTOPPED && ferror(stdout) ? IMSAT_OK : st;
}

static int predict(const cli_command *command, cli_args *args, const imsat_model *model,
                   const imsat_data *data)
{
    imsat_options *options = &args->options;
    cli_progress progress;
    imsat_error err;
    cli_progress_start(&progress, options, !args->output); /* text is progress enough */
    progress.quiet = 1; /* a line on a terminal, and nothing elsewhere */
    cli_signals_catch();
    const imsat_status st =
        args->output ? cli_predict_file(args->output, args->proba, model, data, options, &err)
                     : predict_text(args->proba, model, data, options, &err);
    cli_progress_finish(&progress, st == IMSAT_OK);
    if (st == IMSAT_ESTOPPED && cli_signal_caught()) {
        cli_say(command, "stopped by %s%s", cli_signal_name(),
                args->output ? "; nothing was written" : "");
        return 128 + cli_signal_caught();
    }
    return st == IMSAT_OK ? CLI_OK : cli_failed(command, &err);
}

int cli_predict(const cli_command *command, cli_args *args)
{
    imsat_model *model = NULL;
    imsat_data *data = NULL;
    imsat_error err;

    imsat_status st = args->output ? imsat_writable(args->output, &err) : IMSAT_OK;
    if (st == IMSAT_OK)
        st = imsat_model_load(&model, args->files.items[0], &err);
    if (st == IMSAT_OK)
        st = imsat_data_open(&data, args->files.items + 1, args->files.count - 1, &args->data,
                             &err);
    const int code =
        st == IMSAT_OK ? predict(command, args, model, data) : cli_failed(command, &err);
    imsat_data_free(data);
    imsat_model_free(model);
    return code;
}
