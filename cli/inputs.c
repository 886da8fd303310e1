/* SPDX-License-Identifier: MIT
 *
 * The data that a line names: rows of numbers as they are, or rows that are made of texts or
 * of pictures, as the options say.
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* What texts became of, and how many were left out: the user has not seen a table. */
static void tell_texts(const cli_command *command, const cli_args *args,
                       const imsat_data *data)
{
    if (!args->quiet)
        cli_say(command, "%s: %s", args->files.items[0], imsat_data_describe(data, 0));
}

static imsat_status open_gist(imsat_data **out, const cli_args *args, imsat_data *images,
                              int color, imsat_error *err)
{
    const imsat_status st = imsat_gist(out, images, color, (int)args->options.threads, err);
    imsat_data_free(images);
    return st;
}

imsat_status cli_texts_open(const cli_command *command, const cli_args *args, imsat_data **out,
                            imsat_error *err)
{
    imsat_text_options texts = args->texts;
    texts.label_column = args->data.label_column;
    const imsat_status st =
        imsat_texts_open(out, args->files.items, args->files.count, &texts, err);
    if (st == IMSAT_OK)
        tell_texts(command, args, *out);
    return st;
}

/* The rows of tables and other files as the line says. */
static imsat_status open_tables(imsat_data **out, const cli_args *args, imsat_error *err)
{
    imsat_table_options tables = args->tables;
    tables.size = sizeof tables;
    return imsat_data_open_table(out, args->files.items, args->files.count, &args->data,
                                 &tables, err);
}

void cli_notes(const cli_command *command, const cli_args *args, const imsat_data *data)
{
    const char *note;
    for (size_t i = 0; !args->quiet && (note = imsat_data_note(data, i)); i++)
        cli_say(command, "note: %s", note);
}

imsat_status cli_data_open(const cli_command *command, const cli_args *args, imsat_data **out,
                           imsat_error *err)
{
    const cli_list *files = &args->files;
    imsat_data *data = NULL;
    int texts = 0;
    imsat_status st = imsat_texts_are(&texts, files->items[0], args->texts.text_column, err);
    if (st == IMSAT_OK && texts)
        return cli_texts_open(command, args, out, err);
    if (st == IMSAT_OK)
        st = open_tables(&data, args, err);
    if (st == IMSAT_OK)
        cli_notes(command, args, data);
    if (st == IMSAT_OK && args->gist)
        return open_gist(out, args, data, args->gist == 2, err);
    if (st == IMSAT_OK)
        *out = data;
    return st;
}

static int by_value(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

size_t cli_count_classes(const int32_t *labels, size_t n, size_t *largest)
{
    int32_t *sorted = labels && n ? malloc(n * sizeof *sorted) : NULL;
    size_t classes = 0, most = 0;
    if (!sorted)
        return 0;
    memcpy(sorted, labels, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_value);
    for (size_t i = 0, first = 0; i < n; i++) {
        if (i == 0 || sorted[i] != sorted[i - 1]) {
            classes++;
            first = i;
        }
        most = i - first + 1 > most ? i - first + 1 : most;
    }
    free(sorted);
    if (largest)
        *largest = most;
    return classes;
}

/* ---- labels and scales ------------------------------------------------------------- */

int cli_truth_read(cli_truth *truth, const cli_command *command, const cli_args *args,
                   const imsat_data *data)
{
    const cli_list *files = &args->truth;
    const size_t n = imsat_data_rows(data);
    size_t count = 0;
    imsat_error err;
    truth->labels = imsat_data_labels(data);
    truth->words = imsat_data_label_words(data);
    if (files->count == 0)
        return CLI_OK;
    if (imsat_labels_read_words(&truth->read, &count, &truth->read_words, files->items,
                                files->count, &err))
        return cli_failed(command, &err);
    if (count != n) {
        cli_say(command, "--truth has %zu labels, the data has %zu rows", count, n);
        return CLI_FAILED;
    }
    truth->labels = truth->read;
    truth->words = (const char *const *)truth->read_words;
    return CLI_OK;
}

void cli_truth_clear(cli_truth *truth)
{
    imsat_free(truth->read);
    imsat_free(truth->read_words);
    *truth = (cli_truth){0};
}

enum { SCALES_ALIKE = 100 }; /* columns that differ by more are worth a word */

int cli_note_scales(const cli_command *command, const cli_args *args, const imsat_data *data)
{
    size_t narrow, wide;
    double ratio;
    imsat_error err;
    char names[2][CLI_NAME_ROOM];
    if (args->options.standardize || args->options.unit_norm || args->quiet)
        return CLI_OK;
    if (imsat_data_scales(&narrow, &wide, &ratio, data, &err))
        return cli_failed(command, &err);
    if (ratio > SCALES_ALIKE)
        cli_say(command,
                "note: the values of column %s span %.0f times as much as those of column %s, "
                "which then hardly count; --standardize makes all columns alike",
                cli_column_name(names[0], data, wide), ratio,
                cli_column_name(names[1], data, narrow));
    return CLI_OK;
}
