/* SPDX-License-Identifier: MIT
 *
 * imsat compare DATA... -k K
 *
 * A table of methods and what they are worth, one sentence, and the command to run. */
#include "cli.h"

#include "imsat/choice.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
    const cli_command *command;
    cli_args *args;
    imsat_data *data;
    cli_truth truth;
    imsat_comparison *found;
    imsat_cluster_score *scores; /* (methods), or NULL */
} work;

/* ---- the command to run --------------------------------------------------------------- */

/* A word as a shell reads it. */
static void print_word(FILE *out, const char *word)
{
    const char *plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:=+-";
    if (*word && !word[strspn(word, plain)]) {
        fputs(word, out);
        return;
    }
    fputc('\'', out);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (char[2]){*word, '\0'}, out);
    fputc('\'', out);
}

/* Whether `cluster` has the option, too, and it says how rows are read and prepared. */
static int is_carried(const cli_option *option)
{
    const cli_command *cluster = NULL;
    for (size_t i = 0; i < cli_commands_count; i++)
        if (strcmp(cli_commands[i].name, "cluster") == 0)
            cluster = &cli_commands[i];
    for (size_t g = 0; cluster && cluster->groups[g]; g++)
        if (option >= cluster->groups[g]->options &&
            option < cluster->groups[g]->options + cluster->groups[g]->count)
            return 1;
    return strcmp(option->name, "seed") == 0 || strcmp(option->name, "preset") == 0;
}

static void print_command(FILE *out, const work *w)
{
    const imsat_comparison *found = w->found;
    const char *method = imsat_comparison_method(found, found->best)->method;
    fputs("imsat cluster", out);
    for (size_t i = 0; i < w->args->files.count; i++) {
        fputc(' ', out);
        print_word(out, w->args->files.items[i]);
    }
    for (size_t i = 0; i < w->args->given_count; i++) {
        const cli_given *given = &w->args->given[i];
        if (!is_carried(given->option))
            continue;
        fprintf(out, " --%s%s", given->option->toggle && given->value ? "no-" : "",
                given->option->name);
        if (given->option->argument) {
            fputc(' ', out);
            print_word(out, given->value);
        }
    }
    fprintf(out, " -k %zu --method %s%s\n", found->k, method,
            imsat_option_used(imsat_option_named("epochs"), method, IMSAT_TASK_CLUSTER)
                ? " --runs 5"
                : "");
}

/* ---- text ----------------------------------------------------------------------------- */

static void print_number(FILE *out, int width, double value)
{
    if (isnan(value))
        fprintf(out, "  %*s", width, "-");
    else
        fprintf(out, "  %*.2f", width, value);
}

/* The larger of both kinds of rows without clusters. */
static double without(const imsat_compared *m)
{
    const double a = m->null[IMSAT_NULL_NORMAL]->information;
    const double b = m->null[IMSAT_NULL_UNIFORM]->information;
    return a > b || isnan(b) ? a : b;
}

static void print_method(FILE *out, const work *w, size_t i)
{
    const imsat_compared *m = imsat_comparison_method(w->found, i);
    fprintf(out, " %c %-16s", i == w->found->best ? '*' : ' ', m->method);
    if (m->left_out) {
        fprintf(out, "  left out: %s\n", m->left_out);
        return;
    }
    print_number(out, 11, m->data->information);
    print_number(out, 7, without(m));
    print_number(out, 8, m->data->strength);
    print_number(out, 10, m->data->silhouette);
    print_number(out, 5, m->data->seeds);
    print_number(out, 5, m->data->rows);
    print_number(out, 6, m->agreement);
    if (w->scores)
        fprintf(out, "  %.3f  %.3f  %.3f", w->scores[i].acc, w->scores[i].nmi,
                w->scores[i].ari);
    fputc('\n', out);
}

static void print_all(FILE *out, const work *w)
{
    const imsat_comparison *found = w->found;
    fprintf(out, "data       %zu x %zu", imsat_data_rows(w->data), imsat_data_dim(w->data));
    if (found->rows < imsat_data_rows(w->data))
        fprintf(out, ", of which %zu rows", found->rows);
    fprintf(out, "\nclusters   %zu\ntime       %.1f s of %.0f\n\n", found->k, found->seconds,
            cli_budget(w->args));
    fprintf(out,
            "   method            information  without  strength  silhouette  seeds   rows  "
            "others%s\n",
            w->scores ? "    ACC    NMI    ARI" : "");
    for (size_t i = 0; i < found->methods; i++)
        print_method(out, w, i);
    fprintf(
        out,
        "information: the share of a label that the labels of neighbors tell; without: the "
        "same\nof rows without clusters; strength: whether halves of the rows find the same "
        "clusters;\nseeds, rows, others: agreement of runs, with half of the rows, with the "
        "other methods\n\n%s\n",
        found->sentence);
    if (found->best < found->methods)
        print_command(out, w);
    else
        fprintf(out, "Other numbers of clusters: imsat compare with -k 2-12.\n");
}

/* ---- JSON ----------------------------------------------------------------------------- */

static cli_json *measures_json(const imsat_measures *m)
{
    const struct {
        const char *name;
        double value;
    } number[] = {
        {"information", m->information}, {"nats", m->nats},   {"silhouette", m->silhouette},
        {"strength", m->strength},       {"seeds", m->seeds}, {"rows", m->rows}};
    cli_json *object = cli_json_new();
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        if (!isnan(number[i].value))
            cli_json_number(object, number[i].name, number[i].value);
    return object;
}

