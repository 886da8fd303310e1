/* SPDX-License-Identifier: MIT
 * What `imsat cluster` and `imsat hash` tell of their result: for a person, as JSON, and as
 * warnings. */
#include "cli.h"

#include <math.h>

enum { COLUMNS = 79 };

size_t cli_outputs(const imsat_options *options)
{
    return options->task == IMSAT_TASK_HASH ? options->bits : options->k;
}

static int is_hash(const cli_outcome *outcome)
{
    return outcome->args->options.task == IMSAT_TASK_HASH;
}

/* Smallest and largest cluster of a run; or the bits that are set least and most often. */
static void size_range(size_t *min, size_t *max, const cli_outcome *outcome, size_t run)
{
    const size_t k = cli_outputs(&outcome->args->options), *sizes = outcome->sizes + run * k;
    *min = *max = sizes[0];
    for (size_t j = 1; j < k; j++) {
        *min = sizes[j] < *min ? sizes[j] : *min;
        *max = sizes[j] > *max ? sizes[j] : *max;
    }
}

/* Whether the method has the options of a network. */
static int trains_network(const imsat_options *options)
{
    return imsat_option_used(imsat_option_named("init_output"), options->method,
                             options->task);
}

static const imsat_run *run_of(const cli_outcome *outcome, size_t i)
{
    return imsat_result_run(outcome->result, i);
}

static int has_term(const cli_outcome *outcome, imsat_term term)
{
    const imsat_options *options = outcome->result->used;
    return imsat_method_has_term(options->method, options->task, term);
}

/* ---- text ------------------------------------------------------------------------- */

static void print_setting(FILE *out, const cli_outcome *outcome)
{
    const imsat_result *result = outcome->result;
    const imsat_options *options = result->used;
    fprintf(out, "data       %zu x %zu", imsat_data_rows(outcome->data),
            imsat_data_dim(outcome->data));
    if (outcome->args->files.count > 1)
        fprintf(out, " (%zu files)", outcome->args->files.count);
    fprintf(out, "\nmethod     %s, preset %s\n", options->method,
            imsat_preset_name(options->preset));
    if (trains_network(options)) {
        fprintf(out, "network    %zu-", imsat_data_dim(outcome->data));
        for (size_t i = 0; i < options->hidden_count; i++)
            fprintf(out, "%zu-", options->hidden[i]);
        fprintf(out, "%zu\n", cli_outputs(options));
    }
    if (result->radius.method == IMSAT_RADIUS_APPROX)
        fprintf(out, "radius     approximate, %.2f %% too large on average\n",
                100 * result->radius.error);
    fprintf(out, "training   %zu run%s, seed %llu", result->runs, result->runs > 1 ? "s" : "",
            (unsigned long long)run_of(outcome, 0)->seed);
    if (result->runs > 1)
        fprintf(out, " to %llu", (unsigned long long)run_of(outcome, result->runs - 1)->seed);
    fprintf(out, ", %.1f s\n\n", result->seconds_radius + result->seconds_train);
}

/* What is told of a run of clusters, and of one of codes. */
static void print_cluster_run(FILE *out, const cli_outcome *outcome, size_t i)
{
    size_t min, max;
    size_range(&min, &max, outcome, i);
    if (has_term(outcome, IMSAT_TERM_MARGINAL_KL))
        fprintf(out, "  %11.5f", run_of(outcome, i)->term[IMSAT_TERM_MARGINAL_KL]);
    fprintf(out, "  %8zu  %7zu", min, max);
    if (outcome->scores)
        fprintf(out, "  %.4f", outcome->scores[i].acc);
}

static void print_hash_run(FILE *out, const cli_outcome *outcome, size_t i)
{
    const double *term = run_of(outcome, i)->term;
    const double n = (double)imsat_data_rows(outcome->data);
    size_t min, max;
    size_range(&min, &max, outcome, i);
    if (has_term(outcome, IMSAT_TERM_PAIR_INFO))
        fprintf(out, "  %11.4f  %10.4f",
                term[IMSAT_TERM_MARG_ENTROPY] - term[IMSAT_TERM_COND_ENTROPY],
                term[IMSAT_TERM_PAIR_INFO] / 2);
    fprintf(out, "  %5.1f to %.1f %%", 100 * (double)min / n, 100 * (double)max / n);
}

