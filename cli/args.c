/* SPDX-License-Identifier: MIT
 *
 * The command line, read by the table: --name VALUE, --name=VALUE, -n VALUE, -nVALUE,
 * flags together (-qh), `--` before words that are no options. Options and other words
 * may come in any order; of an option given twice the last counts. An option of many values
 * takes the words up to the next option.
 *
 * Two rounds: the words are matched first, then set, the preset and the method before all
 * others, so that what the line sets overrides the preset wherever it stands.
 */
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* ---- commands ----------------------------------------------------------------- */

/* The length of the first word of a command's name. */
static size_t first_word(const char *name)
{
    return strcspn(name, " ");
}

/* How many words of argv the command's name is: 1, 2, or 0 if it is another one. */
static int name_words(const cli_command *command, int argc, const char *const *argv)
{
    const size_t length = first_word(command->name);
    if (argc < 1 || strlen(argv[0]) != length || strncmp(argv[0], command->name, length) != 0)
        return 0;
    if (!command->name[length])
        return 1;
    return argc > 1 && strcmp(argv[1], command->name + length + 1) == 0 ? 2 : 0;
}

/* Say that there is no such command; offer the nearest name. */
static void unknown_command(int argc, const char *const *argv)
{
    const char *names[32];
    char word[64];
    size_t count = 0;
    int family = 0; /* the first word of a name of two */
    for (; count < cli_commands_count && count < 32; count++) {
        const char *name = names[count] = cli_commands[count].name;
        const size_t length = first_word(name);
        family |=
            name[length] && strlen(argv[0]) == length && strncmp(argv[0], name, length) == 0;
    }
    snprintf(word, sizeof word, "%s%s%s", argv[0], family && argc > 1 ? " " : "",
             family && argc > 1 ? argv[1] : "");
    const char *nearest = cli_nearest(word, names, count);
    if (family && argc < 2)
        cli_usage(NULL, "'%s' is not a whole command; did you mean '%s'?", word, nearest);
    else if (nearest)
        cli_usage(NULL, "unknown command '%s'; did you mean '%s'?", word, nearest);
    else
        cli_usage(NULL, "unknown command '%s'", word);
}

const cli_command *cli_find_command(int argc, const char *const *argv, int *words)
{
    for (size_t i = 0; i < cli_commands_count; i++) {
        *words = name_words(&cli_commands[i], argc, argv);
        if (*words)
            return &cli_commands[i];
    }
    unknown_command(argc, argv);
    return NULL;
}

/* ---- options ------------------------------------------------------------------ */

/* Find an option by its letter, or by `length` letters of its name. */
static const cli_option *find_option(const cli_command *command, const char *name,
                                     size_t length, char letter)
{
    for (size_t g = 0; command->groups[g]; g++) {
        const cli_group *group = command->groups[g];
        for (size_t i = 0; i < group->count; i++) {
            const cli_option *option = &group->options[i];
            if (letter ? option->letter == letter
                       : strlen(option->name) == length &&
                             strncmp(option->name, name, length) == 0)
                return option;
        }
    }
    return NULL;
}

/* Another command that has the option, or NULL: who hashes may still think of -k. */
static const cli_command *command_with(const cli_command *not_this, const char *name,
                                       size_t length, char letter)
{
    for (size_t i = 0; i < cli_commands_count; i++)
        if (&cli_commands[i] != not_this &&
            find_option(&cli_commands[i], name, length, letter))
            return &cli_commands[i];
    return NULL;
}

static int unknown_option(const cli_command *command, const char *name, size_t length)
{
    const char *names[64];
    char word[64];
    size_t count = 0;
    for (size_t g = 0; command->groups[g]; g++)
        for (size_t i = 0; i < command->groups[g]->count && count < 64; i++)
            names[count++] = command->groups[g]->options[i].name;
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), name);
    const cli_command *other = command_with(command, name, length, 0);
    if (other)
        return cli_usage(command, "unknown option '--%s'; it is one of 'imsat %s'", word,
                         other->name);
    const char *nearest = cli_nearest(word, names, count);
    if (nearest)
        return cli_usage(command, "unknown option '--%s'; did you mean '--%s'?", word,
                         nearest);
    return cli_usage(command, "unknown option '--%s'", word);
}

