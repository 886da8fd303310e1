/* SPDX-License-Identifier: MIT
 * The program: find the command, read its options, run it. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include "imsat/build.h"
#include "imsat/process.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* What options set for the whole process. */
static int set_limits(const cli_command *command, const cli_args *args)
{
    imsat_error err;
    imsat_set_max_unpacked(args->max_unpacked);
    return imsat_set_max_memory(args->memory, &err) == IMSAT_OK ? CLI_OK
                                                                : cli_failed(command, &err);
}

static int run_command(int argc, char **argv)
{
    cli_args args;
    int words = 0;
    const cli_command *command = cli_find_command(argc, (const char *const *)argv, &words);
    if (!command)
        return CLI_USAGE;

    int code = cli_parse(&args, command, argc - words, argv + words);
    if (code == CLI_OK) {
        if (args.help)
            cli_print_help(stdout, command);
        else
            code = cli_files_check(command, &args);
        if (code == CLI_OK && !args.help)
            code = set_limits(command, &args);
        if (code == CLI_OK && !args.help)
            code = command->run(command, &args);
    }
    if (cli_flush(command) != CLI_OK && code == CLI_OK)
        code = CLI_FAILED;
    cli_args_clear(&args);
    return code;
}

/* The version, and the libraries that it was built with and without. */
static int print_version(void)
{
    int with = 0, without = 0;
    printf("imsat %s\n", imsat_version());
    for (size_t i = 0; imsat_feature_name(i); i++)
        if (imsat_feature_built(i))
            printf("%s%s", with++ ? ", " : "with ", imsat_feature_name(i));
    if (with)
        putchar('\n');
    for (size_t i = 0; imsat_feature_name(i); i++)
        if (!imsat_feature_built(i))
            printf("%s%s (%s)", without++ ? ", " : "without ", imsat_feature_name(i),
                   imsat_feature_package(i));
    if (without)
        putchar('\n');
    return cli_flush(NULL);
}

int main(int argc, char **argv)
{
    if (cli_streams_fill() != CLI_OK)
        return CLI_FAILED;
    /* A reader that goes away must not kill the program between two output files. */
    signal(SIGPIPE, SIG_IGN);
    imsat_guard_maps();
    imsat_try_files();
    imsat_set_temporary_folder(getenv("TMPDIR"));
    cli_library_fill();
    if (argc < 2) {
        cli_print_commands(stderr);
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "--version") == 0)
        return print_version();
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        cli_print_commands(stdout);
        return cli_flush(NULL);
    }
    if (argv[1][0] == '-')
        return cli_usage(NULL, "'%s' is not a command; a command comes first", argv[1]);
    return run_command(argc - 1, argv + 1);
}
