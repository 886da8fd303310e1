/* SPDX-License-Identifier: MIT
 * See methods.h and docs/fidelity.md. */
#include "model/methods.h"

#include "baseline/dae_method.h"
#include "baseline/dec_method.h"
#include "baseline/deep_hash.h"
#include "baseline/gmm.h"
#include "baseline/itq.h"
#include "baseline/kmeans_method.h"
#include "baseline/lsh.h"
#include "baseline/spectral.h"
#include "baseline/spectral_hash.h"
#include "train/loop.h"

#include <string.h>

#define CLUSTER       (1U << IMSAT_TASK_CLUSTER)
#define HASH          (1U << IMSAT_TASK_HASH)
#define SECTION(name) (1U << IMSAT_SECTION_##name)

/* What every method has, and what one that trains a network has besides. */
#define GENERAL (SECTION(TASK) | SECTION(PREPROCESSING) | SECTION(WORK) | SECTION(LIBRARY))
#define NETWORKS                                                                              \
    (GENERAL | SECTION(NETWORK) | SECTION(OBJECTIVE) | SECTION(AUGMENTATION) |                \
     SECTION(TRAINING))

/* Of a method that clusters the code of an auto-encoder. */
#define EMBEDDING (GENERAL | SECTION(NETWORK) | SECTION(TRAINING) | SECTION(RESTARTS))

/* A default of the method's own. That of mu is for clusters, and the paper's text lets it
 * climb. */
#define SET(option, value)                                                                    \
    {                                                                                         \
        .name = (option), .text = (value)                                                     \
    }
#define SET_OURS(option, value)                                                               \
    {                                                                                         \
        .name = (option), .text = (value), .default_only = true                               \
    }
#define MU(value)                                                                             \
    {                                                                                         \
        .name = "mu", .text = (value), .clusters_only = true, .not_paper = true               \
    }

#define MU_OURS(value)                                                                        \
    {                                                                                         \
        .name = "mu", .text = (value), .clusters_only = true, .default_only = true            \
    }

#define IMSAT_OBJECTIVE                                                                       \
    "R_SAT less the information that the outputs have of the data, weighed by lambda and mu"
#define RIM_OBJECTIVE                                                                         \
    "weight decay less the information that the outputs have of the data, weighed by lambda " \
    "and mu"

/* Xie et al. 2016, whose code has 20 starts of k-means. Their 100,000 steps are those of the
 * presets paper and reference; by default there are a tenth of them. */
#define AUTOENCODER                                                                           \
    SET("hidden", "500,500,2000"), SET("batch", "256"), SET("epochs", "auto"),                \
        SET("step_size", "0.1"), SET_OURS("step_size", "2"), SET("restarts", "20")
#define AUTOENCODER_STEPS                                                                     \
    {                                                                                         \
        10000, 100000, 100000                                                                 \
    }

static const im_recipe vat = {{[IM_AUG_VAT] = 1}};
static const im_recipe rpt = {{[IM_AUG_RPT] = 1}};
static const im_recipe affine = {{[IM_AUG_AFFINE] = 1}};
static const im_recipe vat_affine = {{[IM_AUG_VAT] = 0.5, [IM_AUG_AFFINE] = 0.5}};
static const im_recipe own = {{[IM_AUG_OWN] = 1}};
static const im_recipe rim = {{0}};

/* lambda, alpha and decay are the paper's (section 4.2.3), for clusters and for codes; mu is 4
 * lambda, as in the authors' code. For the affine methods the paper names none; they take
 * VAT's. RIM's lambda is not named either; 1, the information as it is, gives the paper's
 * figures. Of a linear model what matters is the decay over lambda and the squared length of
 * rows, and the preset default, which makes rows longer, has less lambda (docs/fidelity.md).
 */
