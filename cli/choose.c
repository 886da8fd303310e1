/* SPDX-License-Identifier: MIT
 *
 * A range of k on the line: the measures of each, as a table and a small plot, and the one
 * that stands out. */
#include "cli.h"

#include "imsat/choice.h"

#include <math.h>

enum { BAR = 30, ROWS_A_CLUSTER = 8 }; /* the least that a cluster is judged by */

double cli_budget(const cli_args *args)
{
    return args->budget ? (double)args->budget : CLI_BUDGET;
}

/* A bar of the strength, 0 to 1. */
static void print_bar(FILE *out, double strength)
{
    const int length = strength > 0 ? (int)(strength * BAR + 0.5) : 0;
    for (int i = 0; i < length; i++)
        fputc('#', out);
}

static void print_rows(FILE *out, const imsat_k_choice *choice)
{
    fprintf(out, "     k  method    information  without  strength\n");
    for (size_t i = 0; i < choice->count; i++) {
        const imsat_k_row *row = imsat_k_choice_row(choice, i);
        fprintf(out, " %c %3zu  %-8s  %11.3f  %7.3f  %8.2f  ", choice->k == row->k ? '*' : ' ',
                row->k, row->method ? row->method : "none", row->information, row->without,
                row->strength);
        print_bar(out, row->strength);
        fputc('\n', out);
    }
    fprintf(
        out,
        "information: the share of a label that the labels of neighbors tell; without: the "
        "same\nof rows without clusters; strength: whether halves of the rows find the same "
        "clusters\n\n%s\n\n",
        choice->sentence);
}

int cli_choose_k(FILE *out, const cli_command *command, cli_args *args, const imsat_data *data)
{
    imsat_k_choice *choice = NULL;
    imsat_error err;
    cli_progress progress;
    if (!args->k_from)
        return CLI_OK;
    if (args->k_auto && imsat_data_rows(data) / ROWS_A_CLUSTER < args->k_to)
        args->k_to = imsat_data_rows(data) / ROWS_A_CLUSTER;
    if (args->k_to < args->k_from)
        args->k_to = args->k_from; /* which the library refuses, and says why */
    cli_progress_start(&progress, &args->options, args->quiet);
    cli_signals_catch();
    const imsat_status st = imsat_choose_k(&choice, data, &args->options, args->k_from,
                                           args->k_to, cli_budget(args), &err);
    cli_progress_finish(&progress, st == IMSAT_OK);
    if (st == IMSAT_ESTOPPED && cli_signal_caught()) {
        cli_say(command, "stopped by %s; nothing was done", cli_signal_name());
        return 128 + cli_signal_caught();
    }
    if (st != IMSAT_OK)
        return cli_failed(command, &err);
    print_rows(out, choice);
    args->options.k = choice->k;
    imsat_k_choice_free(choice);
    return CLI_OK;
}
