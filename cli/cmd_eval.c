/* SPDX-License-Identifier: MIT
 * imsat eval cluster PREDICTED TRUTH... */
#include "cli.h"

static int print_score(const cli_command *command, const cli_args *args,
                       const imsat_cluster_score *score, size_t n)
{
    if (!args->json) {
        printf("%zu points, %zu clusters, %zu classes\n", n, score->clusters, score->classes);
        cli_score_print(stdout, score);
        return CLI_OK;
    }
    cli_json *object = cli_json_new();
    cli_json_count(object, "n", n);
    cli_json_count(object, "clusters", score->clusters);
    cli_score_json(object, score);
    cli_json_text(object, "version", imsat_version());
    return cli_json_finish(command, args, object);
}

int cli_eval_cluster(const cli_command *command, cli_args *args)
{
    int32_t *predicted = NULL, *truth = NULL;
    size_t n = 0, n_truth = 0;
    imsat_cluster_score score;
    imsat_error err;
    int code = CLI_FAILED;

    imsat_status st = imsat_labels_read(&predicted, &n, args->files.items, 1, &err);
    if (st == IMSAT_OK)
        st = imsat_labels_read(&truth, &n_truth, args->files.items + 1, args->files.count - 1,
                               &err);
    if (st == IMSAT_OK && n != n_truth) {
        cli_say(command, "%s has %zu labels, the truth has %zu", args->files.items[0], n,
                n_truth);
        goto cleanup;
    }
    if (st == IMSAT_OK)
        st = imsat_evaluate_clusters(&score, predicted, truth, n, &err);
    code = st == IMSAT_OK ? print_score(command, args, &score, n) : cli_failed(command, &err);

cleanup:
    imsat_free(truth);
    imsat_free(predicted);
    return code;
}
