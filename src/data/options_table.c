/* SPDX-License-Identifier: MIT
 *
 * The table of options; see options.h. The order is that of the record in model files.
 */
#include "data/options.h"
#include "imsat/search.h"

#include <math.h>
#include <stddef.h>

#define FIELD(field)                                                                          \
    .offset = offsetof(imsat_options, field), .width = sizeof(((imsat_options *)0)->field)
#define SAME(text)                        .standard = {text, text, text}
#define BY_PRESET(ours, paper, reference) .standard = {ours, paper, reference}
#define FROM(lowest)                      .least = (lowest), .most = (double)INFINITY
#define ABOVE(lowest)                     FROM(lowest), .above_least = 1
#define ANY                               .least = -(double)INFINITY, .most = (double)INFINITY
#define COUNT_FROM(lowest)                .least = (lowest), .most = 1e9
#define CLUSTER                           (1U << IMSAT_TASK_CLUSTER)
#define HASH                              (1U << IMSAT_TASK_HASH)
#define BOTH                              (CLUSTER | HASH)

static const char *task_choice(size_t i)
{
    return imsat_task_name((imsat_task)i);
}

static const char *preset_choice(size_t i)
{
    return imsat_preset_name((imsat_preset)i);
}

static const char *radius_choice(size_t i)
{
    return imsat_radius_method_name((imsat_radius_method)i);
}

static const char *covariance_choice(size_t i)
{
    return imsat_covariance_name((imsat_covariance)i);
}

static const char *warps_choice(size_t i)
{
    return imsat_warps_name((imsat_warps)i);
}

