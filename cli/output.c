/* SPDX-License-Identifier: MIT
 * The files that `cluster` writes: checked before the work, written after it. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* Every output that the line may name. */
typedef struct output {
    const char *option, *path;
} output;

enum { OUTPUTS = 5 };

static void list_outputs(output list[OUTPUTS], const cli_args *args)
{
    const output all[OUTPUTS] = {
        {"--output", args->output},
        {"--labels", args->labels},
        {"--proba", args->proba_file},
        {"--log", args->log},
        {"--checkpoint", args->options.checkpoint},
    };
    memcpy(list, all, sizeof all);
}

int cli_outputs_check(const cli_command *command, const cli_args *args)
{
    output list[OUTPUTS];
    imsat_error err;
    list_outputs(list, args);
    for (size_t i = 0; i < OUTPUTS; i++)
        for (size_t j = 0; list[i].path && j < i; j++)
            if (list[j].path && strcmp(list[i].path, list[j].path) == 0)
                return cli_usage(command, "%s and %s name the same file, %s", list[j].option,
                                 list[i].option, list[i].path);
    for (size_t i = 0; i < OUTPUTS; i++)
        if (list[i].path && imsat_writable(list[i].path, &err) != IMSAT_OK)
            return cli_failed(command, &err);
    return CLI_OK;
}

static imsat_status write_proba(const cli_outcome *outcome, imsat_error *err)
{
    const size_t n = imsat_data_rows(outcome->data);
    const size_t k = imsat_model_clusters(outcome->model);
    float *proba = calloc(n, k * sizeof *proba);
    imsat_status st = IMSAT_ENOMEM;
    if (!proba)
        cli_refuse(err, "%s: no memory for %zu x %zu probabilities", outcome->args->proba_file,
                   n, k);
    else
        st = imsat_predict(outcome->model, outcome->data, NULL, proba,
                           outcome->args->options.threads, err);
    if (st == IMSAT_OK)
        st = imsat_npy_write_float(outcome->args->proba_file, proba, n, k, err);
    free(proba);
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
    imsat_error err;
    int code = CLI_OK;
    if (args->output)
        code =
            report(command, imsat_model_save(outcome->model, args->output, &err), &err, code);
    if (args->labels)
        code = report(command,
                      imsat_npy_write_int32(args->labels,
                                            result->labels + result->best * result->rows,
                                            imsat_data_rows(outcome->data), &err),
                      &err, code);
    if (args->proba_file)
        code = report(command, write_proba(outcome, &err), &err, code);
    if (code != CLI_OK)
        cli_say(command, "not all files were written");
    return code;
}
