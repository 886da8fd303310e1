/* SPDX-License-Identifier: MIT
 *
 * imsat search INDEX QUERIES... : the nearest codes, or all within a radius.
 *
 * Answers go out a batch of queries at a time, and a signal is heeded between two. Batches
 * grow while they take little time: many queries at once keep all threads at work, and a
 * large index has few of them in a tenth of a second. One whose answers are more than there is
 * memory for is cut in halves.
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_BATCH = 64, MOST_BATCH = 16384 }; /* queries */

/* Seconds that a batch may take before the next one is smaller. */
static const double LONG_BATCH = 0.4;

typedef struct work {
    const cli_command *command;
    const cli_args *args;
    imsat_index *index;
    imsat_codes queries;
    int parsed; /* the queries are from text, their bytes from malloc() */
    imsat_search_options options;
    size_t most;      /* queries of a batch */
    size_t columns;   /* of the files; 0: lists of any length */
    int64_t *row_ids; /* (columns) */
    int32_t *row_distances;
    imsat_output *ids_file, *distances_file; /* NULL: none */
    size_t found;                            /* answers so far */
} work;

static int check_line(const work *w)
{
    const cli_args *args = w->args;
    if (args->distances && !args->output)
        return cli_usage(w->command, "--distances needs -o; without it both are on stdout");
    if (args->distances && !w->columns)
        return cli_usage(w->command,
                         "--distances is for -n; with -r alone, -o holds ids and distances");
    for (size_t i = 1; i < args->files.count; i++)
        if (strcmp(args->files.items[i], CLI_STDIN) == 0 && args->files.count > 2)
            return cli_usage(w->command, "'-', the standard input, must be the only QUERIES");
    return CLI_OK;
}

/* ---- inputs ----------------------------------------------------------------------- */

static imsat_status read_queries(work *w, imsat_error *err)
{
    const cli_args *args = w->args;
    imsat_codes_options options = args->codes;
    imsat_error why;
    options.bits = imsat_index_bits(w->index);
    w->parsed = strcmp(args->files.items[1], CLI_STDIN) == 0;
    if (w->parsed)
        return cli_codes_parse(&w->queries, stdin, options.bits, err);
    const imsat_status st = imsat_codes_read(&w->queries, args->files.items + 1,
                                             args->files.count - 1, &options, &why);
    if (st == IMSAT_EMISMATCH)
        cli_refuse(err, "%.800s (queries must be as wide as the codes of %.200s)", why.message,
                   args->files.items[0]);
    else if (st != IMSAT_OK)
        *err = why;
    return st;
}

static imsat_status open_inputs(work *w, imsat_error *err)
{
    imsat_status st = imsat_index_open(&w->index, w->args->files.items[0], err);
    if (st == IMSAT_OK)
        st = read_queries(w, err);
    if (st != IMSAT_OK)
        return st;
    const size_t rows = imsat_index_rows(w->index);
    if (w->args->nearest > rows)
        cli_say(w->command, "-n %zu: the index has %zu codes, so no query has more answers",
                w->args->nearest, rows);
    if (w->args->output && w->columns) {
        w->row_ids = calloc(w->columns, sizeof *w->row_ids);
        w->row_distances = calloc(w->columns, sizeof *w->row_distances);
        if (!w->row_ids || !w->row_distances) {
            cli_refuse(err, "-n %zu: no memory for so many answers", w->columns);
            return IMSAT_ENOMEM;
        }
    }
    return IMSAT_OK;
}

/* ---- answers ---------------------------------------------------------------------- */

/* A line {"query": q, "ids": [...], "distances": [...]} for each query. */
static imsat_status print_hits(const imsat_hits *hits, size_t first, imsat_error *err)
{
    for (size_t q = 0; q < hits->queries && !ferror(stdout); q++) {
        const size_t start = hits->start[q], n = hits->start[q + 1] - start;
        cli_json *line = cli_json_new();
        cli_json_count(line, "query", first + q);
        cli_json_ids(line, "ids", hits->ids + start, n);
        cli_json_distances(line, "distances", hits->distance + start, n);
        const int failed = cli_json_line(stdout, line) && !ferror(stdout);
        cli_json_free(line);
        if (failed) {
            cli_refuse(err, "no memory for the answers of query %zu", first + q);
            return IMSAT_ENOMEM;
        }
    }
    return IMSAT_OK; /* whether they got out is for cli_flush() to say */
}

