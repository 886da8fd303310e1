/* SPDX-License-Identifier: MIT
 * imsat eval hash --gallery CODES LABELS... --queries CODES LABELS...
 * imsat eval hash CODES LABELS... --split Q */
#include "cli.h"

/* Codes and the class of each. */
typedef struct labeled {
    imsat_codes codes;
    int32_t *labels;
} labeled;

static void labeled_clear(labeled *l)
{
    imsat_codes_clear(&l->codes);
    imsat_free(l->labels);
}

/* Read a file of codes and the files of labels behind it; the exit code. */
static int labeled_read(labeled *out, const cli_command *command, const cli_list *files,
                        const imsat_codes_options *options)
{
    size_t n = 0;
    imsat_error err;
    if (imsat_codes_read(&out->codes, files->items, 1, options, &err) != IMSAT_OK ||
        imsat_labels_read(&out->labels, &n, files->items + 1, files->count - 1, &err) !=
            IMSAT_OK)
        return cli_failed(command, &err);
    if (n == out->codes.rows)
        return CLI_OK;
    cli_say(command, "%s has %zu codes, but there are %zu labels for them", files->items[0],
            out->codes.rows, n);
    return CLI_FAILED;
}

/* Either all codes and --split, or a gallery and queries. */
static int check_line(const cli_command *command, const cli_args *args)
{
    const int pair = args->gallery.count || args->queries.count;
    if (pair && args->split)
        return cli_usage(command, "--split draws the queries; give no --gallery or --queries "
                                  "with it");
    if (pair && args->files.count)
        return cli_usage(command, "unexpected word '%s' beside --gallery and --queries",
                         args->files.items[0]);
    if (pair && args->gallery.count < 2)
        return cli_usage(command, "--gallery needs a file of codes and one of labels");
    if (pair && args->queries.count < 2)
        return cli_usage(command, "--queries needs a file of codes and one of labels");
    if (!pair && args->files.count < 2)
        return cli_usage(command, "give a file of codes and one of labels, or more of these");
    if (!pair && !args->split)
        return cli_usage(command, "say with --split how many queries of each class to draw, "
                                  "or give --gallery and --queries");
    return CLI_OK;
}

/* What the rule of ties makes of equal distances. */
static const char *ties_summary(imsat_ties ties)
{
    switch (ties) {
    case IMSAT_TIES_EXPECTED: return "over all orders of equal distances";
    case IMSAT_TIES_TRAPEZOID: return "precision in straight lines between distances";
    case IMSAT_TIES_ID: return "equal distances in the order of the gallery";
    default: return "equal distances as one rank";
    }
}

static void print_score(const cli_args *args, const imsat_hash_score *score)
{
    const imsat_evaluate_hash_options *options = &args->hash;
    FILE *out = args->report;
    char at[48], within[48];
    snprintf(at, sizeof at, "P@%zu", options->at);
    snprintf(within, sizeof within, "P@r=%zu", options->radius);
    fprintf(out, "%zu queries, %zu codes in the gallery, %zu bits\n", score->queries,
            score->gallery, score->bits);
    fprintf(out, "%-8s %.4f   mean average precision; %s\n", "mAP", score->map,
            ties_summary(options->ties));
    fprintf(out, "%-8s %.4f   share of the %zu nearest codes that are of the query's class\n",
            at, score->precision_at,
            options->at < score->gallery ? options->at : score->gallery);
    fprintf(out, "%-8s %.4f   share of the codes within distance %zu that are of its class\n",
            within, score->precision_radius, options->radius);
    if (score->empty)
        fprintf(out, "no code within distance %zu: %zu of %zu queries, %s\n", options->radius,
                score->empty, score->queries,
                options->skip_empty ? "left out of that share" : "counted as 0");
    if (score->irrelevant)
        fprintf(out,
                "no code of the query's class in the gallery: %zu of %zu queries, counted as "
                "0\n",
                score->irrelevant, score->queries);
}

static int print_json(const cli_command *command, const cli_args *args,
                      const imsat_hash_score *score)
{
    cli_json *object = cli_json_new();
    cli_json_exact(object);
    cli_json_count(object, "queries", score->queries);
    cli_json_count(object, "gallery", score->gallery);
    cli_json_count(object, "bits", score->bits);
    if (args->split) {
        cli_json_count(object, "split", args->split);
        cli_json_count(object, "seed", args->options.seed);
    }
    cli_json_text(object, "ties", imsat_ties_name(args->hash.ties));
    cli_json_number(object, "map", score->map);
    cli_json_count(object, "at", args->hash.at);
    cli_json_number(object, "precision_at", score->precision_at);
    cli_json_count(object, "radius", args->hash.radius);
    cli_json_number(object, "precision_radius", score->precision_radius);
    cli_json_text(object, "empty_rule", cli_empty_choice(args->hash.skip_empty != 0));
    cli_json_count(object, "empty", score->empty);
    cli_json_count(object, "irrelevant", score->irrelevant);
    cli_json_text(object, "version", imsat_version());
    return cli_json_finish(command, args, object);
}

/* The scores, as text or JSON and in the file of --curves; the exit code. */
static int report(const cli_command *command, const cli_args *args,
                  const imsat_hash_score *score)
{
    imsat_error err;
    int code = CLI_OK;
    if (args->json)
        code = print_json(command, args, score);
    else
        print_score(args, score);
    cli_signals_catch(); /* so that none leaves a temporary file */
    if (args->curves && imsat_hash_curves_write(args->curves, score, &err) != IMSAT_OK)
        code = cli_failed(command, &err);
    return code;
}

static int evaluate(const cli_command *command, const cli_args *args, const labeled *gallery,
                    const labeled *queries)
{
    imsat_evaluate_hash_options options = args->hash;
    imsat_hash_score score = {0};
    imsat_error err;
    options.threads = (int)args->options.threads;
    const imsat_status st =
        args->split
            ? imsat_evaluate_hash_split(&score, &gallery->codes, gallery->labels, args->split,
                                        args->options.seed, &options, &err)
            : imsat_evaluate_hash(&score, &gallery->codes, gallery->labels, &queries->codes,
                                  queries->labels, &options, &err);
    const int code =
        st == IMSAT_OK ? report(command, args, &score) : cli_failed(command, &err);
    imsat_hash_score_clear(&score);
    return code;
}

int cli_eval_hash(const cli_command *command, cli_args *args)
{
    labeled gallery = {0}, queries = {0};
    int code = check_line(command, args);
    if (code == CLI_OK)
        code = labeled_read(&gallery, command, args->split ? &args->files : &args->gallery,
                            &args->codes);
    if (code == CLI_OK && !args->split)
        code = labeled_read(&queries, command, &args->queries, &args->codes);
    if (code == CLI_OK)
        code = evaluate(command, args, &gallery, &queries);
    labeled_clear(&queries);
    labeled_clear(&gallery);
    return code;
}
