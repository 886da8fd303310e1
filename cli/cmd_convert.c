/* SPDX-License-Identifier: MIT
 *
 * imsat convert DATA... OUT
 *
 * Data in another format, and how data is written by those that make it ('imsat features').
 */
#include "cli.h"

int cli_data_check(const cli_command *command, const cli_args *args, const char *path)
{
    const imsat_output_format *format = NULL;
    imsat_error err;
    int code = CLI_OK;
    if (imsat_output_format_find(&format, path, cli_rows_format(args), &err) != IMSAT_OK)
        return cli_usage(command, "%s; --format says it for any name", err.message);
    if (args->labels)
        code = cli_rows_check(command, "--labels", args->labels, NULL);
    if (code == CLI_OK && args->documents)
        code = cli_rows_check(command, "--documents", args->documents, NULL);
    return code;
}

static imsat_status write_labels(const cli_args *args, const imsat_data *data,
                                 imsat_error *err)
{
    const int32_t *labels = imsat_data_labels(data);
    if (!args->labels)
        return IMSAT_OK;
    if (labels)
        return imsat_labels_write(args->labels, NULL, labels, imsat_data_rows(data), err);
    cli_refuse(
        err,
        "%s: there are no labels: the files are in one folder, or do not have them, and "
        "no label column is given",
        args->labels);
    return IMSAT_EINVAL;
}

/* Labels that the format has no place for are not lost without a word. */
static void tell_labels(const cli_command *command, const cli_args *args, const char *path,
                        const imsat_data *data)
{
    const imsat_output_format *format = NULL;
    imsat_error err;
    if (!args->quiet && imsat_data_labels(data) && !args->labels &&
        imsat_output_format_find(&format, path, cli_rows_format(args), &err) == IMSAT_OK &&
        !imsat_output_has_labels(format))
        cli_say(command, "note: %s has no place for the labels; --labels FILE writes them",
                path);
}

static int report(const cli_command *command, const cli_args *args, const char *path,
                  const imsat_data *data)
{
    const size_t n = imsat_data_rows(data);
    size_t largest = 0;
    const size_t classes = cli_count_classes(imsat_data_labels(data), n, &largest);
    const double share = (double)largest / (double)n;
    if (args->json) {
        cli_json *object = cli_json_new();
        cli_json_text(object, "output", path);
        cli_json_count(object, "rows", n);
        cli_json_count(object, "dim", imsat_data_dim(data));
        cli_json_text(object, "features", imsat_data_describe(data, 0));
        if (classes) {
            cli_json_count(object, "classes", classes);
            cli_json_number(object, "largest_class", share);
        }
        return cli_json_finish(command, args, object);
    }
    fprintf(args->report, "%s: %zu x %zu", path, n, imsat_data_dim(data));
    if (classes)
        fprintf(args->report, ", %zu classes, the largest %.1f %%", classes, 100 * share);
    fprintf(args->report, "\n");
    return CLI_OK;
}

/* Write the data; Ctrl-C leaves no file. */
static imsat_status write_data(cli_args *args, const char *path, const imsat_data *data,
                               imsat_error *err)
{
    imsat_options *options = &args->options;
    cli_progress progress;
    cli_progress_start(&progress, options,
                       1); /* a line on a terminal, and nothing elsewhere */
    cli_signals_catch();
    const imsat_status st = imsat_data_write(path, cli_rows_format(args), data,
                                             options->progress, options->progress_user, err);
    cli_progress_finish(&progress, st == IMSAT_OK);
    return st;
}

int cli_data_save(const cli_command *command, cli_args *args, const char *path,
                  const imsat_data *data, imsat_status st, imsat_error *err)
{
    if (st == IMSAT_OK)
        st = write_data(args, path, data, err);
    if (st == IMSAT_OK)
        st = write_labels(args, data, err);
    if (st == IMSAT_ESTOPPED && cli_signal_caught()) {
        cli_say(command, "stopped by %s%s", cli_signal_name(),
                cli_is_stream(path) ? "; the output is not whole" : "; nothing was written");
        return 128 + cli_signal_caught();
    }
    if (st != IMSAT_OK)
        return cli_failed(command, err);
    tell_labels(command, args, path, data);
    return CLI_OK;
}

int cli_data_finish(const cli_command *command, cli_args *args, const char *path,
                    imsat_data *data, imsat_status st, imsat_error *err)
{
    int code = cli_data_save(command, args, path, data, st, err);
    if (code == CLI_OK)
        code = report(command, args, path, data);
    imsat_data_free(data);
    return code;
}

int cli_convert(const cli_command *command, cli_args *args)
{
    const char *path = args->files.items[args->files.count - 1];
    imsat_data *data = NULL;
    imsat_error err;
    const int code = cli_data_check(command, args, path);
    if (code != CLI_OK)
        return code;
    args->files.count--; /* the others are the data */
    const imsat_status st = cli_data_open(command, args, &data, &err);
    return cli_data_finish(command, args, path, data, st, &err);
}
