/* SPDX-License-Identifier: MIT
 *
 * imsat info FILE, of a file of data: its shape, type and range, how much of it is zero or
 * missing, its labels, its columns; and what is in a file that holds several arrays. If the
 * rows can be codes, too, that is said as well.
 */
#include "cli.h"

enum { MOST_LABELS = 20 }; /* that are listed in text; JSON has all */

/* What is told of a file. */
typedef struct told {
    imsat_description *data; /* NULL: none of the arrays is the data by itself */
    imsat_inside *inside;    /* (arrays) */
    size_t arrays;
    size_t bits;     /* of a row, if the rows may be codes; else 0 */
    double bits_set; /* share of them that are 1 */
} told;

/* ---- looking ------------------------------------------------------------------------ */

/* The rows as codes, if they can be that: bytes, or 0 and 1. */
static void look_for_codes(told *out, const char *path)
{
    imsat_codes codes = {0};
    double set = 0;
    if (imsat_codes_read(&codes, &path, 1, NULL, NULL) != IMSAT_OK)
        return;
    const size_t bytes = codes.rows * imsat_code_bytes(codes.bits);
    for (size_t i = 0; i < bytes; i++)
        set += __builtin_popcount(codes.bytes[i]);
    out->bits = codes.bits;
    out->bits_set = set / ((double)codes.rows * (double)codes.bits);
    imsat_codes_clear(&codes);
}

/* Rows that are made of texts or images are described as they are made; others as they are in
 * the file, with all that training would refuse. */
static imsat_status describe(imsat_description **out, const cli_command *command,
                             const cli_args *args, imsat_error *err)
{
    const cli_list *files = &args->files;
    imsat_table_options tables = args->tables;
    imsat_data *data = NULL;
    cli_args silent = *args; /* what texts became is in the report */
    int texts = 0;
    tables.size = sizeof tables;
    silent.quiet = 1;
    imsat_status st = imsat_texts_are(&texts, files->items[0], args->texts.text_column, err);
    if (st != IMSAT_OK)
        return st;
    if (!texts && !args->gist)
        return imsat_describe_files(out, files->items, files->count, &args->data, &tables,
                                    args->per_column, err);
    st = cli_data_open(command, &silent, &data, err);
    if (st == IMSAT_OK)
        st = imsat_describe_data(out, data, args->per_column, err);
    imsat_data_free(data);
    return st;
}

/* Of several arrays none may be the data by itself: then they are listed, and that is all. */
static imsat_status look(told *out, const cli_command *command, const cli_args *args,
                         const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const int once = cli_is_stream(path);
    if (!once)
        st = imsat_inside_list(&out->inside, &out->arrays, path, err);
    if (st == IMSAT_OK)
        st = describe(&out->data, command, args, err);
    if (st == IMSAT_EINVAL && out->arrays && !args->data.label_column)
        return IMSAT_OK;
    if (st == IMSAT_OK && !once)
        look_for_codes(out, path);
    return st;
}

/* ---- text --------------------------------------------------------------------------- */

static void print_inside(const told *t)
{
    printf("%-10s %zu arrays%s\n", "inside", t->arrays,
           t->data ? "" : "; FILE:NAME is one of them");
    for (size_t i = 0; i < t->arrays; i++)
        printf("  %-16s %s\n", t->inside[i].name, t->inside[i].what);
}

static void print_values(const imsat_values *values)
{
    const size_t lost = values->missing + values->infinite;
    if (lost < values->count)
        printf("%-10s %g to %g, mean %g, deviation %g, %.1f %% zeros\n", "values", values->min,
               values->max, values->mean, values->deviation,
               100 * (double)values->zeros / (double)values->count);
    if (lost)
        printf("%-10s %zu values are missing (NaN), %zu infinite\n", "not finite",
               values->missing, values->infinite);
}

static void print_labels(const imsat_description *data)
{
    const size_t shown = data->classes < MOST_LABELS ? data->classes : MOST_LABELS;
    printf("%-10s %zu classes, rows of each:", "labels", data->classes);
    for (size_t i = 0; i < shown; i++)
        printf("%s %d: %zu", i ? "," : "", (int)data->labels[i], data->label_counts[i]);
    printf(shown < data->classes ? ", ...\n" : "\n");
}