/* A table reads better as one. */
/* clang-format off */
const im_option im_options_table[] = {
    {{.name = "task", .type = IMSAT_OPTION_CHOICE, .section = IMSAT_SECTION_LIBRARY,
      .tasks = BOTH, .recorded = 1, .choice = task_choice,
      .help = "what is learned: clusters or hash codes"},
     FIELD(task)},
    {{.name = "method", .type = IMSAT_OPTION_TEXT, .section = IMSAT_SECTION_TASK,
      .tasks = BOTH, .recorded = 1, .argument = "M", .fallback = "imsat-vat",
      .help = "how to learn; see Methods"},
     FIELD(method)},
    {{.name = "preset", .type = IMSAT_OPTION_CHOICE, .section = IMSAT_SECTION_TASK,
      .tasks = BOTH, .recorded = 1, .argument = "P", .choice = preset_choice,
      .fallback = "default", .help = "where all other settings start from; see Presets"},
     FIELD(preset)},
    {{.name = "radius_method", .type = IMSAT_OPTION_CHOICE,
      .section = IMSAT_SECTION_AUGMENTATION, .tasks = BOTH, .recorded = 1,
      .argument = "WAY", .choice = radius_choice, .fallback = "auto",
      .help = "exact: all pairs of rows, time grows with n^2; approx: near rows only, with "
              "n^1.5, and the error is measured; auto: exact below 100000 rows"},
     FIELD(radius_method), SAME("auto"), .uses = IM_USES_RADIUS},
    {{.name = "hidden", .type = IMSAT_OPTION_WIDTHS, .section = IMSAT_SECTION_NETWORK,
      .tasks = BOTH, .recorded = 1, .may_be_open = 1, .least = 1, .most = 1e6, .unit = "units",
      .argument = "N,N,...|none|auto",
      .fallback = "by the method, the task and the size of the data",
      .help = "widths of the hidden layers; auto: by the size of the data"},
     FIELD(hidden_count), BY_PRESET("auto", "1200,1200", "1200,1200"), .of_codes = "400,400",
     .uses = IM_USES_HIDDEN},
    {{.name = "prior", .type = IMSAT_OPTION_VECTOR, .section = IMSAT_SECTION_OBJECTIVE,
      .tasks = CLUSTER, .recorded = 1, .argument = "uniform|FILE", .fallback = "uniform",
      .help = "shares of the clusters: equal, or K numbers that sum to 1 (.npy or CSV)"},
     FIELD(prior)},
    {{.name = "lambda", .type = IMSAT_OPTION_NUMBER, .section = IMSAT_SECTION_OBJECTIVE,
      .tasks = BOTH, .recorded = 1, FROM(0), .argument = "X", .fallback = "by the method",
      .help = "weight of the entropy of single decisions; of bits, of all their information"},
     FIELD(lambda), SAME("0.1")},
    {{.name = "mu", .type = IMSAT_OPTION_NUMBER, .section = IMSAT_SECTION_OBJECTIVE,
      .tasks = CLUSTER, .recorded = 1, FROM(0), .may_be_open = 1, .argument = "X|auto",
      .fallback = "4 lambda; auto under the preset paper",
      .help = "weight of the balance of cluster sizes; auto tries lambda times 1, 2, 4, 6, "
              "..., each in a training of its own, until the sizes are within delta of the "
              "prior"},
     FIELD(mu), BY_PRESET("0.4", "auto", "0.4"), .of_codes = "0"},
    {{.name = "delta", .type = IMSAT_OPTION_NUMBER, .section = IMSAT_SECTION_OBJECTIVE,
      .tasks = CLUSTER, .recorded = 1, FROM(0), .may_be_open = 1, .unit = "nats",
      .argument = "X|auto", .fallback = "auto",
      .help = "how far the sizes may be from the prior; auto is 0.9 of what an empty cluster "
              "costs at least, 0 under the preset reference, and 0.01 of the prior's entropy "
              "with --mu auto and under the preset paper"},
     FIELD(delta), SAME("auto"), .of_codes = "0"},
    {{.name = "decay", .type = IMSAT_OPTION_NUMBER, .section = IMSAT_SECTION_OBJECTIVE,
      .tasks = BOTH, .recorded = 1, FROM(0), .argument = "X", .fallback = "by the method",
      .help = "weight decay, which deep-rim and linear-rim have in place of augmentation"},
     FIELD(decay), SAME("0")},
    {{.name = "alpha", .type = IMSAT_OPTION_NUMBER, .section = IMSAT_SECTION_AUGMENTATION,
      .tasks = BOTH, .recorded = 1, FROM(0), .unit = "radii", .argument = "X",
      .fallback = "by the method",
      .help = "length of a perturbation, in radii of its point"},
     FIELD(alpha), SAME("0.25"), .uses = IM_USES_RADIUS},
    {{.name = "xi", .type = IMSAT_OPTION_NUMBER, .section = IMSAT_SECTION_AUGMENTATION,
      .tasks = BOTH, .recorded = 1, ABOVE(0), .argument = "X", .fallback = "by the preset",
      .help = "length of the probe that finds VAT's direction"},
     FIELD(xi), BY_PRESET("1", "10", "10"), .uses = IM_USES_PROBE},
    {{.name = "step_size", .type = IMSAT_OPTION_NUMBER, .section = IMSAT_SECTION_TRAINING,
      .tasks = BOTH, .recorded = 1, ABOVE(0), .argument = "X",
      .fallback = "0.002; of auto-encoders 2, under the presets paper and reference 0.1; of deep-hash 0.02",
      .help = "step size of Adam; of auto-encoders and deep-hash, that gradient descent begins with"},
     FIELD(step_size), SAME("0.002")},
    {{.name = "init_hidden", .type = IMSAT_OPTION_NUMBER, .section = IMSAT_SECTION_NETWORK,
      .tasks = BOTH, .recorded = 1, ABOVE(0), .argument = "X",
      .help = "deviation of the first weights of hidden layers, times sqrt(inputs)"},
     FIELD(init_hidden), /* sqrt(0.1), and 0.1 sqrt(2) */
     BY_PRESET("0.31622776601683794", "0.14142135623730953", "0.31622776601683794"),
     .uses = IM_USES_INIT},
    {{.name = "init_output", .type = IMSAT_OPTION_NUMBER, .section = IMSAT_SECTION_NETWORK,
      .tasks = BOTH, .recorded = 1, ABOVE(0), .argument = "X",
      .help = "the same of the output layer"},
     FIELD(init_output), /* sqrt(0.0001), and 0.0001 sqrt(2) */
     BY_PRESET("0.01", "0.0001414213562373095", "0.01"), .uses = IM_USES_INIT},
    {{.name = "scale", .type = IMSAT_OPTION_NUMBER, .section = IMSAT_SECTION_PREPROCESSING,
      .tasks = BOTH, .recorded = 1, ABOVE(0), .may_be_open = 1, .argument = "A|auto",
      .fallback = "1; under the presets paper and reference 8-bit images go to "
                  "[-1, 1], for an auto-encoder to [0, 5.1]",
      .help = "multiply all values by A"},
     FIELD(scale), SAME("auto")},
    {{.name = "shift", .type = IMSAT_OPTION_NUMBER, .section = IMSAT_SECTION_PREPROCESSING,
      .tasks = BOTH, .recorded = 1, ANY, .may_be_open = 1, .argument = "B|auto",
      .fallback = "0; or as for --scale", .help = "then add B"},
     FIELD(shift), SAME("auto")},
    {{.name = "k", .type = IMSAT_OPTION_COUNT, .section = IMSAT_SECTION_TASK,
      .tasks = CLUSTER, .recorded = 1, FROM(2), .unit = "clusters", .argument = "K",
      .fallback = "none: must be given", .help = "how many clusters, 2 or more"},
     FIELD(k), SAME("0")},
    {{.name = "bits", .type = IMSAT_OPTION_COUNT, .section = IMSAT_SECTION_TASK,
      .tasks = HASH, .recorded = 1, .least = 1, .most = IMSAT_MAX_BITS, .unit = "bits",
      .argument = "BITS", .fallback = "none: must be given",
      .help = "bits of a code, 1 to 1024"},
     FIELD(bits), SAME("0")},
    {{.name = "seed", .type = IMSAT_OPTION_COUNT, .section = IMSAT_SECTION_TASK,
      .tasks = BOTH, .recorded = 1, .least = 0, .most = 0x1p63, .argument = "S",
      .help = "seed of the first run; the others follow it"},
     FIELD(seed), SAME("1")},
    {{.name = "runs", .type = IMSAT_OPTION_COUNT, .section = IMSAT_SECTION_TASK,
      .tasks = BOTH, .recorded = 1, COUNT_FROM(1), .argument = "N",
      .help = "learn N times from different seeds and keep the run with the best objective "
              "over all data; also says how far the runs agree"},
     FIELD(runs), SAME("1")},
    {{.name = "epochs", .type = IMSAT_OPTION_COUNT, .section = IMSAT_SECTION_TRAINING,
      .tasks = BOTH, .recorded = 1, COUNT_FROM(1), .may_be_open = 1, .argument = "E|auto",
      .fallback = "auto: by the size of the data", .help = "passes over the data in each run"},
     FIELD(epochs), BY_PRESET("auto", "50", "50")},
    {{.name = "batch", .type = IMSAT_OPTION_COUNT, .section = IMSAT_SECTION_TRAINING,
      .tasks = BOTH, .recorded = 1, COUNT_FROM(2), .may_be_open = 1, .unit = "rows",
      .argument = "B|auto", .fallback = "auto: by the size of the data",
      .help = "points in a mini-batch"},
     FIELD(batch), BY_PRESET("auto", "250", "250")},
    {{.name = "neighbor", .type = IMSAT_OPTION_COUNT, .section = IMSAT_SECTION_AUGMENTATION,
      .tasks = BOTH, .recorded = 1, COUNT_FROM(1), .argument = "T",
      .help = "the radius of a point is the distance to its T-th nearest other point"},
     FIELD(neighbor), BY_PRESET("10", "10", "11"), /* the authors' "10th" counts from 0 */
     .uses = IM_USES_RADIUS},
    {{.name = "power", .type = IMSAT_OPTION_COUNT, .section = IMSAT_SECTION_AUGMENTATION,
      .tasks = BOTH, .recorded = 1, COUNT_FROM(1), .argument = "N",
      .help = "power iterations of VAT"},
     FIELD(power), SAME("1"), .uses = IM_USES_PROBE},
    {{.name = "mu_auto", .type = IMSAT_OPTION_FLAG, .section = IMSAT_SECTION_OBJECTIVE,
      .tasks = BOTH, .recorded = 1, .help = "whether mu was left open"},
     FIELD(mu), .derived = true},
    {{.name = "xi_relative", .type = IMSAT_OPTION_FLAG, .section = IMSAT_SECTION_AUGMENTATION,
      .tasks = BOTH, .recorded = 1, .fallback = "by the preset",
      .help = "xi is in radii of the point"},
     FIELD(xi_relative), BY_PRESET("1", "0", "0"), .uses = IM_USES_PROBE},
    {{.name = "fresh_batches", .type = IMSAT_OPTION_FLAG, .section = IMSAT_SECTION_TRAINING,
      .tasks = BOTH, .recorded = 1, .fallback = "by the preset",
      .help = "each step draws its batch afresh; otherwise an epoch visits each point once"},
     FIELD(fresh_batches), BY_PRESET("0", "0", "1")},
    {{.name = "standardize", .type = IMSAT_OPTION_FLAG,
      .section = IMSAT_SECTION_PREPROCESSING, .tasks = BOTH, .recorded = 1,
      .help = "each column to mean 0 and deviation 1"},
     FIELD(standardize), SAME("0")},
    {{.name = "unit_norm", .type = IMSAT_OPTION_FLAG, .section = IMSAT_SECTION_PREPROCESSING,
      .tasks = BOTH, .recorded = 1, .help = "each row to length 1"},
     FIELD(unit_norm), SAME("0")},
    {{.name = "center", .type = IMSAT_OPTION_FLAG, .section = IMSAT_SECTION_PREPROCESSING,
      .tasks = BOTH, .recorded = 1,
      .help = "columns to mean 0, then all values by one factor to deviation 1"},
     FIELD(center), BY_PRESET("1", "0", "0")},
    {{.name = "reference_kernels", .type = IMSAT_OPTION_FLAG,
      .section = IMSAT_SECTION_LIBRARY, .tasks = BOTH,
      .help = "train by the plain C kernels, which are slower and give the same bits"},
     FIELD(reference_kernels), SAME("0")},
    {{.name = "radius", .type = IMSAT_OPTION_VECTOR, .section = IMSAT_SECTION_AUGMENTATION,
      .tasks = BOTH, .argument = "FILE", .fallback = "computed",
      .help = "radii made by 'imsat neighbors' with the same data and preprocessing"},
     FIELD(radius), .uses = IM_USES_RADIUS},
    {{.name = "checkpoint_every", .type = IMSAT_OPTION_COUNT,
      .section = IMSAT_SECTION_TRAINING, .tasks = BOTH, COUNT_FROM(1), .unit = "epochs",
      .argument = "N", .help = "epochs between two checkpoints"},
     FIELD(checkpoint_every), SAME("1")},
    {{.name = "checkpoint", .type = IMSAT_OPTION_TEXT, .section = IMSAT_SECTION_WORK,
      .tasks = BOTH, .argument = "FILE",
      .help = "save the state here after every run, while networks train, and on Ctrl-C"},
     FIELD(checkpoint)},
    {{.name = "resume", .type = IMSAT_OPTION_FLAG, .section = IMSAT_SECTION_WORK,
      .tasks = BOTH,
      .help = "go on from the checkpoint if there is one; the result is the same as "
              "without the interruption"},
     FIELD(resume), SAME("0")},
    {{.name = "threads", .type = IMSAT_OPTION_COUNT, .section = IMSAT_SECTION_WORK,
      .tasks = BOTH, .least = 1, .most = 256, .may_be_open = 1, .argument = "N|auto",
      .fallback = "auto: all cores",
      .help = "threads to use; the result is the same for any number"},
     FIELD(threads), SAME("auto"), .zero_is_open = true},
    {{.name = "restarts", .type = IMSAT_OPTION_COUNT, .section = IMSAT_SECTION_RESTARTS,
      .tasks = BOTH, .recorded = 1, COUNT_FROM(1), .argument = "N",
      .fallback = "by the method",
      .help = "starts of a run, from different places; the best is kept"},
     FIELD(restarts), SAME("12")},
    {{.name = "iterations", .type = IMSAT_OPTION_COUNT, .section = IMSAT_SECTION_RESTARTS,
      .tasks = BOTH, .recorded = 1, COUNT_FROM(1), .argument = "N",
      .fallback = "by the method", .help = "most iterations from one start"},
     FIELD(iterations), SAME("300")},
    {{.name = "tolerance", .type = IMSAT_OPTION_NUMBER, .section = IMSAT_SECTION_RESTARTS,
      .tasks = BOTH, .recorded = 1, FROM(0), .argument = "X",
      .fallback = "by the method",
      .help = "iterate until the change is at most X, relative to the variance of the data or "
              "to the error, or of gmm in nats a row; 0: until nothing changes"},
     FIELD(tolerance), SAME("0.0001")},
    {{.name = "covariance", .type = IMSAT_OPTION_CHOICE, .section = IMSAT_SECTION_RESTARTS,
      .tasks = CLUSTER, .recorded = 1, .argument = "KIND", .choice = covariance_choice,
      .help = "of normals: full, each its own; tied, one for all; diagonal, columns that do not "
              "depend on each other"},
     FIELD(covariance), SAME("full"), .uses = IM_USES_COVARIANCE},
    {{.name = "regularization", .type = IMSAT_OPTION_NUMBER, .section = IMSAT_SECTION_RESTARTS,
      .tasks = CLUSTER, .recorded = 1, FROM(0), .argument = "X",
      .help = "added to every variance of normals, so that none vanishes"},
     FIELD(regularization), SAME("1e-06"), .uses = IM_USES_COVARIANCE},
    {{.name = "graph_neighbors", .type = IMSAT_OPTION_COUNT,
      .section = IMSAT_SECTION_RESTARTS, .tasks = CLUSTER, .recorded = 1, COUNT_FROM(1),
      .argument = "T", .help = "rows that a row is joined with in the graph of neighbors"},
     FIELD(graph_neighbors), SAME("10"), .uses = IM_USES_GRAPH},
    {{.name = "code", .type = IMSAT_OPTION_COUNT, .section = IMSAT_SECTION_NETWORK,
      .tasks = CLUSTER, .recorded = 1, .least = 2, .most = 1e6, .unit = "units",
      .argument = "N", .help = "width of an auto-encoder's code, which is clustered"},
     FIELD(code), SAME("10"), .uses = IM_USES_CODE},
    {{.name = "dropout", .type = IMSAT_OPTION_NUMBER, .section = IMSAT_SECTION_TRAINING,
      .tasks = CLUSTER, .recorded = 1, .least = 0, .most = 0.9, .argument = "X",
      .help = "share of values that is dropped while the layers of an auto-encoder are "
              "trained one by one"},
     FIELD(dropout), SAME("0.2"), .uses = IM_USES_CODE},
    {{.name = "start", .type = IMSAT_OPTION_TEXT, .section = IMSAT_SECTION_WORK,
      .tasks = CLUSTER, .argument = "MODEL",
      .help = "take the auto-encoder of this model, of dae-kmeans or dec, in place of "
              "training one"},
     FIELD(start), .uses = IM_USES_CODE},
    {{.name = "interval", .type = IMSAT_OPTION_COUNT, .section = IMSAT_SECTION_TRAINING,
      .tasks = CLUSTER, .recorded = 1, COUNT_FROM(1), .may_be_open = 1, .unit = "steps",
      .argument = "N|auto", .fallback = "auto: an epoch, and at least 100",
      .help = "steps between two targets of dec"},
     FIELD(interval), SAME("auto"), .uses = IM_USES_TARGET},
    {{.name = "changes", .type = IMSAT_OPTION_NUMBER, .section = IMSAT_SECTION_TRAINING,
      .tasks = CLUSTER, .recorded = 1, .least = 0, .most = 1, .argument = "X",
      .help = "dec ends when at most this share of the rows has another cluster than at the "
              "target before"},
     FIELD(changes), SAME("0.001"), .uses = IM_USES_TARGET},
    {{.name = "even_start", .type = IMSAT_OPTION_NUMBER, .section = IMSAT_SECTION_OBJECTIVE,
      .tasks = CLUSTER, .recorded = 1, .least = 0, .most = 1, .may_be_open = 1,
      .argument = "X|auto",
      .fallback = "auto: 0.3 with a prior, else 1; 0 under the presets paper and reference",
      .help = "share of the epochs in which clusters are drawn to equal sizes. With a prior "
              "they are then, for half of the rest, only to be as even as it, and at last "
              "drawn to it, matched to them by size and with five times the weight. Then "
              "delta counts, which also runs are compared with; 0: the prior as it is "
              "ordered, and delta, from the start"},
     FIELD(even_start), BY_PRESET("auto", "0", "0"), .of_codes = "0"},
    {{.name = "thin_weight", .type = IMSAT_OPTION_NUMBER, .section = IMSAT_SECTION_OBJECTIVE,
      .tasks = CLUSTER, .recorded = 1, .least = 1, .most = 1000, .may_be_open = 1,
      .argument = "X|auto",
      .fallback = "auto: the prior's largest entry by its smallest, at most 5; 1 without a "
                  "prior, and under the presets paper and reference",
      .help = "where clusters are drawn to equal sizes, a row counts more where the data is "
              "thin: X times as much if its sigma_t is the 90 % quantile and not the median. "
              "Clusters with few rows are found so; 1: all rows count the same"},
     FIELD(thin_weight), BY_PRESET("auto", "1", "1"), .of_codes = "1"},
    {{.name = "race", .type = IMSAT_OPTION_FLAG, .section = IMSAT_SECTION_TASK, .tasks = BOTH,
      .help = "of the seeds of --runs N, drop the worse half by the objective again and again, "
              "the last time after a third of the epochs, and train one to the end: eight "
              "seeds take as long as two trainings"},
     FIELD(race), SAME("0"), .uses = IM_USES_PAUSE},
    {{.name = "consensus", .type = IMSAT_OPTION_FLAG, .section = IMSAT_SECTION_TASK,
      .tasks = CLUSTER, .recorded = 1,
      .help = "after the runs of --runs N, teach one more network the labels of rows on which "
              "at least four fifths of the runs agree, and keep that one"},
     FIELD(consensus), SAME("0"), .uses = IM_USES_TEACHER},
    {{.name = "warps", .type = IMSAT_OPTION_CHOICE, .section = IMSAT_SECTION_AUGMENTATION,
      .tasks = CLUSTER, .recorded = 1, .argument = "KIND", .choice = warps_choice,
      .fallback = "center; corner under the presets paper and reference",
      .help = "of images: center, scaled, sheared, turned and shifted about the center; corner, "
              "each of these half the time, and about the top left pixel, as for the paper's "
              "Omniglot"},
     FIELD(warps), BY_PRESET("center", "corner", "corner"), .uses = IM_USES_IMAGES},
};
/* clang-format on */
const size_t im_options_count = sizeof im_options_table / sizeof im_options_table[0];

