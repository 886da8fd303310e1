/* SPDX-License-Identifier: MIT
 *
 * How the values of options are read: strictly. A number is the whole word, written with
 * digits, sign, point and exponent (no "inf", no hexadecimal, no blanks), and in range of
 * its type. Whether a number makes sense (lambda below 0) is the library's to say.
 *
 * The program never calls setlocale(), so the decimal point is a point everywhere.
 */
#include "cli.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The field that an option sets. */
static void *target(cli_args *args, const cli_option *option)
{
    return (char *)args + option->offset;
}

static int read_number(double *out, const char *text, imsat_error *why)
{
    char *end;
    if (!*text || text[strspn(text, "0123456789+-.eE")])
        return cli_refuse(why, "not a number");
    const double number = strtod(text, &end);
    if (*end || end == text)
        return cli_refuse(why, "not a number");
    if (!isfinite(number))
        return cli_refuse(why, "too large a number");
    *out = number;
    return 0;
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
    *(const char **)target(args, option) = value;
    return 0;
}

/* The parser has made room for every word of the line. */
int cli_set_list(cli_args *args, const cli_option *option, const char *value, imsat_error *why)
{
    cli_list *list = target(args, option);
    if (!*value)
        return cli_refuse(why, "empty");
    list->items[list->count++] = value;
    return 0;
}

int cli_set_number(cli_args *args, const cli_option *option, const char *value,
                   imsat_error *why)
{
    return read_number(target(args, option), value, why);
}

int cli_set_count(cli_args *args, const cli_option *option, const char *value,
                  imsat_error *why)
{
    uint64_t number = 0;
    if (read_count(&number, value, strlen(value), SIZE_MAX / 2, why))
        return -1;
    *(size_t *)target(args, option) = (size_t)number;
    return 0;
}

