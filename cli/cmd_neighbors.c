/* SPDX-License-Identifier: MIT
 * imsat neighbors DATA... -o RADIUS */
#include "cli.h"

#include <stdlib.h>

static imsat_status compute(const cli_command *command, cli_args *args, const imsat_data *data,
                            float *radius, imsat_error *err)
{
    const size_t n = imsat_data_rows(data);
    cli_progress progress;
    imsat_radius_info info;
    cli_progress_start(&progress, &args->options, args->quiet);
    cli_signals_catch();
    const imsat_status st = imsat_neighbor_radius(radius, &info, data, &args->options, err);
    cli_progress_finish(&progress, st == IMSAT_OK);
    if (st == IMSAT_OK && info.method == IMSAT_RADIUS_APPROX && !args->quiet)
        cli_say(command,
                "the radius is approximate: %.2f %% too large on average over a sample of %zu "
                "rows",
                100 * info.error, info.sample);
    if (st != IMSAT_OK)
        return st;
    if (args->output)
        return cli_column_write(args->output, cli_rows_format(args),
                                (imsat_output_column){"radius", IMSAT_NPY_FLOAT32, 0}, radius,
                                n, err);
    for (size_t i = 0; i < n && !ferror(stdout); i++)
        printf("%.9g\n", (double)radius[i]);
    return IMSAT_OK;
}

int cli_neighbors(const cli_command *command, cli_args *args)
{
    imsat_data *data = NULL;
    float *radius = NULL;
    imsat_error err;
    int code = CLI_FAILED;

    if (args->options.neighbor == 0)
        return cli_usage(command, "--neighbor 0: must be 1 or more");
    imsat_status st = cli_data_open(command, args, &data, &err);
    if (st != IMSAT_OK) {
        cli_failed(command, &err);
        goto cleanup;
    }
    radius = calloc(imsat_data_rows(data), sizeof *radius);
    if (!radius) {
        cli_say(command, "no memory for the radius of %zu rows", imsat_data_rows(data));
        goto cleanup;
    }
    st = compute(command, args, data, radius, &err);
    if (st == IMSAT_ESTOPPED && cli_signal_caught()) {
        cli_say(command, "stopped; nothing was written");
        code = 128 + cli_signal_caught();
    } else {
        code = st == IMSAT_OK ? CLI_OK : cli_failed(command, &err);
    }

cleanup:
    free(radius);
    imsat_data_free(data);
    return code;
}