const imsat_option *imsat_option_at(size_t i)
{
    for (size_t row = 0; row < im_options_count; row++)
        if (!im_options_table[row].derived && i-- == 0)
            return &im_options_table[row].about;
    return NULL;
}

const char *imsat_section_title(imsat_section section, imsat_task task)
{
    static const char *const titles[IMSAT_SECTIONS] = {
        [IMSAT_SECTION_TASK] = "What to learn",
        [IMSAT_SECTION_PREPROCESSING] = "Preprocessing, in this order; a model keeps it",
        [IMSAT_SECTION_NETWORK] = "Network",
        [IMSAT_SECTION_OBJECTIVE] =
            "Objective: R + lambda H(Y|X) + mu max(KL[p(y) || prior] - delta, 0)",
        [IMSAT_SECTION_AUGMENTATION] =
            "Augmentation: perturbations of length alpha sigma_t(x)",
        [IMSAT_SECTION_TRAINING] = "Training",
        [IMSAT_SECTION_WORK] = "Work",
        [IMSAT_SECTION_LIBRARY] = "Library",
        [IMSAT_SECTION_RESTARTS] = "Iterations, of methods that do not only train by epochs",
    };
    if (section == IMSAT_SECTION_OBJECTIVE && task == IMSAT_TASK_HASH)
        return "Objective: R - lambda (sum of I(X;Y_d) - sum of I(Y_d;Y_e) over d != e)";
    return (unsigned)section < IMSAT_SECTIONS ? titles[section] : NULL;
}

