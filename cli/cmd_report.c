/* SPDX-License-Identifier: MIT
 *
 * imsat report MODEL DATA... -o PAGE.html: what a model found, as a page to look at. `cluster`
 * and `hash` write the same page by --report.
 */
#include "cli.h"

imsat_status cli_page_file(const char *path, const cli_args *args, const imsat_model *model,
                           const imsat_data *data, cli_list files, imsat_report_options about,
                           imsat_error *err)
{
    about.size = sizeof about;
    about.title = args->title;
    about.paths = files.items;
    about.npaths = files.count;
    about.text_column = args->texts.text_column;
    about.most_bytes = args->max_size;
    about.map_rows = args->map_rows;
    return imsat_report_write(path, model, data, &about, err);
}

/* What the command holds. */
typedef struct work {
    const cli_command *command;
    cli_args *args;
    imsat_model *model;
    imsat_data *data;
    cli_truth truth;
} work;

/* As the model had its rows. */
static imsat_status open_rows(work *w, imsat_error *err)
{
    const cli_args *args = w->args;
    imsat_table_options tables = args->tables;
    tables.size = sizeof tables;
    imsat_status st = imsat_model_open_table(&w->data, w->model, args->files.items + 1,
                                             args->files.count - 1, &args->data, &tables,
                                             args->texts.text_column, err);
    if (st == IMSAT_OK)
        cli_notes(w->command, args, w->data);
    if (st == IMSAT_OK)
        st = imsat_data_widen(w->data, imsat_model_dim(w->model), err);
    return st;
}

static int write_page(const work *w)
{
    cli_args *args = w->args;
    imsat_options *options = &args->options;
    const cli_list files = {args->files.items + 1, args->files.count - 1};
    cli_progress progress;
    imsat_error err;
    cli_progress_start(&progress, options, args->quiet);
    cli_signals_catch();
    const imsat_report_options about = {.truth = w->truth.labels,
                                        .classes = w->truth.words,
                                        .seed = options->seed,
                                        .threads = (int)options->threads,
                                        .progress = options->progress,
                                        .progress_user = options->progress_user};
    const imsat_status st =
        cli_page_file(args->output, args, w->model, w->data, files, about, &err);
    cli_progress_finish(&progress, st == IMSAT_OK);
    if (st == IMSAT_ESTOPPED && cli_signal_caught()) {
        cli_say(w->command, "stopped by %s%s", cli_signal_name(), cli_stopped_output(args));
        return 128 + cli_signal_caught();
    }
    if (st != IMSAT_OK)
        return cli_failed(w->command, &err);
    fprintf(args->report, "report written to %s\n", args->output);
    return CLI_OK;
}

int cli_page(const cli_command *command, cli_args *args)
{
    work w = {.command = command, .args = args};
    imsat_error err;
    if (!args->output)
        return cli_usage(command, "the page to write, -o PAGE.html, must be given");
    imsat_status st = imsat_model_load(&w.model, args->files.items[0], &err);
    if (st == IMSAT_OK)
        st = open_rows(&w, &err);
    int code = st == IMSAT_OK ? cli_truth_read(&w.truth, command, args, w.data)
                              : cli_failed(command, &err);
    if (code == CLI_OK)
        code = write_page(&w);
    cli_truth_clear(&w.truth);
    imsat_data_free(w.data);
    imsat_model_free(w.model);
    return code;
}
