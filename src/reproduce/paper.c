/* SPDX-License-Identifier: MIT
 * See paper.h. */
#include "reproduce/paper.h"

#include <math.h>
#include <string.h>

#define CLUSTERING .experiment = IMSAT_EXPERIMENT_CLUSTERING
#define OMNIGLOT   .experiment = IMSAT_EXPERIMENT_OMNIGLOT
#define HASH16     .experiment = IMSAT_EXPERIMENT_HASH16
#define HASH32     .experiment = IMSAT_EXPERIMENT_HASH32
#define SWEEP      .experiment = IMSAT_EXPERIMENT_SWEEP
#define TOY        .experiment = IMSAT_EXPERIMENT_TOY

/* Where the paper writes "36.5 (0.8", a parenthesis is missing. */
/* clang-format off */
const im_paper_row im_paper_table[] = {
    /* mnist, omniglot, stl, cifar10, cifar100, svhn, reuters, 20news */
    {CLUSTERING, .method = "kmeans", .once = true,
     .figure = {53.2, 0, 12.0, 0, 85.6, 0, 34.4, 0, 21.5, 0, 17.9, 0, 54.1, 0, 15.5, 0}},
    {CLUSTERING, .method = "dae-kmeans", .once = true,
     .figure = {79.8, 0, 14.1, 0, 72.2, 0, 44.2, 0, 20.8, 0, 17.4, 0, 67.2, 0, 22.1, 0}},
    {CLUSTERING, .method = "dec", .start = "dae-kmeans", .once = true,
     .figure = {84.3, 0, 5.7, 0.3, 78.1, 0.1, 46.9, 0.9, 14.3, 0.6, 11.9, 0.4, 67.3, 0.2, 30.8, 1.8}},
    {CLUSTERING, .method = "linear-rim",
     .figure = {59.6, 2.3, 11.1, 0.2, 73.5, 6.5, 40.3, 2.1, 23.7, 0.8, 20.2, 1.4, 62.8, 7.8, 50.9, 3.1}},
    {CLUSTERING, .method = "deep-rim",
     .figure = {58.5, 3.5, 5.8, 2.2, 92.5, 2.2, 40.3, 3.5, 13.4, 1.2, 26.8, 3.2, 62.3, 3.9, 25.1, 2.8}},
    {CLUSTERING, .method = "linear-imsat-vat",
     .figure = {61.1, 1.9, 12.3, 0.2, 91.7, 0.5, 40.7, 0.6, 23.9, 0.4, 18.2, 1.9, 42.9, 0.8, 43.9, 3.3}},
    {CLUSTERING, .method = "imsat-rpt",
     .figure = {89.6, 5.4, 16.4, 3.1, 92.8, 2.5, 45.5, 2.9, 24.7, 0.5, 35.9, 4.3, 71.9, 6.5, 24.4, 4.7}},
    {CLUSTERING, .method = "imsat-vat",
     .figure = {98.4, 0.4, 24.0, 0.9, 94.1, 0.4, 45.6, 0.8, 27.5, 0.4, 57.3, 3.9, 71.0, 4.9, 31.1, 1.9}},

    {OMNIGLOT, .method = "imsat-vat", .figure = {24.0, 0.9}},
    {OMNIGLOT, .method = "imsat-affine", .figure = {45.1, 2.0}},
    {OMNIGLOT, .method = "imsat-vat-affine", .figure = {70.0, 2.0}},

    /* mAP, precision at 500, precision within 2; each of mnist, then of cifar10 */
    {HASH16, .method = "spectral-hash", .once = true,
     .figure = {26.6, 0, 12.6, 0, 56.3, 0, 18.8, 0, 57.5, 0, 18.5, 0}},
    {HASH16, .method = "itq", .once = true,
     .figure = {41.2, 0, 15.7, 0, 66.4, 0, 22.5, 0, 65.7, 0, 22.6, 0}},
    {HASH16, .method = "deep-hash", .hidden = "60,30", .once = true,
     .figure = {43.1, 0, 16.2, 0, 67.9, 0, 23.8, 0, 66.1, 0, 23.3, 0}},
    {HASH16, .method = "linear-rim",
     .figure = {35.9, 0.6, 24.0, 3.5, 68.9, 1.1, 15.9, 0.5, 71.3, 0.9, 14.2, 0.3}},
    {HASH16, .method = "deep-rim", .hidden = "60,30",
     .figure = {42.7, 2.8, 15.2, 0.5, 67.9, 2.7, 21.8, 0.9, 65.9, 2.7, 21.2, 0.9}},
    {HASH16, .method = "deep-rim", .hidden = "200,200",
     .figure = {43.7, 3.7, 15.6, 0.6, 68.7, 4.9, 21.6, 1.2, 67.0, 4.9, 21.1, 1.1}},
    {HASH16, .method = "deep-rim", .hidden = "400,400",
     .figure = {43.9, 2.7, 15.4, 0.2, 69.0, 3.2, 21.5, 0.4, 66.7, 3.2, 20.9, 0.3}},
    {HASH16, .method = "imsat-vat", .hidden = "60,30",
     .figure = {61.2, 2.5, 19.8, 1.2, 78.6, 2.1, 21.0, 1.8, 76.5, 2.3, 19.3, 1.6}},
    {HASH16, .method = "imsat-vat", .hidden = "200,200",
     .figure = {80.7, 2.2, 21.2, 0.8, 95.8, 1.0, 27.3, 1.3, 94.6, 1.4, 26.1, 1.3}},
    {HASH16, .method = "imsat-vat", .hidden = "400,400",
     .figure = {83.9, 2.3, 21.4, 0.5, 97.0, 0.8, 27.3, 1.1, 96.2, 1.1, 26.4, 1.0}},

    {HASH32, .method = "spectral-hash", .once = true,
     .figure = {25.7, 0, 12.4, 0, 61.3, 0, 19.7, 0, 65.3, 0, 20.6, 0}},
    {HASH32, .method = "itq", .once = true,
     .figure = {43.8, 0, 16.2, 0, 74.0, 0, 25.3, 0, 73.1, 0, 15.0, 0}},
    {HASH32, .method = "deep-hash", .hidden = "80,50", .once = true,
     .figure = {45.0, 0, 16.6, 0, 74.7, 0, 26.0, 0, 73.3, 0, 15.8, 0}},
    {HASH32, .method = "linear-rim",
     .figure = {29.7, 0.4, 21.2, 3.0, 68.9, 0.9, 16.7, 0.8, 60.9, 2.2, 15.2, 0.9}},
    {HASH32, .method = "deep-rim", .hidden = "80,50",
     .figure = {34.8, 0.7, 14.2, 0.3, 72.7, 2.2, 24.0, 0.9, 72.6, 2.1, 23.5, 1.0}},
    {HASH32, .method = "deep-rim", .hidden = "200,200",
     .figure = {36.5, 0.8, 14.1, 0.2, 76.2, 1.7, 23.7, 0.7, 75.9, 1.6, 23.3, 0.7}},
    {HASH32, .method = "deep-rim", .hidden = "400,400",
     .figure = {37.0, 1.2, 14.2, 0.4, 76.1, 2.2, 23.9, 1.3, 75.7, 2.3, 23.7, 1.2}},
    {HASH32, .method = "imsat-vat", .hidden = "80,50",
     .figure = {55.4, 1.4, 20.0, 5.5, 87.6, 1.3, 23.5, 3.4, 88.8, 1.3, 22.4, 3.2}},
    {HASH32, .method = "imsat-vat", .hidden = "200,200",
     .figure = {62.9, 1.1, 18.9, 0.7, 96.1, 0.6, 29.8, 1.6, 95.8, 0.4, 29.1, 1.4}},
    {HASH32, .method = "imsat-vat", .hidden = "400,400",
     .figure = {64.8, 0.8, 18.9, 0.5, 97.3, 0.4, 30.8, 1.2, 96.7, 0.6, 29.2, 1.2}},

    {SWEEP, .method = "linear-rim", .option = "decay", .chosen = 0.005},
    {SWEEP, .method = "deep-rim", .option = "decay", .chosen = 0.005},
    {SWEEP, .method = "linear-imsat-vat", .option = "lambda", .chosen = 1.6},
    {SWEEP, .method = "imsat-rpt", .option = "lambda", .chosen = 0.05},
    {SWEEP, .method = "imsat-vat", .option = "lambda", .chosen = 0.1},

    {TOY, .method = "imsat-vat", .hidden = "5,5"},
    {TOY, .method = "imsat-vat", .hidden = "10,10"},
    {TOY, .method = "imsat-vat", .hidden = "20,20"},
    {TOY, .method = "deep-rim", .hidden = "5,5"},
    {TOY, .method = "deep-rim", .hidden = "10,10"},
    {TOY, .method = "deep-rim", .hidden = "20,20"},
};
/* clang-format on */
const size_t im_paper_count = sizeof im_paper_table / sizeof *im_paper_table;