int cli_set_threads(cli_args *args, const cli_option *option, const char *value,
                    imsat_error *why)
{
    uint64_t number = 0;
    (void)option;
    if (read_count(&number, value, strlen(value), INT_MAX, why))
        return -1;
    args->options.threads = (int)number;
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

int cli_set_hidden(cli_args *args, const cli_option *option, const char *value,
                   imsat_error *why)
{
    imsat_options *options = &args->options;
    (void)option;
    options->hidden_auto = strcmp(value, "auto") == 0;
    if (options->hidden_auto)
        return 0;
    if (strcmp(value, "none") == 0) {
        options->hidden_count = 0;
        return 0;
    }
    return read_counts(options->hidden, &options->hidden_count, IMSAT_MAX_HIDDEN, value, ',',
                       why);
}

int cli_set_mu(cli_args *args, const cli_option *option, const char *value, imsat_error *why)
{
    (void)option;
    args->options.mu_auto = strcmp(value, "auto") == 0;
    return args->options.mu_auto ? 0 : read_number(&args->options.mu, value, why);
}

int cli_set_delta(cli_args *args, const cli_option *option, const char *value,
                  imsat_error *why)
{
    double number = -1;
    (void)option;
    if (strcmp(value, "auto") != 0) {
        if (read_number(&number, value, why))
            return -1;
        if (number < 0)
            return cli_refuse(why, "must be 0 or more, or 'auto'");
    }
    args->options.delta = number;
    return 0;
}

int cli_set_xi(cli_args *args, const cli_option *option, const char *value, imsat_error *why)
{
    (void)option;
    args->options.xi_relative = 0;
    return read_number(&args->options.xi, value, why);
}

int cli_set_xi_relative(cli_args *args, const cli_option *option, const char *value,
                        imsat_error *why)
{
    (void)option;
    args->options.xi_relative = 1;
    return read_number(&args->options.xi, value, why);
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

/* In the library's options a scale of 0 leaves scale and shift to the preset. */
int cli_set_scale(cli_args *args, const cli_option *option, const char *value,
                  imsat_error *why)
{
    double number = 0;
    (void)option;
    if (read_number(&number, value, why))
        return -1;
    if (fpclassify(number) == FP_ZERO)
        return cli_refuse(why, "must not be 0");
    args->options.scale = number;
    return 0;
}

int cli_set_shift(cli_args *args, const cli_option *option, const char *value,
                  imsat_error *why)
{
    (void)option;
    if (fpclassify(args->options.scale) == FP_ZERO)
        args->options.scale = 1;
    return read_number(&args->options.shift, value, why);
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

int cli_set_prior(cli_args *args, const cli_option *option, const char *value,
                  imsat_error *why)
{
    if (strcmp(value, "uniform") == 0) {
        args->prior = NULL;
        return 0;
    }
    return cli_set_text(args, option, value, why);
}

/* ---- words ------------------------------------------------------------------- */

/* The last method is the library caller's own augmentation. */
const char *cli_method_choice(size_t i)
{
    return i < IMSAT_OWN ? imsat_method_name((imsat_method)i) : NULL;
}

const char *cli_hash_method_choice(size_t i)
{
    for (int m = 0; m < IMSAT_OWN; m++)
        if (imsat_method_serves((imsat_method)m, IMSAT_TASK_HASH) && i-- == 0)
            return imsat_method_name((imsat_method)m);
    return NULL;
}

static imsat_method method_named(const char *name)
{
    imsat_method method = 0;
    while (method < IMSAT_OWN && strcmp(imsat_method_name(method), name) != 0)
        method++;
    return method;
}

const char *cli_preset_choice(size_t i)
{
    return i < IMSAT_PRESETS ? imsat_preset_name((imsat_preset)i) : NULL;
}

const char *cli_batches_choice(size_t i)
{
    static const char *const words[] = {"epoch", "fresh"};
    return i < 2 ? words[i] : NULL;
}

const char *cli_radius_choice(size_t i)
{
    return imsat_radius_method_name((imsat_radius_method)i);
}

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

const char *cli_ties_choice(size_t i)
{
    return imsat_ties_name((imsat_ties)i);
}

const char *cli_empty_choice(size_t i)
{
    static const char *const words[] = {"zero", "skip"};
    return i < 2 ? words[i] : NULL;
}

const char *cli_search_choice(size_t i)
{
    return i < IMSAT_SEARCH_METHODS ? imsat_search_method_name((imsat_search_method)i) : NULL;
}

const char *cli_export_choice(size_t i)
{
    return imsat_export_format_name((imsat_export_format)i);
}

const char *cli_choice_summary(const cli_option *option, size_t i)
{
    if (option->choice == cli_method_choice || option->choice == cli_hash_method_choice)
        return imsat_method_summary(method_named(option->choice(i)));
    if (option->choice == cli_preset_choice)
        return imsat_preset_summary((imsat_preset)i);
    return NULL;
}

int cli_set_method(cli_args *args, const cli_option *option, const char *value,
                   imsat_error *why)
{
    const int found = cli_find_choice(option->choice, value, "method", why);
    if (found >= 0)
        args->options.method = method_named(option->choice((size_t)found));
    return found < 0 ? -1 : 0;
}

int cli_set_preset(cli_args *args, const cli_option *option, const char *value,
                   imsat_error *why)
{
    const int found = cli_find_choice(option->choice, value, "preset", why);
    if (found >= 0)
        args->options.preset = (imsat_preset)found;
    return found < 0 ? -1 : 0;
}

int cli_set_radius_method(cli_args *args, const cli_option *option, const char *value,
                          imsat_error *why)
{
    const int found = cli_find_choice(option->choice, value, "way to compute the radius", why);
    if (found >= 0)
        args->options.radius_method = (imsat_radius_method)found;
    return found < 0 ? -1 : 0;
}

int cli_set_batches(cli_args *args, const cli_option *option, const char *value,
                    imsat_error *why)
{
    const int found = cli_find_choice(option->choice, value, "way to draw batches", why);
    if (found >= 0)
        args->options.fresh_batches = found;
    return found < 0 ? -1 : 0;
}

int cli_set_order(cli_args *args, const cli_option *option, const char *value,
                  imsat_error *why)
{
    const int found = cli_find_choice(option->choice, value, "bit order", why);
    if (found >= 0)
        args->codes.order = (imsat_bit_order)found;
    return found < 0 ? -1 : 0;
}

int cli_set_ties(cli_args *args, const cli_option *option, const char *value, imsat_error *why)
{
    const int found = cli_find_choice(option->choice, value, "rule for ties", why);
    if (found >= 0)
        args->hash.ties = (imsat_ties)found;
    return found < 0 ? -1 : 0;
}

int cli_set_empty(cli_args *args, const cli_option *option, const char *value,
                  imsat_error *why)
{
    const int found = cli_find_choice(option->choice, value, "rule for empty results", why);
    if (found >= 0)
        args->hash.skip_empty = found;
    return found < 0 ? -1 : 0;
}

int cli_set_search(cli_args *args, const cli_option *option, const char *value,
                   imsat_error *why)
{
    const int found = cli_find_choice(option->choice, value, "way to search", why);
    if (found >= 0)
        args->way = (imsat_search_method)found;
    return found < 0 ? -1 : 0;
}

int cli_set_export(cli_args *args, const cli_option *option, const char *value,
                   imsat_error *why)
{
    const int found = cli_find_choice(option->choice, value, "program to export to", why);
    if (found >= 0)
        args->to = found;
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

const char *cli_option_default(const cli_option *option, char *buffer, size_t size)
{
    cli_args args;
    memset(&args, 0, sizeof args);
    if (option->fallback)
        return option->fallback;
    imsat_options_init(&args.options, IMSAT_VAT, IMSAT_PRESET_DEFAULT);
    imsat_hash_options_init(&args.hash);
    if (option->set == cli_set_number)
        snprintf(buffer, size, "%g", *(double *)target(&args, option));
    else if (option->set == cli_set_count)
        snprintf(buffer, size, "%zu", *(size_t *)target(&args, option));
    else if (option->set == cli_set_seed)
        snprintf(buffer, size, "%" PRIu64, *(uint64_t *)target(&args, option));
    else if (option->toggle)
        snprintf(buffer, size, "%s", *(int *)target(&args, option) ? "on" : "off");
    else
        return NULL;
    return buffer;
}