/* A row of `columns` for each query, filled up with -1. */
static imsat_status write_rows(work *w, const imsat_hits *hits, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (size_t q = 0; q < hits->queries && st == IMSAT_OK; q++) {
        const size_t start = hits->start[q], n = hits->start[q + 1] - start;
        for (size_t i = 0; i < w->columns; i++) {
            w->row_ids[i] = i < n ? hits->ids[start + i] : IMSAT_NO_ID;
            w->row_distances[i] = i < n ? hits->distance[start + i] : -1;
        }
        const void *ids = w->row_ids, *distances = w->row_distances;
        st = imsat_output_append(w->ids_file, &ids, 1, err);
        if (st == IMSAT_OK && w->distances_file)
            st = imsat_output_append(w->distances_file, &distances, 1, err);
    }
    return st;
}

/* Rows (query, id, distance). */
static imsat_status write_pairs(work *w, const imsat_hits *hits, size_t first,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (size_t q = 0; q < hits->queries; q++)
        for (size_t i = hits->start[q]; i < hits->start[q + 1] && st == IMSAT_OK; i++) {
            const int64_t row[3] = {(int64_t)(first + q), hits->ids[i], hits->distance[i]};
            const void *values[3] = {&row[0], &row[1], &row[2]};
            st = imsat_output_append(w->ids_file, values, 1, err);
        }
    return st;
}

/* What is found for queries first .. first + *count - 1, or for fewer of them. */
static imsat_status search_some(imsat_hits *hits, work *w, size_t first, size_t *count,
                                imsat_error *err)
{
    const size_t width = imsat_code_bytes(w->queries.bits);
    imsat_codes batch = {w->queries.bytes + first * width, *count, w->queries.bits};
    imsat_status st = imsat_search(hits, w->index, &batch, &w->options, err);
    while (st == IMSAT_ENOMEM && batch.rows > 1) {
        batch.rows /= 2;
        w->most = *count = batch.rows;
        st = imsat_search(hits, w->index, &batch, &w->options, err);
    }
    return st;
}

/* Search for queries first .. first + *count - 1, or fewer, and pass on what is found. */
static imsat_status search_batch(work *w, size_t first, size_t *count, imsat_error *err)
{
    imsat_hits hits = {0};
    imsat_status st = search_some(&hits, w, first, count, err);
    if (st != IMSAT_OK)
        return st;
    w->found += hits.start[hits.queries];
    if (!w->args->output)
        st = print_hits(&hits, first, err);
    else if (w->columns)
        st = write_rows(w, &hits, err);
    else
        st = write_pairs(w, &hits, first, err);
    imsat_hits_clear(&hits);
    return st;
}

/* Pairs: an array has them as rows of three, text as columns of their own. */
static imsat_status create_pairs(work *w, imsat_error *err)
{
    static const imsat_output_column apart[3] = {{"query", IMSAT_NPY_INT64, 0},
                                                 {"id", IMSAT_NPY_INT64, 0},
                                                 {"distance", IMSAT_NPY_INT64, 0}};
    static const imsat_output_column together = {"pair", IMSAT_NPY_INT64, 3};
    const cli_args *args = w->args;
    const imsat_output_format *format = NULL;
    const imsat_status st =
        imsat_output_format_find(&format, args->output, cli_rows_format(args), err);
    if (st != IMSAT_OK)
        return st;
    return imsat_output_create(&w->ids_file, args->output, format->name,
                               format->text ? apart : &together, format->text ? 3 : 1,
                               IMSAT_NPY_ANY_ROWS, err);
}

