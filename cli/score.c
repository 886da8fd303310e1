/* SPDX-License-Identifier: MIT
 * The scores against true labels, for `cluster` and `eval cluster`. */
#include "cli.h"

void cli_score_print(FILE *out, const imsat_cluster_score *score)
{
    fprintf(out,
            "ACC     %.4f   share of points whose cluster is matched to their class, "
            "one to one\n",
            score->acc);
    fprintf(out, "NMI     %.4f   information that clusters and classes share, 0 to 1\n",
            score->nmi);
    fprintf(out,
            "ARI     %.4f   pairs of points that both treat alike; 0 = chance, "
            "1 = equal\n",
            score->ari);
    fprintf(out, "purity  %.4f   share of points in the largest class of their cluster\n",
            score->purity);
}

void cli_score_json(cli_json *object, const imsat_cluster_score *score)
{
    cli_json_number(object, "acc", score->acc);
    cli_json_number(object, "nmi", score->nmi);
    cli_json_number(object, "ari", score->ari);
    cli_json_number(object, "purity", score->purity);
    cli_json_count(object, "classes", score->classes);
}
