/* SPDX-License-Identifier: MIT
 * `imsat help --man`: the table as the manual page imsat(1), in the man macros. */
#include "cli.h"

#include <string.h>

/* Text of one or more paragraphs: hyphens stay hyphens when they are copied, and no line
 * begins with a control character. */
static void print_text(FILE *out, const char *text)
{
    int fresh = 1; /* at the start of a line */
    for (; *text; text++) {
        if (*text == '\n') {
            fputs("\n.PP\n", out);
            fresh = 1;
            continue;
        }
        if (fresh && (*text == '.' || *text == '\''))
            fputs("\\&", out);
        if (*text == '\\')
            fputs("\\e", out);
        else if (*text == '-')
            fputs("\\-", out);
        else
            fputc(*text, out);
        fresh = 0;
    }
}

static void print_option(FILE *out, const cli_option *option)
{
    char title[64], buffer[64];
    const char *standard = cli_option_default(option, buffer, sizeof buffer);
    cli_option_title(title, sizeof title, option);
    fputs(".TP\n.B ", out);
    print_text(out, title);
    fputc('\n', out);
    print_text(out, option->help);
    if (standard) {
        fputs(". Default: ", out);
        print_text(out, standard);
    }
    fputs(".\n", out);
    for (size_t i = 0; option->choice && option->choice(i); i++) {
        const char *summary = cli_choice_summary(option, i);
        if (!summary)
            continue;
        fputs(".RS\n.TP\n.I ", out);
        print_text(out, option->choice(i));
        fputc('\n', out);
        print_text(out, summary);
        fputs("\n.RE\n", out);
    }
}

static void print_listing(FILE *out, const cli_listing *listing)
{
    char text[CLI_LISTING_ROOM];
    fprintf(out, ".SS %s\n", listing->title);
    for (size_t i = 0; listing->entry(i, text); i++) {
        fprintf(out, ".TP\n.B %s\n", listing->entry(i, text));
        print_text(out, text);
        fputs(".\n", out);
    }
}

static void print_command(FILE *out, const cli_command *command)
{
    fputs(".SH IMSAT ", out);
    for (const char *p = command->name; *p; p++)
        fputc(*p >= 'a' && *p <= 'z' ? *p - 'a' + 'A' : *p, out);
    fputc('\n', out);
    print_text(out, command->about);
    fputc('\n', out);
    for (size_t g = 0; command->groups[g]; g++) {
        if (command->groups[g]->count == 0)
            continue;
        fputs(".SS ", out);
        print_text(out, command->groups[g]->title);
        fputc('\n', out);
        for (size_t i = 0; i < command->groups[g]->count; i++)
            print_option(out, &command->groups[g]->options[i]);
    }
    if (command->listing)
        print_listing(out, command->listing);
    fputs(".SS Examples\n.nf\n", out);
    for (const char *line = command->examples; *line;) {
        char copy[256];
        const size_t length = strcspn(line, "\n");
        snprintf(copy, sizeof copy, "%.*s", (int)length, line);
        print_text(out, copy);
        fputc('\n', out);
        line += length;
        line += *line == '\n';
    }
    fputs(".fi\n", out);
}

static void print_synopsis(FILE *out)
{
    fputs(".SH SYNOPSIS\n", out);
    for (size_t i = 0; i < cli_commands_count; i++) {
        const cli_command *command = &cli_commands[i];
        fprintf(out, "%s.B imsat %s\n", i ? ".br\n" : "", command->name);
        print_text(out, command->operands);
        if (command->required) {
            fputc(' ', out);
            print_text(out, command->required);
        }
        fputs(" [options]\n", out);
    }
}

static const char tail[] =
    ".SH ENVIRONMENT\n"
    ".TP\n.B IMSAT_KERNELS\n"
    "Set to \\(dqref\\(dq, training uses the plain C kernels: slower, and the same bits.\n"
    ".TP\n.B TERM\n"
    "Set to \\(dqdumb\\(dq, progress is printed as lines and never rewritten.\n"
    ".TP\n.B TMPDIR\n"
    "Where what comes from a pipe is kept while it is needed, in a file without a name;\n"
    "/tmp if it is not set.\n"
    ".SH EXIT STATUS\n"
    ".TP\n.B 0\nDone.\n"
    ".TP\n.B 1\nSomething failed; a message on stderr says what.\n"
    ".TP\n.B 2\nThe command line is wrong.\n"
    ".TP\n.B 130, 143, 129\n"
    "Stopped by Ctrl\\-C, SIGTERM or SIGHUP, after a checkpoint was saved if one was asked\n"
    "for.\n";

void cli_print_man(FILE *out)
{
    fprintf(out, ".TH IMSAT 1 \"\" \"imsat %s\" \"User Commands\"\n", imsat_version());
    fputs(".SH NAME\nimsat \\- learn clusters of data without labels\n", out);
    print_synopsis(out);
    fputs(".SH DESCRIPTION\n"
          "Results go to standard output, messages and progress to standard error.\n",
          out);
    print_text(out, cli_output_rule);
    fputs("\n", out);
    print_text(out, cli_input_rule);
    fputs("\nThe commands, in the order of their use:\n", out);
    for (size_t i = 0; i < cli_commands_count; i++) {
        fprintf(out, ".TP\n.B %s\n", cli_commands[i].name);
        print_text(out, cli_commands[i].summary);
        fputs(".\n", out);
    }
    for (size_t i = 0; i < cli_commands_count; i++)
        print_command(out, &cli_commands[i]);
    fputs(tail, out);
}