/* The data sets of each table, in its order; digits is ours, so that there is something to try
 * in minutes. */
static const char *const sets[IMSAT_EXPERIMENTS][IM_PAPER_SETS + 2] = {
    [IMSAT_EXPERIMENT_CLUSTERING] = {"mnist", "omniglot", "stl", "cifar10", "cifar100", "svhn",
                                     "reuters", "20news", "digits"},
    [IMSAT_EXPERIMENT_HASH16] = {"mnist", "cifar10", "digits"},
    [IMSAT_EXPERIMENT_HASH32] = {"mnist", "cifar10", "digits"},
    [IMSAT_EXPERIMENT_OMNIGLOT] = {"omniglot"},
    [IMSAT_EXPERIMENT_SWEEP] = {"mnist", "omniglot", "stl", "cifar10", "cifar100", "svhn",
                                "reuters", "20news", "digits"},
    [IMSAT_EXPERIMENT_TOY] = {"spirals"}};

const char *im_paper_set(imsat_experiment experiment, size_t i)
{
    return i < IM_PAPER_SETS + 2 ? sets[experiment][i] : NULL;
}

static bool starts_from(const im_paper_row *row, const im_paper_row *other)
{
    return row->start && row->experiment == other->experiment &&
           strcmp(row->start, other->method) == 0;
}

