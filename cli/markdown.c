/* SPDX-License-Identifier: MIT
 * `imsat help --markdown`: the table as docs/cli.md. */
#include "cli.h"

#include <string.h>

/* Text inside a table cell: a bar would end the cell. */
static void print_cell(FILE *out, const char *text)
{
    for (; *text; text++)
        fprintf(out, "%s%c", *text == '|' ? "\\" : "", *text);
}

static void print_group(FILE *out, const cli_group *group)
{
    fprintf(out, "\n### %s\n\n| option | | default |\n| --- | --- | --- |\n", group->title);
    for (size_t i = 0; i < group->count; i++) {
        char title[64], buffer[64];
        const char *standard = cli_option_default(&group->options[i], buffer, sizeof buffer);
        cli_option_title(title, sizeof title, &group->options[i]);
        fputs("| `", out);
        print_cell(out, title);
        fputs("` | ", out);
        print_cell(out, group->options[i].help);
        fputs(" | ", out);
        print_cell(out, standard ? standard : "");
        fputs(" |\n", out);
    }
}

/* Methods and presets, a list each. */
static void print_choices(FILE *out, const cli_option *option)
{
    if (!option->choice || !cli_choice_summary(option, 0))
        return;
    fprintf(out, "\n`--%s` is one of:\n\n", option->name);
    for (size_t i = 0; option->choice(i); i++)
        fprintf(out, "- `%s`: %s\n", option->choice(i), cli_choice_summary(option, i));
}

static void print_listing(FILE *out, const cli_listing *listing)
{
    char text[CLI_LISTING_ROOM];
    fprintf(out, "\n### %s\n\n", listing->title);
    for (size_t i = 0; listing->entry(i, text); i++)
        fprintf(out, "- `%s`: %s\n", listing->entry(i, text), text);
}

static void print_about(FILE *out, const char *text)
{
    for (; *text; text++)
        fputs(*text == '\n' ? "\n\n" : (const char[]){*text, 0}, out);
    fputc('\n', out);
}

static void print_command(FILE *out, const cli_command *command)
{
    fprintf(out, "\n## imsat %s\n\n    ", command->name);
    cli_print_synopsis(out, command);
    fputs("\n\n", out);
    print_about(out, command->about);
    for (size_t g = 0; command->groups[g]; g++) {
        if (command->groups[g]->count == 0)
            continue;
        print_group(out, command->groups[g]);
        for (size_t i = 0; i < command->groups[g]->count; i++)
            print_choices(out, &command->groups[g]->options[i]);
    }
    if (command->listing)
        print_listing(out, command->listing);
    fprintf(out, "\n### Examples\n\n```sh\n%s\n```\n", command->examples);
}

void cli_print_markdown(FILE *out)
{
    fputs("# The program imsat\n\n"
          "This page is printed by `imsat help --markdown`.\n\n"
          "Results go to stdout, messages and progress to stderr. The program exits with 0, "
          "with 1\non failure, with 2 if the command line is wrong, and with 130 on Ctrl-C "
          "(143 on SIGTERM,\n129 on SIGHUP) after it has saved a checkpoint, if one was "
          "asked for. With\n`IMSAT_KERNELS=ref` in the environment training uses the plain C "
          "kernels: slower, and\nthe same bits. What comes from a pipe is kept in a file "
          "without a "
          "name in `$TMPDIR`, or\n`/tmp`, while it is needed.\n\n",
          out);
    fprintf(out, "%s %s\n\n", cli_output_rule, cli_input_rule);
    for (size_t i = 0; i < cli_commands_count; i++)
        fprintf(out, "- `imsat %s`: %s\n", cli_commands[i].name, cli_commands[i].summary);
    for (size_t i = 0; i < cli_commands_count; i++)
        print_command(out, &cli_commands[i]);
}