/* clang-format off */
static const im_method table[] = {
    {.name = "imsat-vat",
     .summary = "virtual adversarial perturbations; the paper's best, the default",
     .objective = IMSAT_OBJECTIVE, .tasks = CLUSTER | HASH, .sections = NETWORKS, .terms = true,
     .uses = IM_USES_INIT | IM_USES_PAUSE | IM_USES_TEACHER | IM_USES_HIDDEN | IM_USES_RADIUS | IM_USES_PROBE,
     .afford = im_trainer_afford, .fit = im_loop_fit, .recipe = &vat},
    {.name = "imsat-rpt", .summary = "random perturbations",
     .objective = IMSAT_OBJECTIVE, .tasks = CLUSTER | HASH, .sections = NETWORKS, .terms = true,
     .uses = IM_USES_INIT | IM_USES_PAUSE | IM_USES_TEACHER | IM_USES_HIDDEN | IM_USES_RADIUS,
     .settings = {SET("lambda", "0.05"), MU("0.2"),
                  SET("alpha", "2.5")},
     .afford = im_trainer_afford, .fit = im_loop_fit, .recipe = &rpt},
    {.name = "imsat-affine", .summary = "random affine warps of images",
     .objective = IMSAT_OBJECTIVE, .tasks = CLUSTER, .sections = NETWORKS, .terms = true,
     .uses = IM_USES_INIT | IM_USES_PAUSE | IM_USES_TEACHER | IM_USES_HIDDEN | IM_USES_IMAGES,
     .afford = im_trainer_afford, .fit = im_loop_fit, .recipe = &affine},
    {.name = "imsat-vat-affine", .summary = "half adversarial perturbations, half affine warps",
     .objective = IMSAT_OBJECTIVE, .tasks = CLUSTER, .sections = NETWORKS, .terms = true,
     .uses = IM_USES_INIT | IM_USES_PAUSE | IM_USES_TEACHER | IM_USES_HIDDEN | IM_USES_RADIUS | IM_USES_PROBE | IM_USES_IMAGES,
     .afford = im_trainer_afford, .fit = im_loop_fit, .recipe = &vat_affine},
    {.name = "linear-imsat-vat", .summary = "a linear model with adversarial perturbations",
     .objective = IMSAT_OBJECTIVE, .tasks = CLUSTER, .sections = NETWORKS, .terms = true,
     .uses = IM_USES_INIT | IM_USES_PAUSE | IM_USES_TEACHER | IM_USES_RADIUS | IM_USES_PROBE,
     .settings = {SET("lambda", "1.6"), MU("6.4"),
                  SET("alpha", "0.4"), SET("hidden", "none")},
     .afford = im_trainer_afford, .fit = im_loop_fit, .recipe = &vat},
    {.name = "deep-rim", .summary = "information maximization with weight decay alone",
     .objective = RIM_OBJECTIVE, .tasks = CLUSTER | HASH, .sections = NETWORKS, .terms = true,
     .uses = IM_USES_INIT | IM_USES_PAUSE | IM_USES_TEACHER | IM_USES_HIDDEN,
     .settings = {SET("decay", "0.005"), SET("lambda", "1"), MU("4")},
     .afford = im_trainer_afford, .fit = im_loop_fit, .recipe = &rim},
    {.name = "linear-rim", .summary = "the same with a linear model; often best on text",
     .objective = RIM_OBJECTIVE, .tasks = CLUSTER | HASH, .sections = NETWORKS, .terms = true,
     .uses = IM_USES_INIT | IM_USES_PAUSE | IM_USES_TEACHER,
     .settings = {SET("decay", "0.005"), SET("hidden", "none"), SET("lambda", "1"), MU("4"),
                  SET_OURS("lambda", "0.1"), MU_OURS("0.4")},
     .afford = im_trainer_afford, .fit = im_loop_fit, .recipe = &rim},
    {.name = "kmeans", .summary = "centers of the rows; the baseline that must be beaten",
     .objective = "the sum of squared distances of rows to their centers (inertia)",
     .tasks = CLUSTER, .sections = GENERAL | SECTION(RESTARTS),
     .fit = im_kmeans_method_fit},
    {.name = "gmm", .summary = "a mixture of normals; clusters of any size, long or round",
     .objective = "minus the log likelihood, mean over rows", .tasks = CLUSTER,
     .sections = GENERAL | SECTION(RESTARTS), .uses = IM_USES_COVARIANCE,
     .settings = {SET("restarts", "5"), SET("iterations", "100"), SET("tolerance", "0.001")},
     .fit = im_gmm_fit},
    {.name = "spectral", .summary = "parts of the graph of neighbors; clusters of any form",
     .objective = "the normalized cut: the share of each cluster's edges that leave it, in all",
     .tasks = CLUSTER, .sections = GENERAL | SECTION(RESTARTS), .uses = IM_USES_GRAPH,
     .fit = im_spectral_fit},
    {.name = "itq", .summary = "signs of rotated principal components; the best linear baseline",
     .objective = "the squared error of signs in place of rotated components, mean over rows",
     .tasks = HASH, .sections = GENERAL | SECTION(RESTARTS),
     .settings = {SET("restarts", "1"), SET("iterations", "50"), SET("tolerance", "0")},
     .fit = im_itq_fit},
    {.name = "spectral-hash", .summary = "signs of standing waves in the box that rows fill",
     .objective = "the sum of the eigenvalues of the waves, (pi m / range)^2",
     .tasks = HASH, .sections = GENERAL, .fit = im_spectral_hash_fit},
    {.name = "lsh", .summary = "sides of random planes; any number of bits, nothing learned",
     .objective = "none: planes are random, and the first run is kept",
     .tasks = HASH, .sections = GENERAL, .fit = im_lsh_fit},
    {.name = "dae-kmeans", .summary = "k-means on the code of a denoising auto-encoder",
     .objective = "the sum of squared distances of codes to their centers (inertia)",
     .tasks = CLUSTER, .sections = EMBEDDING, .uses = IM_USES_HIDDEN | IM_USES_CODE,
     .settings = {AUTOENCODER}, .steps = AUTOENCODER_STEPS,
     .fit = im_dae_method_fit},
    {.name = "dec", .summary = "deep embedded clustering, on the same auto-encoder",
     .objective = "KL[P || Q] by row, of soft assignments Q and their target P",
     .tasks = CLUSTER, .sections = EMBEDDING,
     .uses = IM_USES_HIDDEN | IM_USES_CODE | IM_USES_TARGET,
     .settings = {AUTOENCODER}, .steps = AUTOENCODER_STEPS,
     .fit = im_dec_method_fit},
    {.name = "deep-hash", .summary = "deep hashing: layers of tanh, near to signs at the end",
     .objective = "quantization less balance, and dependence of the layers' rows",
     .tasks = HASH, .sections = GENERAL | SECTION(NETWORK) | SECTION(TRAINING),
     .uses = IM_USES_HIDDEN | IM_USES_FEW_UNITS,
     .settings = {SET("hidden", "auto"), SET("batch", "256"), SET("epochs", "auto"),
                  SET("step_size", "0.02")},
     .steps = {4000, 4000, 4000},
     .fit = im_deep_hash_fit},
    {.name = "own", .summary = "the caller's augmentation; from the library only",
     .objective = IMSAT_OBJECTIVE, .tasks = CLUSTER | HASH, .sections = NETWORKS, .terms = true,
     .uses = IM_USES_INIT | IM_USES_PAUSE | IM_USES_TEACHER | IM_USES_HIDDEN, .callers = true,
     .afford = im_trainer_afford, .fit = im_loop_fit, .recipe = &own},
};
/* clang-format on */
enum { METHODS = sizeof table / sizeof table[0] };

