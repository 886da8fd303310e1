/* SPDX-License-Identifier: MIT
 *
 * `imsat help --completion SHELL`: the table as completions.
 *
 * A command of two words ("eval cluster") is offered as its first word, then its second.
 * bash gets one function; zsh runs that function by way of its bashcompinit; fish gets one
 * line an option, with the help.
 */
#include "cli.h"

#include <string.h>

/* Call `visit` for every option of a command. */
typedef void visitor(FILE *out, const cli_command *command, const cli_option *option);

static void each_option(FILE *out, const cli_command *command, visitor *visit)
{
    for (size_t g = 0; command->groups[g]; g++)
        for (size_t i = 0; i < command->groups[g]->count; i++)
            visit(out, command, &command->groups[g]->options[i]);
}

/* The first words of the commands, each once. */
static void print_first_words(FILE *out)
{
    const char *last = "";
    for (size_t i = 0; i < cli_commands_count; i++) {
        const char *name = cli_commands[i].name;
        const size_t length = strcspn(name, " ");
        if (strncmp(last, name, length) != 0 || strcspn(last, " ") != length)
            fprintf(out, "%s%.*s", i ? " " : "", (int)length, name);
        last = name;
    }
}

/* Does an option take a word of the library's, beside numbers? */
static int takes_auto(const cli_option *option)
{
    return option->library && option->library->may_be_open;
}

/* The words that an option takes. */
static void print_choices(FILE *out, const cli_option *option)
{
    for (size_t i = 0; option->choice && option->choice(i); i++)
        fprintf(out, "%s%s", i ? " " : "", option->choice(i));
    if (takes_auto(option))
        fputs("auto", out);
}

/* ---- bash ---------------------------------------------------------------------- */

static void bash_name(FILE *out, const cli_command *command, const cli_option *option)
{
    (void)command;
    fprintf(out, " --%s", option->name);
    if (option->toggle)
        fprintf(out, " --no-%s", option->name);
}

/* A branch for an option whose value is not a file name, which is the default. */
static void bash_value(FILE *out, const cli_command *command, const cli_option *option)
{
    if (!option->argument || option->file)
        return;
    fprintf(out, "    '%s:--%s'", command->name, option->name);
    if (option->letter)
        fprintf(out, "|'%s:-%c'", command->name, option->letter);
    fputs(") files='' words='", out);
    print_choices(out, option);
    fputs("' ;;\n", out);
}

/* A branch for an option whose value is a file name. */
static void bash_file(FILE *out, const cli_command *command, const cli_option *option)
{
    if (!option->argument || !option->file)
        return;
    fprintf(out, "    '%s:--%s'", command->name, option->name);
    if (option->letter)
        fprintf(out, "|'%s:-%c'", command->name, option->letter);
    fputs(") files=1 ;;\n", out);
}

/* The words that an operand is one of. */
static void print_words(FILE *out, const cli_command *command)
{
    for (size_t i = 0; command->words(i); i++)
        fprintf(out, "%s%s", i ? " " : "", command->words(i));
}

static void bash_operand(FILE *out, const cli_command *command)
{
    if (!command->words)
        return;
    fprintf(out, "        [ \"$command\" = '%s' ] && files='' words='", command->name);
    print_words(out, command);
    fputs("'\n", out);
}

/* The words that may follow the first word of commands of two words. */
static void bash_second_words(FILE *out)
{
    for (size_t i = 0; i < cli_commands_count; i++) {
        const char *name = cli_commands[i].name, *space = strchr(name, ' ');
        if (space)
            fprintf(out, "        [ \"${COMP_WORDS[1]}\" = %.*s ] && words=\"$words %s\"\n",
                    (int)(space - name), name, space + 1);
    }
}

