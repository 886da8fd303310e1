/* SPDX-License-Identifier: MIT
 *
 * How the values of options are read that the library has no table of (library.c has the
 * others): strictly. A number is the whole word, of digits alone, and in range of its type.
 *
 * The program never calls setlocale(), so the decimal point is a point everywhere.
 */
#include "cli.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The field that an option sets. */
static void *target(cli_args *args, const cli_option *option)
{
    return (char *)args + option->offset;
}

/* Digits only, of a number up to max. */
static int read_count(uint64_t *out, const char *text, size_t length, uint64_t max,
                      imsat_error *why)
{
    uint64_t number = 0;
    if (length == 0)
        return cli_refuse(why, "not a whole number");
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return cli_refuse(why, "not a whole number of 0 or more");
        const uint64_t digit = (uint64_t)(text[i] - '0');
        if (number > (max - digit) / 10)
            return cli_refuse(why, "too large, at most %" PRIu64, max);
        number = number * 10 + digit;
    }
    *out = number;
    return 0;
}

int cli_set_flag(cli_args *args, const cli_option *option, const char *value, imsat_error *why)
{
    (void)why;
    *(int *)target(args, option) = value == NULL;
    return 0;
}

int cli_set_text(cli_args *args, const cli_option *option, const char *value, imsat_error *why)
{
    if (!*value)
        return cli_refuse(why, "empty");
    *(const char **)target(args, option) = cli_stream_name(value, option->file);
    return 0;
}

/* The parser has made room for every word of the line. */
int cli_set_list(cli_args *args, const cli_option *option, const char *value, imsat_error *why)
{
    cli_list *list = target(args, option);
    if (!*value)
        return cli_refuse(why, "empty");
    list->items[list->count++] = cli_stream_name(value, option->file);
    return 0;
}

int cli_read_count(size_t *out, const char *text, imsat_error *why)
{
    uint64_t number = 0;
    if (read_count(&number, text, strlen(text), SIZE_MAX / 2, why))
        return -1;
    *out = (size_t)number;
    return 0;
}

int cli_set_count(cli_args *args, const cli_option *option, const char *value,
                  imsat_error *why)
{
    return cli_read_count(target(args, option), value, why);
}

/* Bytes, in units of 1024 if a letter follows: 500M, 8G. */
int cli_set_size(cli_args *args, const cli_option *option, const char *value, imsat_error *why)
{
    static const char units[] = "KMGT";
    const size_t length = strlen(value);
    const char *unit = length ? strchr(units, value[length - 1]) : NULL;
    const unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    uint64_t number = 0;
    if (read_count(&number, value, length - (unit != NULL), (SIZE_MAX / 2) >> shift, why))
        return cli_refuse(why, "not a size like 500M or 8G");
    if (number == 0)
        return cli_refuse(why, "must be 1 or more");
    *(size_t *)target(args, option) = (size_t)number << shift;
    return 0;
}

/* Up to 2^63 - 1, so that JSON's integers hold it. */
int cli_set_seed(cli_args *args, const cli_option *option, const char *value, imsat_error *why)
{
    return read_count(target(args, option), value, strlen(value), INT64_MAX, why);
}

/* Numbers between separators, at most max of them; *count receives how many. */
static int read_counts(size_t *out, size_t *count, size_t max, const char *text,
                       char separator, imsat_error *why)
{
    size_t n = 0;
    for (;;) {
        const char *end = strchr(text, separator);
        const size_t length = end ? (size_t)(end - text) : strlen(text);
        uint64_t number = 0;
        if (n == max)
            return cli_refuse(why, "more than %zu numbers", max);
        if (read_count(&number, text, length, SIZE_MAX / 2, why))
            return -1;
        out[n++] = (size_t)number;
        if (!end)
            break;
        text = end + 1;
    }
    *count = n;
    return 0;
}

int cli_set_image(cli_args *args, const cli_option *option, const char *value,
                  imsat_error *why)
{
    size_t sides[3], count = 0;
    (void)option;
    if (read_counts(sides, &count, 3, value, 'x', why) || count < 2)
        return cli_refuse(why, "not a shape like 28x28 or 32x32x3");
    const size_t channels = count == 3 ? sides[2] : 1;
    if (!sides[0] || !sides[1] || !channels)
        return cli_refuse(why, "a side of an image must be 1 or more");
    args->data.image = (imsat_image){sides[0], sides[1], channels};
    return 0;
}