const im_paper_row *im_paper_start(const im_paper_row *row)
{
    for (size_t i = 0; i < im_paper_count; i++)
        if (starts_from(row, &im_paper_table[i]))
            return &im_paper_table[i];
    return NULL;
}

bool im_paper_is_start(const im_paper_row *row)
{
    for (size_t i = 0; i < im_paper_count; i++)
        if (starts_from(&im_paper_table[i], row))
            return true;
    return false;
}

static bool has_codes(imsat_experiment experiment)
{
    return experiment == IMSAT_EXPERIMENT_HASH16 || experiment == IMSAT_EXPERIMENT_HASH32;
}

bool im_paper_scores(imsat_experiment experiment, im_score score)
{
    return (score != IM_SCORE_ACC) == has_codes(experiment);
}

/* Where the figure of a score begins among those of a row. */
static size_t first_of(im_score score)
{
    return score == IM_SCORE_AT ? 2 : score == IM_SCORE_WITHIN ? 4 : 0;
}

im_paper_value im_paper_figure(const im_paper_row *row, const char *dataset, im_score score)
{
    im_paper_value value = {NAN, NAN};
    const size_t known = has_codes(row->experiment) ? 2 : IM_PAPER_SETS;
    if (score == IM_SCORE_MAP_BLOCK)
        return value;
    for (size_t i = 0; i < known && im_paper_set(row->experiment, i); i++) {
        const double *figure = row->figure + 2 * (first_of(score) + i);
        if (strcmp(im_paper_set(row->experiment, i), dataset) != 0 || figure[0] == 0)
            continue;
        value.mean = figure[0];
        value.deviation = figure[1] > 0 ? figure[1] : NAN;
    }
    return value;
}

const char *im_paper_score(im_score score)
{
    static const char *const names[IM_SCORES] = {"ACC", "mAP", "mAP, block", "P@500", "P@r=2"};
    return names[score];
}

const char *im_paper_score_key(im_score score)
{
    static const char *const keys[IM_SCORES] = {"acc", "map_trapezoid", "map_block",
                                                "precision_at", "precision_radius"};
    return keys[score];
}

/* ---- the public view ------------------------------------------------------------------ */

static const char *const about[IMSAT_EXPERIMENTS][2] = {
    {"clustering", "table 3: accuracy of eight methods on eight data sets"},
    {"hash16", "table 5: codes of 16 bits"},
    {"hash32", "table 6: codes of 32 bits"},
    {"omniglot", "table 4: augmentations on Omniglot, with a figure"},
    {"sweep", "appendix G: the choice of lambda and of the decay rate, with a figure"},
    {"toy", "appendix I: spirals and the size of the network, a figure"}};

const char *imsat_experiment_name(imsat_experiment experiment)
{
    return (unsigned)experiment < IMSAT_EXPERIMENTS ? about[experiment][0] : NULL;
}

const char *imsat_experiment_summary(imsat_experiment experiment)
{
    return (unsigned)experiment < IMSAT_EXPERIMENTS ? about[experiment][1] : NULL;
}