static void print_columns(const imsat_description *data)
{
    printf("%-6s %12s %12s %12s %12s %8s %8s  %s\n", "column", "min", "max", "mean",
           "deviation", "zeros", "missing", "name");
    for (size_t j = 0; j < data->dim; j++) {
        const imsat_values *column = &data->columns[j];
        const char *name = data->names && data->names[j] ? data->names[j] : "-";
        printf("%-6zu %12g %12g %12g %12g %8zu %8zu  %s\n", j, column->min, column->max,
               column->mean, column->deviation, column->zeros,
               column->missing + column->infinite, name);
    }
}

static void print_data(const told *t)
{
    const imsat_description *data = t->data;
    const imsat_image image = data->image;
    printf("data: %zu x %zu\n", data->rows, data->dim);
    printf("%-10s %s\n", "format", data->format);
    if (image.height)
        printf("%-10s %zu x %zu x %zu\n", "images", image.height, image.width, image.channels);
    print_values(&data->values);
    if (data->classes)
        print_labels(data);
    if (t->bits)
        printf("%-10s %zu bits a row if the rows are codes, %.1f %% of them 1\n", "codes",
               t->bits, 100 * t->bits_set);
    if (t->arrays)
        print_inside(t);
    if (data->columns)
        print_columns(data);
}

/* ---- JSON --------------------------------------------------------------------------- */

static void values_json(cli_json *object, const imsat_values *values)
{
    cli_json_number(object, "min", values->min);
    cli_json_number(object, "max", values->max);
    cli_json_number(object, "mean", values->mean);
    cli_json_number(object, "deviation", values->deviation);
    cli_json_count(object, "zeros", values->zeros);
    cli_json_count(object, "missing", values->missing);
    cli_json_count(object, "infinite", values->infinite);
}

static void labels_json(cli_json *object, const imsat_description *data)
{
    cli_json_count(object, "classes", data->classes);
    cli_json_distances(object, "labels", data->labels, data->classes);
    cli_json_counts(object, "label_counts", data->label_counts, data->classes);
}

static void columns_json(cli_json *object, const imsat_description *data)
{
    for (size_t j = 0; j < data->dim; j++) {
        cli_json *column = cli_json_new();
        if (data->names && data->names[j])
            cli_json_text(column, "name", data->names[j]);
        values_json(column, &data->columns[j]);
        cli_json_append(object, "columns", column);
    }
}

static void data_json(cli_json *object, const imsat_description *data)
{
    const imsat_image image = data->image;
    cli_json_count(object, "n", data->rows);
    cli_json_count(object, "dim", data->dim);
    cli_json_text(object, "format", data->format);
    if (image.height) {
        const size_t sides[3] = {image.height, image.width, image.channels};
        cli_json_counts(object, "image", sides, 3);
    }
    values_json(object, &data->values);
    if (data->classes)
        labels_json(object, data);
    if (data->columns)
        columns_json(object, data);
}

static cli_json *told_json(const told *t)
{
    cli_json *object = cli_json_new();
    cli_json_text(object, "kind", t->data ? "data" : "archive");
    if (t->data)
        data_json(object, t->data);
    if (t->bits) {
        cli_json_count(object, "bits", t->bits);
        cli_json_number(object, "bits_set", t->bits_set);
    }
    for (size_t i = 0; i < t->arrays; i++) {
        cli_json *array = cli_json_new();
        cli_json_text(array, "name", t->inside[i].name);
        cli_json_text(array, "what", t->inside[i].what);
        cli_json_append(object, "inside", array);
    }
    return object;
}

/* ---- the command ---------------------------------------------------------------------- */

int cli_info_data(const cli_command *command, const cli_args *args, const char *path)
{
    told t = {.data = NULL};
    imsat_error err;
    int code = CLI_OK;
    const imsat_status st = look(&t, command, args, path, &err);
    for (size_t i = 0; t.data && !args->quiet && i < t.data->nnotes; i++)
        cli_say(command, "note: %s", t.data->notes[i]);
    if (st != IMSAT_OK)
        code = cli_failed(command, &err);
    else if (args->json)
        code = cli_json_finish(command, args, told_json(&t));
    else if (t.data)
        print_data(&t);
    else
        print_inside(&t);
    imsat_free(t.inside);
    imsat_description_free(t.data);
    return code;
}