const char *imsat_task_name(imsat_task task)
{
    static const char *const names[IMSAT_TASKS] = {
        [IMSAT_TASK_CLUSTER] = "cluster",
        [IMSAT_TASK_HASH] = "hash",
    };
    return (unsigned)task < IMSAT_TASKS ? names[task] : NULL;
}

static const struct {
    const char *name, *summary;
} presets[IMSAT_PRESETS] = {
    [IMSAT_PRESET_DEFAULT] = {"default", "works on data of any scale and size"},
    [IMSAT_PRESET_PAPER] = {"paper", "as the paper's text says"},
    [IMSAT_PRESET_REFERENCE] = {"reference", "as the authors' code does"},
};

const char *imsat_preset_name(imsat_preset preset)
{
    return (unsigned)preset < IMSAT_PRESETS ? presets[preset].name : NULL;
}

const char *imsat_preset_summary(imsat_preset preset)
{
    return (unsigned)preset < IMSAT_PRESETS ? presets[preset].summary : NULL;
}

const char *imsat_radius_method_name(imsat_radius_method method)
{
    static const char *const names[IMSAT_RADIUS_METHODS] = {
        [IMSAT_RADIUS_AUTO] = "auto",
        [IMSAT_RADIUS_EXACT] = "exact",
        [IMSAT_RADIUS_APPROX] = "approx",
    };
    return (unsigned)method < IMSAT_RADIUS_METHODS ? names[method] : NULL;
}

const char *imsat_covariance_name(imsat_covariance covariance)
{
    static const char *const names[IMSAT_COVARIANCES] = {
        [IMSAT_COVARIANCE_FULL] = "full",
        [IMSAT_COVARIANCE_TIED] = "tied",
        [IMSAT_COVARIANCE_DIAGONAL] = "diagonal",
    };
    return (unsigned)covariance < IMSAT_COVARIANCES ? names[covariance] : NULL;
}

const char *imsat_warps_name(imsat_warps warps)
{
    static const char *const names[IMSAT_WARPS] = {
        [IMSAT_WARPS_CENTER] = "center",
        [IMSAT_WARPS_CORNER] = "corner",
    };
    return (unsigned)warps < IMSAT_WARPS ? names[warps] : NULL;
}