static imsat_status create_files(work *w, imsat_error *err)
{
    const cli_args *args = w->args;
    const imsat_output_column ids = {"id", IMSAT_NPY_INT64, w->columns};
    const imsat_output_column distances = {"distance", IMSAT_NPY_INT32, w->columns};
    const char *format = cli_rows_format(args);
    imsat_status st = IMSAT_OK;
    if (args->output && !w->columns)
        return create_pairs(w, err);
    if (args->output)
        st = imsat_output_create(&w->ids_file, args->output, format, &ids, 1, w->queries.rows,
                                 err);
    if (st == IMSAT_OK && args->distances)
        st = imsat_output_create(&w->distances_file, args->distances, format, &distances, 1,
                                 w->queries.rows, err);
    return st;
}

/* The size of the batch after one that took so long, if there is memory for it. */
static size_t next_batch(const work *w, size_t batch, double seconds)
{
    size_t next = batch;
    if (seconds > LONG_BATCH)
        next = batch / 2 > LEAST_BATCH ? batch / 2 : LEAST_BATCH;
    else if (seconds <= LONG_BATCH / 4)
        next = 4 * batch;
    return next < w->most ? next : w->most;
}

static imsat_status search_all(work *w, imsat_error *err)
{
    const size_t rows = w->queries.rows;
    size_t batch = LEAST_BATCH, count;
    imsat_status st = create_files(w, err);
    for (size_t first = 0; first < rows && st == IMSAT_OK && !ferror(stdout); first += count) {
        const double start = cli_seconds();
        if (cli_signal_caught())
            return IMSAT_ESTOPPED;
        count = rows - first < batch ? rows - first : batch;
        st = search_batch(w, first, &count, err);
        batch = next_batch(w, batch, cli_seconds() - start);
    }
    if (st == IMSAT_OK && cli_signal_caught())
        return IMSAT_ESTOPPED;
    if (st == IMSAT_OK && w->distances_file)
        st = imsat_output_commit(w->distances_file, err);
    if (st == IMSAT_OK && w->ids_file)
        st = imsat_output_commit(w->ids_file, err);
    return st;
}

/* ---- the command ------------------------------------------------------------------ */

static int report(const work *w)
{
    if (!w->args->json || !w->args->output)
        return CLI_OK; /* without -o the answers are JSON already */
    cli_json *object = cli_json_new();
    cli_json_count(object, "queries", w->queries.rows);
    cli_json_count(object, "codes", imsat_index_rows(w->index));
    cli_json_count(object, "bits", imsat_index_bits(w->index));
    cli_json_text(object, "method", imsat_search_method_name(w->options.method));
    cli_json_count(object, "found", w->found);
    cli_json_text(object, "version", imsat_version());
    return cli_json_finish(w->command, w->args, object);
}

static void clear(work *w)
{
    imsat_output_free(w->distances_file);
    imsat_output_free(w->ids_file);
    free(w->row_distances);
    free(w->row_ids);
    if (w->parsed)
        free(w->queries.bytes);
    else
        imsat_codes_clear(&w->queries);
    imsat_index_free(w->index);
}

int cli_search(const cli_command *command, cli_args *args)
{
    const int by_radius = args->radius_bits != IMSAT_ANY_DISTANCE;
    work w = {.command = command, .args = args, .most = MOST_BATCH};
    imsat_error err;
    imsat_search_options_init(&w.options);
    if (args->nearest || by_radius)
        w.options.count = args->nearest;
    w.options.radius = args->radius_bits;
    w.options.method = args->way;
    w.options.threads = (int)args->options.threads;
    w.columns = w.options.count;

    int code = check_line(&w);
    if (code != CLI_OK)
        return code;
    imsat_status st = open_inputs(&w, &err);
    if (st == IMSAT_OK) {
        cli_signals_catch();
        st = search_all(&w, &err);
    }
    if (st == IMSAT_ESTOPPED && cli_signal_caught()) {
        cli_say(command, "stopped by %s%s", cli_signal_name(), cli_stopped_output(args));
        code = 128 + cli_signal_caught();
    } else {
        code = st == IMSAT_OK ? report(&w) : cli_failed(command, &err);
    }
    clear(&w);
    return code;
}