/* Match --name, --no-name or --name=value; next is the word that follows, or NULL.
 * *used receives whether next was the value. */
static int match_long(cli_given *out, int *used, const cli_command *command, const char *word,
                      const char *next)
{
    const char *name = word + 2, *equals = strchr(name, '=');
    const size_t length = equals ? (size_t)(equals - name) : strlen(name);
    const cli_option *option = find_option(command, name, length, 0);
    *used = 0;
    if (!option && length > 3 && strncmp(name, "no-", 3) == 0) {
        option = find_option(command, name + 3, length - 3, 0);
        if (option && option->toggle && !equals) {
            *out = (cli_given){option, "no", 0};
            return CLI_OK;
        }
        option = NULL;
    }
    if (!option)
        return unknown_option(command, name, length);
    if (!option->argument) {
        *out = (cli_given){option, NULL, 0};
        return equals ? cli_usage(command, "--%s takes no value", option->name) : CLI_OK;
    }
    *out = (cli_given){option, equals ? equals + 1 : next, 0};
    *used = !equals;
    if (!out->value)
        return cli_usage(command, "--%s needs a value: %s", option->name, option->argument);
    if (!equals && strncmp(next, "--", 2) == 0)
        return cli_usage(command, "--%s needs a value: %s; found the option %s", option->name,
                         option->argument, next);
    return CLI_OK;
}

/* Match -n, -nVALUE or -n VALUE at word, which is advanced past what was read. */
static int match_short(cli_given *out, int *used, const cli_command *command,
                       const char **word, const char *next)
{
    const char letter = **word;
    const cli_option *option = find_option(command, "", 0, letter);
    *used = 0;
    const cli_command *other = option ? NULL : command_with(command, "", 0, letter);
    if (other)
        return cli_usage(command, "unknown option '-%c'; it is one of 'imsat %s'", letter,
                         other->name);
    if (!option)
        return cli_usage(command, "unknown option '-%c'", letter);
    *word += 1;
    if (!option->argument) {
        *out = (cli_given){option, NULL, 1};
        return CLI_OK;
    }
    *used = **word == '\0';
    *out = (cli_given){option, *used ? next : *word, 1};
    *word = "";
    if (!out->value)
        return cli_usage(command, "-%c needs a value: %s", letter, option->argument);
    if (*used && strncmp(next, "--", 2) == 0)
        return cli_usage(command, "-%c needs a value: %s; found the option %s", letter,
                         option->argument, next);
    return CLI_OK;
}

/* Match the words at argv, up to the next option, as further values of the last match.
 * Returns how many there are. */
static int match_more(cli_given *matches, size_t *count, int argc, char **argv)
{
    const cli_given last = matches[*count - 1];
    int words = 0;
    while (words < argc && (argv[words][0] != '-' || !argv[words][1])) {
        matches[*count] = last;
        matches[(*count)++].value = argv[words++];
    }
    return words;
}

/* Sort the words of the line into options and files. */
static int match_words(cli_given *matches, size_t *count, cli_list *files,
                       const cli_command *command, int argc, char **argv)
{
    int plain = 0; /* after `--` */
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
        int used = 0, code = CLI_OK;
        if (plain || word[0] != '-' || !word[1]) {
            files->items[files->count++] = cli_stream_name(word, CLI_INPUT);
        } else if (strcmp(word, "--") == 0) {
            plain = 1;
        } else if (word[1] == '-') {
            code = match_long(&matches[(*count)++], &used, command, word, next);
        } else {
            for (word++; *word && code == CLI_OK;)
                code = match_short(&matches[(*count)++], &used, command, &word, next);
        }
        if (code != CLI_OK)
            return code;
        i += used;
        if (used && matches[*count - 1].option->many)
            i += match_more(matches, count, argc - i - 1, argv + i + 1);
    }
    const size_t last = files->count - 1;
    if (command->last_output && files->count && strcmp(files->items[last], CLI_STDIN) == 0)
        files->items[last] = CLI_STDOUT;
    return CLI_OK;
}

