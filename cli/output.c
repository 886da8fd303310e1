/* SPDX-License-Identifier: MIT
 * The files that `cluster` and `hash` write when the work is done. */
#include "cli.h"

static imsat_status predict_proba(const cli_outcome *outcome, imsat_error *err)
{
    imsat_options options = outcome->args->options;
    options.progress = NULL; /* that of the training, which is over */
    const cli_wish wish = {
        .proba = 1, .format = cli_rows_format(outcome->args), .options = &options};
    return cli_predict_file(outcome->args->proba_file, wish, outcome->model, outcome->data,
                            err);
}

static imsat_status judge_rows(const cli_command *command, const cli_outcome *outcome,
                               imsat_error *err)
{
    imsat_options options = outcome->args->options;
    const cli_list *files = &outcome->args->files;
    options.progress = NULL;
    return cli_confidence_write(command, outcome->args, outcome->model, outcome->data,
                                files->items, files->count, &options, err);
}

static imsat_status write_page(const cli_outcome *outcome, imsat_error *err)
{
    const cli_args *args = outcome->args;
    const int given = outcome->truth.labels != NULL;
    const imsat_report_options about = {
        .truth = given ? outcome->truth.labels : imsat_data_labels(outcome->data),
        .classes = given ? outcome->truth.words : imsat_data_label_words(outcome->data),
        .seed = args->options.seed,
        .threads = (int)args->options.threads};
    return cli_page_file(args->page, args, outcome->model, outcome->data, args->files, about,
                         err);
}

const char *cli_rows_format(const cli_args *args)
{
    return args->format ? cli_output_choice((size_t)args->format) : NULL;
}

imsat_status cli_column_write(const char *path, const char *format, imsat_output_column column,
                              const void *values, size_t rows, imsat_error *err)
{
    imsat_output *file = NULL;
    imsat_status st = imsat_output_create(&file, path, format, &column, 1, rows, err);
    if (st == IMSAT_OK)
        st = imsat_output_append(file, &values, rows, err);
    if (st == IMSAT_OK)
        st = imsat_output_commit(file, err);
    imsat_output_free(file);
    return st;
}

/* Say of one output that it failed; the exit code so far. */
static int report(const cli_command *command, imsat_status st, const imsat_error *err,
                  int code)
{
    return st == IMSAT_OK ? code : cli_failed(command, err);
}

int cli_outputs_write(const cli_command *command, const cli_outcome *outcome)
{
    const cli_args *args = outcome->args;
    const imsat_result *result = outcome->result;
    const size_t bits = result->used->bits;
    const uint8_t *codes =
        result->codes ? result->codes + result->best * result->rows * imsat_code_bytes(bits)
                      : NULL;
    imsat_error err;
    int code = CLI_OK;
    if (args->output)
        code =
            report(command, imsat_model_save(outcome->model, args->output, &err), &err, code);
    if (args->labels)
        code = report(command,
                      imsat_labels_write(args->labels, cli_rows_format(args),
                                         result->labels + result->best * result->rows,
                                         imsat_data_rows(outcome->data), &err),
                      &err, code);
    if (args->codes_file)
        code = report(command,
                      cli_codes_file(args->codes_file,
                                     (cli_wish){.order = args->codes.order,
                                                .format = cli_rows_format(args)},
                                     codes, result->rows, bits, &err),
                      &err, code);
    if (args->proba_file)
        code = report(command, predict_proba(outcome, &err), &err, code);
    if (cli_confidence_asked(args))
        code = report(command, judge_rows(command, outcome, &err), &err, code);
    if (args->page)
        code = report(command, write_page(outcome, &err), &err, code);
    if (code != CLI_OK)
        cli_say(command, "not all files were written");
    return code;
}