static void bash_function(FILE *out)
{
    fputs("_imsat() {\n"
          "    local now=\"${COMP_WORDS[COMP_CWORD]-}\" "
          "before=\"${COMP_WORDS[COMP_CWORD-1]-}\"\n"
          "    local command=\"${COMP_WORDS[1]}\" words='' files=''\n"
          "    case \"$command ${COMP_WORDS[2]-}\" in\n",
          out);
    for (size_t i = 0; i < cli_commands_count; i++)
        if (strchr(cli_commands[i].name, ' '))
            fprintf(out, "    '%s') command='%s' ;;\n", cli_commands[i].name,
                    cli_commands[i].name);
    fputs("    esac\n"
          "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        words='",
          out);
    print_first_words(out);
    fputs(" --version --help'\n"
          "    elif [ \"$COMP_CWORD\" -eq 2 ] && [ \"${now#-}\" = \"$now\" ]; then\n"
          "        files=1\n",
          out);
    bash_second_words(out);
    fputs("        [ -n \"$words\" ] && files=''\n"
          "    else\n"
          "        files=1\n"
          "    fi\n"
          "    case \"$command:$before\" in\n",
          out);
    for (size_t i = 0; i < cli_commands_count; i++) {
        each_option(out, &cli_commands[i], bash_value);
        each_option(out, &cli_commands[i], bash_file);
    }
    fputs("    *)\n", out);
    for (size_t i = 0; i < cli_commands_count; i++)
        bash_operand(out, &cli_commands[i]);
    fputs("        [ \"${now#-}\" = \"$now\" ] || case \"$command\" in\n", out);
    for (size_t i = 0; i < cli_commands_count; i++) {
        fprintf(out, "        '%s') files='' words='", cli_commands[i].name);
        each_option(out, &cli_commands[i], bash_name);
        fputs("' ;;\n", out);
    }
    fputs("        esac ;;\n"
          "    esac\n",
          out);
    fputs("    COMPREPLY=()\n"
          "    local word\n"
          "    while IFS='' read -r word; do\n"
          "        COMPREPLY+=(\"$word\")\n"
          "    done < <(if [ -n \"$files\" ]; then compgen -f -- \"$now\"\n"
          "             else compgen -W \"$words\" -- \"$now\"; fi)\n"
          "}\n",
          out);
}

/* ---- fish ---------------------------------------------------------------------- */

/* Text inside fish's single quotes. */
static void fish_quoted(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++)
        fprintf(out, "%s%c", *text == '\'' || *text == '\\' ? "\\" : "", *text);
    fputc('\'', out);
}

static void fish_condition(FILE *out, const cli_command *command)
{
    const char *name = command->name, *space = strchr(name, ' ');
    fprintf(out, "complete -c imsat -n '__fish_seen_subcommand_from %.*s",
            (int)strcspn(name, " "), name);
    if (space)
        fprintf(out, "; and __fish_seen_subcommand_from %s", space + 1);
    fputc('\'', out);
}

static void fish_option(FILE *out, const cli_command *command, const cli_option *option)
{
    fish_condition(out, command);
    if (option->letter)
        fprintf(out, " -s %c", option->letter);
    fprintf(out, " -l %s", option->name);
    if (option->argument)
        fputs(option->file ? " -r -F" : " -x", out);
    if (option->choice || takes_auto(option)) {
        fputs(" -a '", out);
        print_choices(out, option);
        fputc('\'', out);
    }
    fputs(" -d ", out);
    fish_quoted(out, option->help);
    fputc('\n', out);
    if (option->toggle) {
        fish_condition(out, command);
        fprintf(out, " -l no-%s -d 'not --%s'\n", option->name, option->name);
    }
}

/* The words of a command's name; the first of two has no help, as others share it. */
static void fish_command(FILE *out, const cli_command *command)
{
    const char *space = strchr(command->name, ' ');
    const int length = (int)strcspn(command->name, " ");
    fprintf(out, "complete -c imsat -f -n __fish_use_subcommand -a %.*s", length,
            command->name);
    if (space)
        fprintf(out, "\ncomplete -c imsat -f -n '__fish_seen_subcommand_from %.*s' -a %s",
                length, command->name, space + 1);
    fputs(" -d ", out);
    fish_quoted(out, command->summary);
    fputc('\n', out);
}

static void fish_operand(FILE *out, const cli_command *command)
{
    if (!command->words)
        return;
    fish_condition(out, command);
    fputs(" -f -a '", out);
    print_words(out, command);
    fputs("'\n", out);
}

static void print_fish(FILE *out)
{
    for (size_t i = 0; i < cli_commands_count; i++)
        fish_command(out, &cli_commands[i]);
    for (size_t i = 0; i < cli_commands_count; i++)
        fish_operand(out, &cli_commands[i]);
    for (size_t i = 0; i < cli_commands_count; i++)
        each_option(out, &cli_commands[i], fish_option);
}

/* ---- all ----------------------------------------------------------------------- */

void cli_print_completion(FILE *out, const char *shell)
{
    if (strcmp(shell, "fish") == 0) {
        print_fish(out);
        return;
    }
    if (strcmp(shell, "zsh") == 0)
        fputs("#compdef imsat\nautoload -U +X bashcompinit && bashcompinit\n", out);
    bash_function(out);
    fputs("complete -o filenames -F _imsat imsat\n", out);
}