/* Set the matched options, those that are early or those that are not. */
static int set_matches(cli_args *args, const cli_command *command, const cli_given *matches,
                       size_t count, int early)
{
    for (size_t i = 0; i < count; i++) {
        const cli_option *option = matches[i].option;
        const char letter[] = {option->letter, '\0'};
        imsat_error why;
        if (option->early != early)
            continue;
        if (option->set(args, option, matches[i].value, &why))
            return cli_usage(command, "%s%s %s: %s", matches[i].by_letter ? "-" : "--",
                             matches[i].by_letter ? letter : option->name, matches[i].value,
                             why.message);
    }
    return CLI_OK;
}

/* An option that the method has no use for is refused, not ignored. */
static int check_used(const cli_args *args, const cli_command *command,
                      const cli_given *matches, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *method = cli_library_unused(matches[i].option, &args->options);
        if (method)
            return cli_usage(command, "--%s: method %s does not use it",
                             matches[i].option->name, method);
    }
    return CLI_OK;
}

static int check_files(const cli_args *args, const cli_command *command)
{
    if (args->help)
        return CLI_OK;
    if (args->files.count < command->min_files)
        return cli_usage(command, "%s: usage: imsat %s %s",
                         args->files.count ? "too few files" : "no file given", command->name,
                         command->operands);
    if (args->files.count > command->max_files)
        return cli_usage(command, "unexpected word '%s'",
                         args->files.items[command->max_files]);
    return CLI_OK;
}

/* The environment may ask for the plain kernels. */
static int set_kernels(cli_args *args, const cli_command *command)
{
    const char *kernels = getenv("IMSAT_KERNELS");
    if (!kernels || !*kernels)
        return CLI_OK;
    if (strcmp(kernels, "ref") != 0)
        return cli_usage(command, "IMSAT_KERNELS=%s: the only value is 'ref'", kernels);
    args->options.reference_kernels = 1;
    return CLI_OK;
}

/* Room for as many words as the line has. */
static int new_lists(cli_args *args, int argc)
{
    cli_list *const lists[] = {&args->files, &args->truth, &args->gallery, &args->queries};
    int whole = 1;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        lists[i]->items = calloc((size_t)argc + 1, sizeof *lists[i]->items);
        whole &= lists[i]->items != NULL;
    }
    return whole;
}

int cli_parse(cli_args *args, const cli_command *command, int argc, char **argv)
{
    /* One word may hold several flags; no line has more of anything than letters. */
    size_t letters = 1, count = 0;
    for (int i = 0; i < argc; i++)
        letters += strlen(argv[i]) + 1;
    cli_given *matches = calloc(letters, sizeof *matches);
    memset(args, 0, sizeof *args);
    args->report = stdout;

    int code = CLI_FAILED;
    if (!new_lists(args, argc) || !matches)
        cli_say(command, "no memory for the command line");
    else
        code = match_words(matches, &count, &args->files, command, argc, argv);
    if (code == CLI_OK)
        code = set_matches(args, command, matches, count, 1);
    if (code == CLI_OK) {
        const char *method =
            args->options.method ? args->options.method : imsat_method_name(0);
        imsat_options_init_sized(&args->options, sizeof args->options, command->task, method,
                                 args->options.preset);
        args->radius_bits = IMSAT_ANY_DISTANCE;
        args->to = -1;
        imsat_evaluate_hash_options_init(&args->hash);
        code = set_matches(args, command, matches, count, 0);
    }
    if (code == CLI_OK && command->learns && !args->help)
        code = check_used(args, command, matches, count);
    if (code == CLI_OK)
        code = set_kernels(args, command);
    if (code == CLI_OK)
        code = check_files(args, command);
    args->given = matches;
    args->given_count = count;
    return code;
}

void cli_args_clear(cli_args *args)
{
    free(args->files.items);
    free(args->truth.items);
    free(args->gallery.items);
    free(args->queries.items);
    free(args->given);
    memset(args, 0, sizeof *args);
}