/* A method that trains by epochs counts these, another counts rounds. */
static void print_runs_head(FILE *out, const cli_outcome *outcome)
{
    const imsat_options *used = outcome->result->used;
    const int epochs =
        imsat_option_used(imsat_option_named("epochs"), used->method, used->task);
    fprintf(out, "   run  seed  %s  objective", epochs ? "epochs" : "rounds");
    if (has_term(outcome, IMSAT_TERM_PAIR_INFO))
        fputs("  information  redundancy", out);
    if (has_term(outcome, IMSAT_TERM_MARGINAL_KL))
        fputs("  marginal KL", out);
    fputs(is_hash(outcome) ? "  rows with a bit set" : "  smallest  largest", out);
    fputs(outcome->truth.labels ? "     ACC\n" : "\n", out);
}

static void print_runs(FILE *out, const cli_outcome *outcome)
{
    const imsat_result *result = outcome->result;
    print_runs_head(out, outcome);
    for (size_t i = 0; i < result->runs; i++) {
        const imsat_run *run = run_of(outcome, i);
        fprintf(out, " %c %3zu  %4llu  %6zu  %9.4f",
                i == result->best && result->runs > 1 ? '*' : ' ', i + 1,
                (unsigned long long)run->seed, run->epochs, run->objective);
        (is_hash(outcome) ? print_hash_run : print_cluster_run)(out, outcome, i);
        fputc('\n', out);
    }
    if (result->runs > 1)
        fprintf(out, " * kept: %s\nagreement between runs %.2f (%s)\n",
                result->used->consensus ? "the consensus, taught by the runs before it"
                                        : "the lowest objective over all data",
                result->agreement,
                is_hash(outcome) ? "mean pairwise correlation of code distances; 1 = same "
                                   "neighbors every time"
                                 : "mean pairwise adjusted Rand index; 1 = same clusters "
                                   "every time");
    if (has_term(outcome, IMSAT_TERM_PAIR_INFO))
        fprintf(out,
                "information is what the bits tell of the data one by one, of at most %.4f "
                "nats;\nredundancy is what pairs of bits share\n",
                log(2) * (double)outcome->args->options.bits);
    fputc('\n', out);
}

static void print_sizes(FILE *out, const cli_outcome *outcome)
{
    const size_t k = outcome->args->options.k;
    const size_t *sizes = outcome->sizes + outcome->result->best * k;
    int column = fprintf(out, "cluster sizes");
    for (size_t j = 0; j < k; j++) {
        char number[24];
        const int width = snprintf(number, sizeof number, " %zu", sizes[j]);
        if (column + width > COLUMNS) {
            fputs("\n             ", out);
            column = 13;
        }
        column += fprintf(out, "%s", number);
    }
    fputc('\n', out);
}

static void print_files(FILE *out, const cli_outcome *outcome)
{
    const cli_args *args = outcome->args;
    if (args->output)
        fprintf(out, "model written to %s\n", args->output);
    if (args->labels)
        fprintf(out, "labels written to %s\n", args->labels);
    if (args->codes_file)
        fprintf(out, "codes written to %s, %s significant bit first\n", args->codes_file,
                args->codes.order == IMSAT_LSB_FIRST ? "least" : "most");
    if (args->proba_file)
        fprintf(out, "probabilities written to %s\n", args->proba_file);
    if (args->log && !outcome->log_failed)
        fprintf(out, "log written to %s\n", args->log);
    if (args->page)
        fprintf(out, "report written to %s\n", args->page);
    if (!args->output && !args->quiet)
        fprintf(out, "The model was not kept; -o MODEL saves it for 'imsat predict'.\n");
}

void cli_report_print(FILE *out, const cli_outcome *outcome)
{
    print_setting(out, outcome);
    print_runs(out, outcome);
    if (!is_hash(outcome))
        print_sizes(out, outcome);
    if (outcome->scores)
        cli_score_print(out, &outcome->scores[outcome->result->best]);
    print_files(out, outcome);
}

/* ---- JSON ------------------------------------------------------------------------- */

static cli_json *run_json(const cli_outcome *outcome, size_t i)
{
    const imsat_run *run = run_of(outcome, i);
    cli_json *object = cli_json_new();
    cli_json_count(object, "seed", run->seed);
    cli_json_count(object, "epochs", run->epochs);
    cli_json_number(object, "objective", run->objective);
    cli_json_terms(object, outcome->result->used->method, outcome->result->used->task,
                   run->term, run->mu);
    if (outcome->scores)
        cli_json_number(object, "acc", outcome->scores[i].acc);
    return object;
}

