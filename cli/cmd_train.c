/* SPDX-License-Identifier: MIT
 *
 * imsat cluster DATA... -k K
 * imsat hash DATA... -b BITS
 *
 * One command with two faces: what differs is which options there are (table.c), and what is
 * told of the result (report.c).
 *
 * Everything that can be refused is refused before training: outputs, data, truth, prior,
 * radius, options. Files are written when training is over.
 */
#include "cli.h"

#include "imsat/choice.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What the command holds while it works. */
typedef struct work {
    const cli_command *command;
    cli_args *args;
    imsat_data *data;
    double *prior;
    float *radius;
    FILE *log;
    imsat_model *model;
    imsat_result *result;
    cli_outcome outcome;
} work;

/* ---- inputs ----------------------------------------------------------------------- */

static int check_line(const work *w)
{
    const cli_args *args = w->args;
    if (w->command->task == IMSAT_TASK_HASH && args->options.bits == 0)
        return cli_usage(w->command,
                         "the bits of a code, -b BITS, must be given, from 1 to %d",
                         IMSAT_MAX_BITS);
    if (w->command->task == IMSAT_TASK_CLUSTER && args->options.k == 0 && !args->k_from)
        return cli_usage(w->command, "the number of clusters, -k K, must be given, 2 or more; "
                                     "-k auto chooses one");
    if (args->k_from && args->prior)
        return cli_usage(w->command, "--prior is of a number of clusters: give one, by -k N");
    if (cli_join_check(w->command, args) != CLI_OK)
        return CLI_USAGE;
    if (args->options.resume && !args->options.checkpoint)
        return cli_usage(w->command, "--resume needs --checkpoint FILE to resume from");
    return CLI_OK;
}

static int read_prior(work *w)
{
    const size_t k = w->args->options.k;
    size_t count = 0;
    imsat_error err;
    if (!w->args->prior)
        return CLI_OK;
    if (imsat_vector_read(&w->prior, &count, w->args->prior, &err))
        return cli_failed(w->command, &err);
    if (count != k) {
        cli_say(w->command, "%s: a prior of %zu numbers, but -k says %zu clusters",
                w->args->prior, count, k);
        return CLI_FAILED;
    }
    w->args->options.prior = w->prior;
    return CLI_OK;
}

static int read_radius(work *w)
{
    const size_t n = imsat_data_rows(w->data);
    double *values = NULL;
    size_t count = 0;
    imsat_error err;
    if (!w->args->radius)
        return CLI_OK;
    if (imsat_vector_read(&values, &count, w->args->radius, &err))
        return cli_failed(w->command, &err);
    if (count == n)
        w->radius = calloc(n, sizeof *w->radius);
    for (size_t i = 0; w->radius && i < n; i++)
        w->radius[i] = (float)values[i];
    imsat_free(values);
    if (count != n)
        cli_say(w->command, "%s: %zu radii, but the data has %zu rows", w->args->radius, count,
                n);
    else if (!w->radius)
        cli_say(w->command, "%s: no memory for %zu radii", w->args->radius, n);
    w->args->options.radius = w->radius;
    return w->radius ? CLI_OK : CLI_FAILED;
}

static int check_options(const work *w)
{
    imsat_error err;
    imsat_options options = w->args->options;
    if (w->args->k_from)
        options.k = w->args->k_to;
    const imsat_status st = imsat_options_check(&options, w->data, &err);
    if (st == IMSAT_EINVAL)
        return cli_usage(w->command, "%s", err.message);
    return st == IMSAT_OK ? CLI_OK : cli_failed(w->command, &err);
}

static int open_inputs(work *w)
{
    imsat_error err;
    if (cli_data_open(w->command, w->args, &w->data, &err))
        return cli_failed(w->command, &err);
    int code = CLI_OK;
    if (w->command->task != IMSAT_TASK_HASH) /* codes are scored by 'imsat eval hash' */
        code = cli_truth_read(&w->outcome.truth, w->command, w->args, w->data);
    if (code == CLI_OK)
        code = read_prior(w);
    if (code == CLI_OK)
        code = read_radius(w);
    if (code == CLI_OK)
        code = check_options(w);
    if (code == CLI_OK)
        code = cli_note_scales(w->command, w->args, w->data);
    return code;
}

/* Of a range of k the one that stands out; training without one would be a guess. */
static int choose_k(work *w)
{
    const int code =
        cli_choose_k(w->args->json ? stderr : w->args->report, w->command, w->args, w->data);
    if (code != CLI_OK || !w->args->k_from || w->args->options.k)
        return code;
    cli_say(w->command, "no k from %zu to %zu stands out; give one, by -k N", w->args->k_from,
            w->args->k_to);
    return CLI_FAILED;
}

/* ---- training ---------------------------------------------------------------------- */

static int open_log(work *w)
{
    if (!w->args->log)
        return CLI_OK;
    w->log = cli_stream_open(w->args->log, w->args->options.resume != 0);
    if (w->log)
        return CLI_OK;
    cli_say(w->command, "%s: %s", w->args->log, strerror(errno));
    return CLI_FAILED;
}

/* Close the log, and say if lines of it were lost. */
static void close_log(work *w, int why)
{
    errno = 0;
    if (w->log && fclose(w->log) != 0 && !why)
        why = errno;
    w->log = NULL;
    w->outcome.log_failed = why != 0;
    if (why)
        cli_say(w->command, "%s: %s; lines are missing", w->args->log, strerror(why));
}