static cli_json *method_json(const work *w, size_t i)
{
    const imsat_compared *m = imsat_comparison_method(w->found, i);
    cli_json *object = cli_json_new();
    cli_json_text(object, "method", m->method);
    if (m->left_out) {
        cli_json_text(object, "left_out", m->left_out);
        return object;
    }
    cli_json_member(object, "data", measures_json(m->data));
    for (size_t kind = 0; kind < IMSAT_NULLS; kind++)
        cli_json_member(object, imsat_null_name((imsat_null)kind),
                        measures_json(m->null[kind]));
    if (!isnan(m->agreement))
        cli_json_number(object, "agreement", m->agreement);
    cli_json_number(object, "seconds", m->seconds);
    if (w->scores)
        cli_score_json(object, &w->scores[i]);
    return object;
}

static cli_json *whole_json(const work *w)
{
    const imsat_comparison *found = w->found;
    cli_json *object = cli_json_new();
    cli_json_count(object, "n", imsat_data_rows(w->data));
    cli_json_count(object, "dim", imsat_data_dim(w->data));
    cli_json_count(object, "rows", found->rows);
    cli_json_count(object, "k", found->k);
    cli_json_text(object, "structure", found->structure ? "found" : "none");
    cli_json_number(object, "information", found->information);
    cli_json_number(object, "without", found->without);
    cli_json_number(object, "deviation", found->deviation);
    if (found->normals >= 0)
        cli_json_text(object, "normals", found->normals ? "yes" : "no");
    for (size_t i = 0; i < found->methods; i++)
        cli_json_append(object, "methods", method_json(w, i));
    if (found->best < found->methods)
        cli_json_text(object, "best", imsat_comparison_method(found, found->best)->method);
    cli_json_text(object, "sentence", found->sentence);
    cli_json_number(object, "seconds", found->seconds);
    cli_json_text(object, "version", imsat_version());
    return object;
}

static int write_json(const work *w)
{
    FILE *file = w->args->output ? cli_stream_open(w->args->output, 0) : NULL;
    if (!w->args->output)
        return CLI_OK;
    errno = 0;
    cli_json *object = whole_json(w);
    const int bad = !file || cli_json_line(file, object);
    const int closed = file ? fclose(file) : 0;
    cli_json_free(object);
    if (!bad && !closed)
        return CLI_OK;
    cli_say(w->command, "%s: %s", w->args->output, errno ? strerror(errno) : "no memory");
    return CLI_FAILED;
}

/* ---- the work -------------------------------------------------------------------------- */

static int score(work *w)
{
    const imsat_comparison *found = w->found;
    imsat_error err;
    int code = CLI_OK;
    if (!w->truth.labels)
        return CLI_OK;
    int32_t *truth = calloc(found->rows, sizeof *truth);
    w->scores = calloc(found->methods, sizeof *w->scores);
    if (!truth || !w->scores) {
        cli_say(w->command, "no memory for the scores of %zu methods", found->methods);
        code = CLI_FAILED;
    }
    for (size_t i = 0; code == CLI_OK && i < found->rows; i++)
        truth[i] = w->truth.labels[found->row[i]];
    for (size_t i = 0; code == CLI_OK && i < found->methods; i++) {
        const imsat_compared *m = imsat_comparison_method(found, i);
        if (m->labels &&
            imsat_evaluate_clusters(&w->scores[i], m->labels, truth, found->rows, &err))
            code = cli_failed(w->command, &err);
    }
    free(truth);
    return code;
}

static int compare(work *w)
{
    imsat_error err;
    cli_progress progress;
    cli_progress_start(&progress, &w->args->options, w->args->quiet);
    cli_signals_catch();
    const imsat_status st = imsat_compare(&w->found, w->data, &w->args->options,
                                          w->args->methods, cli_budget(w->args), &err);
    cli_progress_finish(&progress, st == IMSAT_OK);
    if (st == IMSAT_ESTOPPED && cli_signal_caught()) {
        cli_say(w->command, "stopped by %s; nothing was done", cli_signal_name());
        return 128 + cli_signal_caught();
    }
    if (st == IMSAT_EINVAL)
        return cli_usage(w->command, "%s", err.message);
    return st == IMSAT_OK ? CLI_OK : cli_failed(w->command, &err);
}

static int report(const work *w)
{
    const int code = write_json(w);
    if (code != CLI_OK)
        return code;
    if (w->args->json)
        return cli_json_finish(w->command, w->args, whole_json(w));
    print_all(w->args->report, w);
    return CLI_OK;
}

static int open_inputs(work *w)
{
    imsat_error err;
    if (cli_data_open(w->command, w->args, &w->data, &err))
        return cli_failed(w->command, &err);
    int code = cli_truth_read(&w->truth, w->command, w->args, w->data);
    if (code == CLI_OK)
        code = cli_note_scales(w->command, w->args, w->data);
    return code;
}

int cli_compare(const cli_command *command, cli_args *args)
{
    work w = {.command = command, .args = args};
    if (args->options.k == 0 && args->k_from == 0)
        return cli_usage(command,
                         "the number of clusters, -k K, or a range of them, -k 2-12, must be "
                         "given");
    int code = open_inputs(&w);
    if (code == CLI_OK)
        code = cli_choose_k(args->json ? stderr : args->report, command, args, w.data);
    if (code == CLI_OK && args->options.k) {
        code = compare(&w);
        if (code == CLI_OK)
            code = score(&w);
        if (code == CLI_OK)
            code = report(&w);
    }
    free(w.scores);
    imsat_comparison_free(w.found);
    cli_truth_clear(&w.truth);
    imsat_data_free(w.data);
    return code;
}