/* The kept run: its numbers and terms. */
static void best_json(cli_json *object, const cli_outcome *outcome)
{
    const imsat_result *result = outcome->result;
    const imsat_run *best = run_of(outcome, result->best);
    const size_t k = cli_outputs(&outcome->args->options);
    const size_t *sizes = outcome->sizes + result->best * k;
    cli_json_count(object, "epochs", best->epochs);
    cli_json_number(object, "seconds", result->seconds_radius + result->seconds_train);
    cli_json_number(object, "seconds_radius", result->seconds_radius);
    cli_json_number(object, "seconds_train", result->seconds_train);
    cli_json_number(object, "objective", best->objective);
    cli_json_terms(object, result->used->method, result->used->task, best->term, best->mu);
    if (has_term(outcome, IMSAT_TERM_MARGINAL_KL))
        cli_json_number(object, "delta", result->used->delta);
    cli_json_counts(object, is_hash(outcome) ? "ones" : "sizes", sizes, k);
    if (outcome->scores)
        cli_score_json(object, &outcome->scores[result->best]);
}

cli_json *cli_report_json(const cli_outcome *outcome)
{
    const imsat_result *result = outcome->result;
    const imsat_options *options = result->used;
    cli_json *object = cli_json_new();
    cli_json_text(object, "method", options->method);
    cli_json_text(object, "preset", imsat_preset_name(options->preset));
    cli_json_count(object, "seed", options->seed);
    cli_json_count(object, "n", imsat_data_rows(outcome->data));
    cli_json_count(object, "dim", imsat_data_dim(outcome->data));
    cli_json_count(object, is_hash(outcome) ? "bits" : "k", cli_outputs(options));
    if (trains_network(options))
        cli_json_counts(object, "hidden", options->hidden, options->hidden_count);
    best_json(object, outcome);
    if (result->radius.method != IMSAT_RADIUS_AUTO) {
        cli_json_text(object, "radius_method",
                      imsat_radius_method_name(result->radius.method));
        cli_json_number(object, "radius_error", result->radius.error);
    }
    if (result->runs > 1) {
        cli_json_count(object, "best", result->best);
        if (result->used->consensus)
            cli_json_text(object, "kept", "consensus");
        cli_json_number(object, "agreement", result->agreement);
        for (size_t i = 0; i < result->runs; i++)
            cli_json_append(object, "runs", run_json(outcome, i));
    }
    cli_json_text(object, "version", imsat_version());
    return object;
}

/* ---- warnings ---------------------------------------------------------------------- */

static void warn_clusters(const cli_command *command, const cli_outcome *outcome)
{
    const imsat_options *options = &outcome->args->options;
    const imsat_result *result = outcome->result;
    const double kl = run_of(outcome, result->best)->term[IMSAT_TERM_MARGINAL_KL];
    const double delta = result->used->delta;
    const size_t *sizes = outcome->sizes + result->best * options->k;
    size_t empty = 0;
    for (size_t j = 0; j < options->k; j++)
        empty += sizes[j] == 0;

    if (has_term(outcome, IMSAT_TERM_MARGINAL_KL) && options->mu >= IMSAT_AUTO && kl > delta)
        cli_say(command,
                "warning: the cluster sizes are further from the prior (KL %.4f) than was "
                "asked for (%.4f); try more --epochs, or allow it by a larger --delta",
                kl, delta);
    if (result->runs > 1 && result->agreement < 0.6)
        cli_say(command,
                "warning: the runs disagree (agreement %.2f), so other clusters are as "
                "likely; try more --runs or --epochs, or another -k",
                result->agreement);
    if (outcome->structure == 0)
        cli_say(command,
                "warning: rows without clusters would be separated as well (%.2f) as these "
                "(%.2f), so these clusters may be cuts through one cloud; try another -k, or "
                "'imsat compare'",
                outcome->without, outcome->information);
    if (empty)
        cli_say(command,
                "warning: %zu of %zu clusters are empty; try a smaller -k or more --epochs",
                empty, options->k);
}

static void warn_codes(const cli_command *command, const cli_outcome *outcome)
{
    const size_t bits = outcome->args->options.bits, n = imsat_data_rows(outcome->data);
    const size_t *ones = outcome->sizes + outcome->result->best * bits;
    size_t constant = 0;
    for (size_t d = 0; d < bits; d++)
        constant += ones[d] == 0 || ones[d] == n;
    if (constant)
        cli_say(command,
                "warning: %zu of %zu bits are the same for every row; try fewer -b or more "
                "--epochs",
                constant, bits);
}

void cli_report_warn(const cli_command *command, const cli_outcome *outcome)
{
    if (outcome->result->note)
        cli_say(command, "warning: %s", outcome->result->note);
    (is_hash(outcome) ? warn_codes : warn_clusters)(command, outcome);
}
