/* SPDX-License-Identifier: MIT
 *
 * Command lines, a word a line: one is parsed, or refused with an exit code and a message that
 * offers help. Words that are no options are those of the line, in its order. */
#define _GNU_SOURCE
#include "../../cli/cli.h"
#include "training.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 256, SAID_ROOM = 8192 };

/* What the program says; stderr itself is left to the one who drives the target. */
static char said[SAID_ROOM];
static FILE *real_stderr, *said_stream;

static void begin(void)
{
    cli_library_fill();
    real_stderr = stderr;
    said_stream = fmemopen(said, sizeof said, "w");
    REQUIRE(said_stream, "no memory for what is said");
    fuzz_seed_text("cluster\nx.npy\n-k\n3\n--hidden\n4,5\n--labels=y.npy\n-q");
    fuzz_seed_text("hash\n--bits\n16\nx.csv\n--label-column\n-1\n--preset\npaper");
    fuzz_seed_text("search\nindex\nqueries.npy\n-n5\n--method\nmih\n--\n-odd");
    fuzz_seed_text("eval\nhash\n--gallery\na.npy\nb.npy\n--queries\nc.npy\nd.npy");
    fuzz_seed_text("index\n--append\ncodes.npy\n-o\nindex\n--ids\nids.npy");
    fuzz_seed_text("cluster\nx.npy\n-k2\n--no-standardize\n--image\n2x3");
    fuzz_seed_text("export\ncodes.npy\n--to\nfaiss\n-o\nout\n--bit-order\nlsb");
    fuzz_seed_text("neighbors\nx.npy\n--scale\n1e3");
    fuzz_seed_text("info\nmodel\n--json");
    fuzz_seed_text("cluster\n-qh");
}

/* Cut the text at its line ends; how many words there are. */
static int split(char **words, char *text)
{
    int count = 0;
    while (*text) {
        words[count++] = text;
        text += strcspn(text, "\n");
        if (*text)
            *text++ = '\0';
    }
    return count;
}

static void check_parsed(const cli_args *args, const cli_command *command, int argc)
{
    imsat_error err = {{0}};
    REQUIRE(args->files.count <= (size_t)argc && args->truth.count <= (size_t)argc,
            "more files than words");
    REQUIRE(args->help || (args->files.count >= command->min_files &&
                           args->files.count <= command->max_files),
            "%zu files", args->files.count);
    REQUIRE(args->codes.bits <= IMSAT_MAX_BITS && args->hash.threads >= 0, "%zu bits",
            args->codes.bits);
    if (command->learns && !args->help) {
        const imsat_status st = imsat_options_check(&args->options, training_data(), &err);
        if (st != IMSAT_OK)
            fuzz_refused_value(st, &err);
    }
}

static int parse(int argc, char **argv)
{
    cli_args args;
    int words = 0;
    const cli_command *command = cli_find_command(argc, (const char *const *)argv, &words);
    if (!command)
        return CLI_USAGE;
    const int code = cli_parse(&args, command, argc - words, argv + words);
    if (code == CLI_OK)
        check_parsed(&args, command, argc);
    cli_args_clear(&args);
    return code;
}

static bool run(const uint8_t *input, size_t size)
{
    static char text[MOST + 1], *words[MOST + 1];
    memcpy(text, input, size);
    text[size] = '\0';
    const int count = split(words, text);
    if (count == 0)
        return false;
    rewind(said_stream);
    stderr = said_stream;
    const int code = parse(count, words);
    fflush(said_stream);
    stderr = real_stderr;
    const long length = ftell(said_stream);
    said[length < SAID_ROOM ? length : SAID_ROOM - 1] = '\0';
    REQUIRE(code == CLI_OK || code == CLI_USAGE, "the exit code is %d", code);
    REQUIRE(code == CLI_USAGE
                ? strncmp(said, "imsat", 5) == 0 && strstr(said, "Try 'imsat help")
                : length == 0,
            "exit code %d after saying '%s'", code, said);
    return code == CLI_OK;
}

/* Any option of the table as a word: by name, negated, with a value, or by its letter. */
static void any_option(char *word, size_t room)
{
    const cli_command *command = &cli_commands[fuzz_below(cli_commands_count)];
    size_t groups = 0, choices = 0;
    while (command->groups[groups])
        groups++;
    const cli_group *group = command->groups[fuzz_below(groups)];
    if (!groups || !group->count) {
        snprintf(word, room, "%s", command->name);
        return;
    }
    const cli_option *option = &group->options[fuzz_below(group->count)];
    while (option->choice && option->choice(choices))
        choices++;
    if (option->letter && fuzz_below(2))
        snprintf(word, room, "-%c", option->letter);
    else if (choices && fuzz_below(2))
        snprintf(word, room, "--%s=%s", option->name, option->choice(fuzz_below(choices)));
    else
        snprintf(word, room, "--%s%s%s", fuzz_below(8) ? "" : "no-", option->name,
                 option->argument && fuzz_below(2) ? "=1" : "");
}

static size_t mutate(uint8_t *input, size_t size, size_t room)
{
    char word[96];
    if (fuzz_below(2))
        return LLVMFuzzerMutate(input, size, room);
    any_option(word, sizeof word);
    return fuzz_put_line(input, size, room, word);
}

const fuzz_target fuzz_this = {"args", MOST, begin, run, mutate};