int cli_set_nearest(cli_args *args, const cli_option *option, const char *value,
                    imsat_error *why)
{
    size_t *count = target(args, option);
    if (cli_set_count(args, option, value, why))
        return -1;
    return *count ? 0 : cli_refuse(why, "must be 1 or more");
}

int cli_set_bits(cli_args *args, const cli_option *option, const char *value, imsat_error *why)
{
    if (cli_set_nearest(args, option, value, why))
        return -1;
    return args->codes.bits <= IMSAT_MAX_BITS
               ? 0
               : cli_refuse(why, "too many, at most %d", IMSAT_MAX_BITS);
}

/* ---- words ------------------------------------------------------------------- */

const char *cli_shell_choice(size_t i)
{
    static const char *const words[] = {"bash", "zsh", "fish"};
    return i < 3 ? words[i] : NULL;
}

const char *cli_order_choice(size_t i)
{
    static const char *const words[] = {[IMSAT_MSB_FIRST] = "msb", [IMSAT_LSB_FIRST] = "lsb"};
    return i < IMSAT_BIT_ORDERS ? words[i] : NULL;
}

const char *cli_missing_choice(size_t i)
{
    return imsat_missing_name((imsat_missing)i);
}

const char *cli_categories_choice(size_t i)
{
    return imsat_categories_name((imsat_categories)i);
}

const char *cli_ties_choice(size_t i)
{
    return imsat_ties_name((imsat_ties)i);
}

const char *cli_empty_choice(size_t i)
{
    static const char *const words[] = {"zero", "skip"};
    return i < 2 ? words[i] : NULL;
}

const char *cli_gist_choice(size_t i)
{
    static const char *const words[] = {"none", "gray", "color"};
    return i < 3 ? words[i] : NULL;
}

/* By the ending, or one of the formats that hold results, which come first in the table. */
const char *cli_format_choice(size_t i)
{
    const imsat_output_format *format = i ? imsat_output_format_at(i - 1) : NULL;
    if (i == 0)
        return "auto";
    return format && format->results ? format->name : NULL;
}

/* The same, of all formats. */
const char *cli_output_choice(size_t i)
{
    const imsat_output_format *format = i ? imsat_output_format_at(i - 1) : NULL;
    return i == 0 ? "auto" : format ? format->name : NULL;
}

const char *cli_search_choice(size_t i)
{
    return i < IMSAT_SEARCH_METHODS ? imsat_search_method_name((imsat_search_method)i) : NULL;
}

const char *cli_export_choice(size_t i)
{
    return imsat_export_format_name((imsat_export_format)i);
}

/* A word of a list: its number goes to an int or an enum. */
int cli_set_choice(cli_args *args, const cli_option *option, const char *value,
                   imsat_error *why)
{
    const int found = cli_find_choice(option->choice, value, option->noun, why);
    if (found >= 0)
        *(int *)target(args, option) = found;
    return found < 0 ? -1 : 0;
}

int cli_set_shell(cli_args *args, const cli_option *option, const char *value,
                  imsat_error *why)
{
    if (cli_find_choice(option->choice, value, "shell", why) < 0)
        return -1;
    args->completion = value;
    return 0;
}

/* ---- defaults ---------------------------------------------------------------- */

static const char *library_default(const cli_option *option, char *buffer, size_t size)
{
    imsat_options options;
    imsat_options_init_sized(&options, sizeof options, option->task, imsat_method_name(0),
                             IMSAT_PRESET_DEFAULT);
    if (option->library->type == IMSAT_OPTION_TEXT ||
        imsat_options_get(&options, option->library->name, buffer, size, NULL) != IMSAT_OK)
        return NULL;
    if (option->toggle)
        snprintf(buffer, size, "%s", buffer[0] == '1' ? "on" : "off");
    else if (option->library->type == IMSAT_OPTION_NUMBER)
        snprintf(buffer, size, "%g", strtod(buffer, NULL));
    return buffer;
}

const char *cli_option_default(const cli_option *option, char *buffer, size_t size)
{
    cli_args args;
    if (option->fallback)
        return option->fallback;
    if (option->library)
        return library_default(option, buffer, size);
    memset(&args, 0, sizeof args);
    args.options.seed = 1;
    imsat_evaluate_hash_options_init(&args.hash);
    if (option->set == cli_set_count)
        snprintf(buffer, size, "%zu", *(size_t *)target(&args, option));
    else if (option->set == cli_set_seed)
        snprintf(buffer, size, "%" PRIu64, *(uint64_t *)target(&args, option));
    else
        return NULL;
    return buffer;
}
