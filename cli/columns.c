/* SPDX-License-Identifier: MIT
 * What is told of the columns of tables, and by `imsat info MODEL` of those of a model. */
#include "cli.h"

#include <math.h>

/* What comes from a file is printed without bytes that steer a terminal. */
static char plain(char byte)
{
    return (unsigned char)byte < ' ' || byte == 0x7f ? '?' : byte;
}

static void print_plain(const char *text)
{
    for (; *text; text++)
        putchar(plain(*text));
}

const char *cli_column_name(char text[CLI_NAME_ROOM], const imsat_data *data, size_t column)
{
    const char *name = imsat_data_column_name(data, column);
    if (name)
        snprintf(text, CLI_NAME_ROOM, "'%.*s'", CLI_NAME_ROOM - 3, name);
    else
        snprintf(text, CLI_NAME_ROOM, "%zu", column);
    for (char *c = text; *c; c++)
        *c = plain(*c);
    return text;
}

/* A column: its number, its kind, what is filled in, its name, and its words. */
static void print_column(const imsat_model *model, size_t i)
{
    const char *name = imsat_model_column_name(model, i), *word;
    const double fill = imsat_model_column_fill(model, i);
    char number[32] = "-";
    if (!isnan(fill))
        snprintf(number, sizeof number, "%g", fill);
    printf("%6zu  %-8s  %-12s  ", i, imsat_model_column_kind(model, i), number);
    print_plain(name ? name : "");
    for (size_t w = 0; (word = imsat_model_column_word(model, i, w)); w++) {
        fputs(w ? ", " : ": ", stdout);
        print_plain(word);
    }
    putchar('\n');
}

void cli_columns_print(const imsat_model *model)
{
    const char *label = imsat_model_label_name(model);
    const size_t count = imsat_model_columns(model);
    if (count == 0)
        return;
    puts("\ncolumn  kind      if missing    name");
    for (size_t i = 0; i < count; i++)
        print_column(model, i);
    if (label) {
        fputs("labels were in column ", stdout);
        print_plain(label);
        putchar('\n');
    }
}

static cli_json *column_json(const imsat_model *model, size_t i)
{
    const char *name = imsat_model_column_name(model, i), *word;
    const double fill = imsat_model_column_fill(model, i);
    cli_json *column = cli_json_new();
    if (name)
        cli_json_text(column, "name", name);
    cli_json_text(column, "kind", imsat_model_column_kind(model, i));
    if (!isnan(fill))
        cli_json_number(column, "if_missing", fill);
    for (size_t w = 0; (word = imsat_model_column_word(model, i, w)); w++)
        cli_json_append_text(column, "words", word);
    return column;
}

void cli_columns_json(cli_json *object, const imsat_model *model)
{
    const char *label = imsat_model_label_name(model);
    for (size_t i = 0; i < imsat_model_columns(model); i++)
        cli_json_append(object, "columns", column_json(model, i));
    if (label)
        cli_json_text(object, "label_column", label);
}