/* Training was stopped by a signal: say what is kept. */
static int stopped(const work *w, const cli_progress *progress)
{
    const char *checkpoint = w->args->options.checkpoint;
    const char *name = cli_signal_name();
    if (checkpoint && cli_progress_trained(progress))
        cli_say(w->command, "stopped by %s; the same command with --resume goes on from %s",
                name, checkpoint);
    else
        cli_say(w->command, "stopped by %s; nothing was saved%s", name,
                checkpoint ? ", training had not begun" : " (--checkpoint FILE would)");
    return 128 + cli_signal_caught();
}

/* Of several seeds one is left: what follows is about a single run with it. */
static void end_race(work *w)
{
    imsat_options *options = &w->args->options;
    if (!options->race || options->runs < 2)
        return;
    if (!w->args->quiet)
        cli_say(w->command, "of %zu seeds, %" PRIu64 " won the race", options->runs,
                w->result->used->seed);
    options->seed = w->result->used->seed;
    options->runs = 1;
    options->race = 0;
}

static imsat_status learn(work *w, imsat_error *err)
{
    const imsat_options *options = &w->args->options;
    return options->task == IMSAT_TASK_HASH
               ? imsat_hash(&w->model, w->data, options, &w->result, err)
               : imsat_cluster(&w->model, w->data, options, &w->result, err);
}

static int train(work *w)
{
    imsat_error err;
    cli_progress progress;
    cli_progress_start(&progress, &w->args->options, w->args->quiet);
    progress.log = w->log;
    cli_signals_catch();
    const imsat_status st = learn(w, &err);
    cli_progress_finish(&progress, st == IMSAT_OK);
    close_log(w, progress.log_error);
    if (st == IMSAT_ESTOPPED && cli_signal_caught())
        return stopped(w, &progress);
    if (st != IMSAT_OK)
        return cli_failed(w->command, &err);
    end_race(w);
    return CLI_OK;
}

/* ---- the result --------------------------------------------------------------------- */

/* Points in each cluster of a run, or points with each bit set. */
static void count_sizes(size_t *sizes, const imsat_result *result, size_t run)
{
    const size_t n = result->rows, bits = result->used->bits, bytes = imsat_code_bytes(bits);
    for (size_t i = run * n; result->labels && i < (run + 1) * n; i++)
        sizes[result->labels[i]]++;
    for (size_t i = run * n; result->codes && i < (run + 1) * n; i++)
        for (size_t d = 0; d < bits; d++)
            sizes[d] += (result->codes[i * bytes + d / 8] & (0x80U >> d % 8)) != 0;
}

/* Count sizes and score every run. */
static int judge(work *w)
{
    cli_outcome *outcome = &w->outcome;
    const size_t runs = w->result->runs, n = imsat_data_rows(w->data);
    const size_t outputs = cli_outputs(&w->args->options);
    imsat_error err;
    outcome->args = w->args;
    outcome->data = w->data;
    outcome->model = w->model;
    outcome->result = w->result;
    outcome->sizes = calloc(runs, outputs * sizeof *outcome->sizes);
    if (outcome->truth.labels)
        outcome->scores = calloc(runs, sizeof *outcome->scores);
    if (!outcome->sizes || (outcome->truth.labels && !outcome->scores)) {
        cli_say(w->command, "no memory for the scores of %zu runs", runs);
        return CLI_FAILED;
    }
    for (size_t r = 0; r < runs; r++) {
        count_sizes(outcome->sizes + r * outputs, w->result, r);
        if (outcome->truth.labels &&
            imsat_evaluate_clusters(&outcome->scores[r], w->result->labels + r * n,
                                    outcome->truth.labels, n, &err))
            return cli_failed(w->command, &err);
    }
    return CLI_OK;
}

/* Are there clusters at all? Who wants no hints does not wait for the answer, and what was
 * learned is not lost if there is none. */
static void test_structure(work *w)
{
    cli_outcome *outcome = &w->outcome;
    imsat_options options = w->args->options;
    cli_progress progress;
    outcome->structure = -1;
    if (w->args->quiet || options.task == IMSAT_TASK_HASH)
        return;
    cli_progress_start(&progress, &options, 1);
    const imsat_status st = imsat_has_structure(&outcome->structure, &outcome->information,
                                                &outcome->without, w->data, &options, NULL);
    cli_progress_finish(&progress, st == IMSAT_OK);
}

static int report(const work *w)
{
    cli_report_warn(w->command, &w->outcome);
    if (w->args->json)
        return cli_json_finish(w->command, w->args, cli_report_json(&w->outcome));
    cli_report_print(w->args->report, &w->outcome);
    return CLI_OK;
}

static void clear(work *w)
{
    free(w->outcome.scores);
    free(w->outcome.sizes);
    imsat_result_free(w->result);
    imsat_model_free(w->model);
    if (w->log)
        fclose(w->log);
    free(w->radius);
    imsat_free(w->prior);
    cli_truth_clear(&w->outcome.truth);
    imsat_data_free(w->data);
}

int cli_train(const cli_command *command, cli_args *args)
{
    work w = {.command = command, .args = args};
    int code = check_line(&w);
    if (code == CLI_OK)
        code = open_inputs(&w);
    if (code == CLI_OK)
        code = choose_k(&w);
    if (code == CLI_OK)
        code = open_log(&w);
    if (code == CLI_OK)
        code = train(&w);
    if (code == CLI_OK)
        code = judge(&w);
    if (code == CLI_OK)
        test_structure(&w);
    if (code == CLI_OK)
        code = cli_outputs_write(command, &w.outcome);
    if (code == CLI_OK)
        code = report(&w);
    if (code == CLI_OK && w.outcome.log_failed)
        code = CLI_FAILED;
    clear(&w);
    return code;
}