const im_method *im_methods_find(const char *name)
{
    for (size_t i = 0; name && i < METHODS; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

bool im_methods_use(const im_method *method, imsat_task task, const im_option *option)
{
    return (method->sections & 1U << option->about.section) != 0 &&
           (option->about.tasks & 1U << task) != 0 &&
           (option->uses == 0 || (option->uses & method->uses) != 0);
}

/* ---- the public view ------------------------------------------------------------------ */

const char *imsat_method_name(size_t i)
{
    return i < METHODS ? table[i].name : NULL;
}

const char *imsat_method_summary(const char *method)
{
    const im_method *m = im_methods_find(method);
    return m ? m->summary : NULL;
}

const char *imsat_method_objective(const char *method)
{
    const im_method *m = im_methods_find(method);
    return m ? m->objective : NULL;
}

int imsat_method_needs_function(const char *method)
{
    const im_method *m = im_methods_find(method);
    return m && m->callers;
}

int imsat_method_serves(const char *method, imsat_task task)
{
    const im_method *m = im_methods_find(method);
    return m && (unsigned)task < IMSAT_TASKS && (m->tasks & 1U << task) != 0;
}

int imsat_method_has_term(const char *method, imsat_task task, imsat_term term)
{
    const im_method *m = im_methods_find(method);
    return m && m->terms && im_terms_serve(term, task);
}

int imsat_option_used(const imsat_option *option, const char *method, imsat_task task)
{
    const im_method *m = im_methods_find(method);
    for (size_t i = 0; m && (unsigned)task < IMSAT_TASKS && i < im_options_count; i++)
        if (&im_options_table[i].about == option)
            return im_methods_use(m, task, &im_options_table[i]);
    return 0;
}

static bool applies(const im_setting *setting, const imsat_options *o)
{
    return !(setting->clusters_only && o->task == IMSAT_TASK_HASH) &&
           !(setting->not_paper && o->preset == IMSAT_PRESET_PAPER) &&
           !(setting->default_only && o->preset != IMSAT_PRESET_DEFAULT);
}

void imsat_options_init_sized(imsat_options *options, size_t size, imsat_task task,
                              const char *method, imsat_preset preset)
{
    if (!options || !im_options_size_known(size))
        return;
    const im_method *m = im_methods_find(method);
    imsat_options o = {.size = sizeof o,
                       .task = (unsigned)task < IMSAT_TASKS ? task : IMSAT_TASK_CLUSTER,
                       .preset =
                           (unsigned)preset < IMSAT_PRESETS ? preset : IMSAT_PRESET_DEFAULT,
                       .method = m ? m->name : method};
    im_options_standard(&o);
    for (size_t i = 0; m && i < IM_METHOD_SETTINGS && m->settings[i].name; i++)
        if (applies(&m->settings[i], &o) &&
            imsat_options_set(&o, m->settings[i].name, m->settings[i].text, NULL) != IMSAT_OK)
            o.method = NULL; /* a row that cannot be: every use of it is refused */
    o.task = task;
    o.preset = preset;
    o.size = size;
    memset(options, 0, size);
    memcpy(options, &o, size < sizeof o ? size : sizeof o);
}
