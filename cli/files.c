/* SPDX-License-Identifier: MIT
 *
 * The files that a line names, as the table of options has them: which of them are read and
 * which are written. An output that is an input, or another output, by whatever name, would
 * lose it, and one that cannot be written would lose the work. Both are refused before the
 * command begins.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file and what it is on the line. */
typedef struct named {
    char role[32]; /* "--labels", or "DATA" */
    const char *path;
    cli_file use;
} named;

typedef struct list {
    named *items;
    size_t count;
} list;

enum { MOST_OPTIONS = 64 }; /* of a command that name one file */

static void add(list *files, const char *role, const char *path, cli_file use)
{
    named *file = &files->items[files->count++];
    snprintf(file->role, sizeof file->role, "%s", role);
    file->path = path;
    file->use = use;
}

/* What the synopsis calls operand i. The last name, with its dots, is that of all the rest:
 * "MODEL DATA..." */
static void operand_role(char *role, size_t size, const cli_command *command, size_t i)
{
    const char *word = command->operands + strspn(command->operands, "([");
    size_t length = strcspn(word, " .");
    while (i-- > 0 && word[length] == ' ') {
        word += length + 1;
        length = strcspn(word, " .");
    }
    snprintf(role, size, "%.*s", (int)length, word);
}

static void add_option(list *files, const cli_option *option, const cli_args *args)
{
    const char *at = (const char *)args + option->offset;
    char role[32];
    snprintf(role, sizeof role, "--%s", option->name);
    if (option->set == cli_set_list) {
        const cli_list *words = (const void *)at;
        for (size_t i = 0; i < words->count; i++)
            add(files, role, words->items[i], option->file);
    } else {
        const char *path;
        memcpy(&path, at, sizeof path);
        if (path)
            add(files, role, path, option->file);
    }
}

/* Every file of the line. */
static void collect(list *files, const cli_command *command, const cli_args *args)
{
    char role[32];
    for (size_t i = 0; i < args->files.count; i++) {
        const int output = command->last_output && i + 1 == args->files.count;
        operand_role(role, sizeof role, command, i);
        add(files, output ? strrchr(command->operands, ' ') + 1 : role, args->files.items[i],
            output ? CLI_OUTPUT : CLI_INPUT);
    }
    for (size_t g = 0; command->groups[g]; g++)
        for (size_t i = 0; i < command->groups[g]->count; i++)
            if (command->groups[g]->options[i].file != CLI_NO_FILE)
                add_option(files, &command->groups[g]->options[i], args);
}

/* Compare an output with all inputs, and with the outputs before it. */
static int check_same(const cli_command *command, const list *files, size_t i)
{
    const named *file = &files->items[i];
    for (size_t j = 0; j < files->count; j++) {
        const named *other = &files->items[j];
        const int input = other->use == CLI_INPUT;
        if ((!input && j >= i) || !imsat_same_file(file->path, other->path))
            continue;
        if (input)
            return cli_usage(command,
                             "%s %s and %s %s are the same file, which cannot be read and "
                             "written at once",
                             other->role, other->path, file->role, file->path);
        return cli_usage(command,
                         "%s %s and %s %s are the same file; each output needs its own",
                         other->role, other->path, file->role, file->path);
    }
    return CLI_OK;
}

static int check_writable(const cli_command *command, const named *file)
{
    imsat_error err;
    if (file->use == CLI_STATE && (strcmp(file->path, "-") == 0 || cli_is_stream(file->path)))
        return cli_usage(command,
                         "%s %s: it is written again and again and read by --resume, so it "
                         "must be a file",
                         file->role, file->path);
    if (file->use == CLI_LOG && access(file->path, F_OK) == 0) {
        if (access(file->path, W_OK) == 0)
            return CLI_OK;
        cli_say(command, "%s: %s", file->path, strerror(errno));
        return CLI_FAILED;
    }
    return imsat_writable(file->path, &err) == IMSAT_OK ? CLI_OK : cli_failed(command, &err);
}

int cli_rows_check(const cli_command *command, const char *role, const char *path,
                   const char *name)
{
    const imsat_output_format *format = NULL;
    char words[128] = "";
    size_t used = 0;
    imsat_error err;
    if (imsat_output_format_find(&format, path, name, &err) == IMSAT_OK && format->results)
        return CLI_OK;
    for (size_t i = 1; cli_format_choice(i); i++)
        used += (size_t)snprintf(words + used, sizeof words - used, "%s.%s", i > 1 ? ", " : "",
                                 cli_format_choice(i));
    return cli_usage(command, "%s %s: its ending says no format of results; these do: %s",
                     role, path, words);
}

static int check_output(const cli_command *command, cli_args *args, const list *files,
                        size_t i)
{
    const named *file = &files->items[i];
    if (file->use <= CLI_INPUT)
        return CLI_OK;
    int code = check_same(command, files, i);
    if (code == CLI_OK && file->use == CLI_ROWS)
        code = cli_rows_check(command, file->role, file->path, cli_rows_format(args));
    if (code == CLI_OK)
        code = check_writable(command, file);
    if (cli_is_stdout(file->path))
        args->report = stderr;
    return code;
}

/* The standard input can be read only once. */
static int check_stdin(const cli_command *command, const list *files)
{
    const named *first = NULL;
    for (size_t i = 0; i < files->count; i++) {
        const named *file = &files->items[i];
        if (file->use != CLI_INPUT || strcmp(file->path, CLI_STDIN) != 0)
            continue;
        if (first)
            return cli_usage(command,
                             "'-', the standard input, is %s and %s; it can be read "
                             "only once",
                             first->role, file->role);
        first = file;
    }
    return CLI_OK;
}

int cli_files_check(const cli_command *command, cli_args *args)
{
    const size_t most = args->files.count + args->truth.count + args->gallery.count +
                        args->queries.count + MOST_OPTIONS;
    list files = {.items = calloc(most, sizeof *files.items)};
    int code = CLI_OK;
    if (!files.items) {
        cli_say(command, "no memory for the names of %zu files", most);
        return CLI_FAILED;
    }
    collect(&files, command, args);
    code = check_stdin(command, &files);
    for (size_t i = 0; i < files.count && code == CLI_OK; i++)
        code = check_output(command, args, &files, i);
    free(files.items);
    return code;
}
