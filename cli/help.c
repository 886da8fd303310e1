/* SPDX-License-Identifier: MIT
 * `imsat help` and --help: the table as text for a terminal. */
#include "cli.h"

#include <string.h>

enum { COLUMNS = 79, OPTION_COLUMN = 26 };

/* Print words from column `at`, broken at COLUMNS, further lines indented by `indent`. */
static void print_wrapped(FILE *out, const char *text, size_t at, size_t indent)
{
    int fresh = 1; /* nothing stands on this line yet */
    while (*text) {
        if (*text == '\n') {
            fprintf(out, "\n\n%*s", (int)indent, "");
            at = indent;
            fresh = 1;
            text++;
            continue;
        }
        const size_t length = strcspn(text, " \n");
        if (!fresh && at + 1 + length > COLUMNS) {
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
            fresh = 1;
        }
        fprintf(out, "%s%.*s", fresh ? "" : " ", (int)length, text);
        at += length + (fresh ? 0 : 1);
        fresh = 0;
        text += length;
        text += *text == ' ';
    }
    fputc('\n', out);
}

/* A name in the left column, a text in the right one. */
static void print_entry(FILE *out, const char *name, const char *text)
{
    const int printed = fprintf(out, "  %s", name);
    if (printed + 2 > OPTION_COLUMN)
        fprintf(out, "\n%*s", OPTION_COLUMN, "");
    else
        fprintf(out, "%*s", OPTION_COLUMN - printed, "");
    print_wrapped(out, text, OPTION_COLUMN, OPTION_COLUMN);
}

void cli_option_title(char *buffer, size_t size, const cli_option *option)
{
    char letter[8] = "";
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(buffer, size, "%s--%s%s%s%s", letter, option->toggle ? "[no-]" : "", option->name,
             option->argument ? " " : "", option->argument ? option->argument : "");
}

static void print_option(FILE *out, const cli_option *option)
{
    char title[64], text[512], buffer[64];
    const char *standard = cli_option_default(option, buffer, sizeof buffer);
    cli_option_title(title, sizeof title, option);
    snprintf(text, sizeof text, "%s%s%s%s", option->help, standard ? " [" : "",
             standard ? standard : "", standard ? "]" : "");
    print_entry(out, title, text);
}

/* The words of an option that have a line each: methods and presets. */
static void print_choices(FILE *out, const cli_option *option)
{
    if (!option->choice || !cli_choice_summary(option, 0))
        return;
    fprintf(out, "\n%c%ss\n", option->name[0] - 'a' + 'A', option->name + 1);
    for (size_t i = 0; option->choice(i); i++)
        print_entry(out, option->choice(i), cli_choice_summary(option, i));
}

/* "a table as text (.csv .tsv)", and what a name inside of the file is. */
static const char *format_entry(size_t i, char text[CLI_LISTING_ROOM])
{
    const imsat_format *format = imsat_format_at(i);
    if (!format)
        return NULL;
    const int used =
        snprintf(text, CLI_LISTING_ROOM, "%s (%s)", format->summary, format->endings);
    if (format->inside && used < CLI_LISTING_ROOM)
        snprintf(text + used, (size_t)(CLI_LISTING_ROOM - used),
                 "; FILE:NAME is one %s of several", format->inside);
    return format->name;
}

const cli_listing cli_formats_listing = {"Formats of data", format_entry};

static void print_listing(FILE *out, const cli_listing *listing)
{
    char text[CLI_LISTING_ROOM];
    fprintf(out, "\n%s\n", listing->title);
    for (size_t i = 0; listing->entry(i, text); i++)
        print_entry(out, listing->entry(i, text), text);
}

void cli_print_synopsis(FILE *out, const cli_command *command)
{
    fprintf(out, "imsat %s %s%s%s [options]", command->name, command->operands,
            command->required ? " " : "", command->required ? command->required : "");
}

static void print_examples(FILE *out, const char *examples)
{
    fputs("\nExamples\n", out);
    while (*examples) {
        const size_t length = strcspn(examples, "\n");
        fprintf(out, "  %.*s\n", (int)length, examples);
        examples += length;
        examples += *examples == '\n';
    }
}

static int has_output(const cli_command *command)
{
    for (size_t g = 0; command->groups[g]; g++)
        for (size_t i = 0; i < command->groups[g]->count; i++)
            if (command->groups[g]->options[i].file > CLI_INPUT)
                return 1;
    return 0;
}

void cli_print_help(FILE *out, const cli_command *command)
{
    fprintf(out, "imsat %s: %s\n\nUsage: ", command->name, command->summary);
    cli_print_synopsis(out, command);
    fputs("\n\n", out);
    print_wrapped(out, command->about, 0, 0);
    for (size_t g = 0; command->groups[g]; g++) {
        if (command->groups[g]->count == 0)
            continue;
        fprintf(out, "\n%s\n", command->groups[g]->title);
        for (size_t i = 0; i < command->groups[g]->count; i++)
            print_option(out, &command->groups[g]->options[i]);
    }
    for (size_t g = 0; command->groups[g]; g++)
        for (size_t i = 0; i < command->groups[g]->count; i++)
            print_choices(out, &command->groups[g]->options[i]);
    if (command->listing)
        print_listing(out, command->listing);
    if (has_output(command)) {
        fputc('\n', out);
        print_wrapped(out, cli_output_rule, 0, 0);
    }
    print_examples(out, command->examples);
}

void cli_print_commands(FILE *out)
{
    fputs("imsat learns clusters or hash codes of data without labels, and searches codes.\n\n"
          "Usage: imsat COMMAND ...\n\n",
          out);
    for (size_t i = 0; i < cli_commands_count; i++)
        fprintf(out, "  %-15s %s\n", cli_commands[i].name, cli_commands[i].summary);
    fputs("\n'imsat help COMMAND' explains one; 'imsat --version' prints the version.\n", out);
}

int cli_help(const cli_command *command, cli_args *args)
{
    const int wanted =
        args->man + args->markdown + (args->completion != NULL) + (args->files.count > 0);
    if (wanted > 1)
        return cli_usage(command, "give one of COMMAND, --man, --markdown and --completion");
    if (args->man)
        cli_print_man(stdout);
    else if (args->markdown)
        cli_print_markdown(stdout);
    else if (args->completion)
        cli_print_completion(stdout, args->completion);
    else if (args->files.count == 0)
        cli_print_commands(stdout);
    else {
        int words;
        const int count = (int)args->files.count;
        const cli_command *about = cli_find_command(count, args->files.items, &words);
        if (!about)
            return CLI_USAGE;
        if (words < count)
            return cli_usage(command, "unexpected word '%s'", args->files.items[words]);
        cli_print_help(stdout, about);
    }
    return CLI_OK;
}
