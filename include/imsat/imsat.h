/* SPDX-License-Identifier: MIT
 *
 * imsat: learn discrete representations of data without labels.
 *
 * Three steps cover most uses:
 *
 *     imsat_data *data = NULL;  imsat_model *model = NULL;  imsat_options opt;
 *     imsat_data_open(&data, &path, 1, NULL, &err);
 *     imsat_options_init(&opt, "imsat-vat", IMSAT_PRESET_DEFAULT);
 *     opt.k = 10;
 *     imsat_cluster(&model, data, &opt, NULL, &err);
 *
 * then imsat_predict() labels new rows and imsat_model_save() keeps the model. In the same way
 * imsat_hash() learns binary codes, of opt.bits bits, and imsat_encode() gives them.
 *
 * Conventions. Functions that can fail return imsat_status and write a sentence to the
 * caller's imsat_error, which may be NULL; on failure the outputs are as they were. No other
 * pointer may be NULL unless that is said, or it is an array of 0 elements: it is IMSAT_EINVAL
 * with a message that names it, and functions without a status do nothing, or give NULL or 0.
 * Handles are opaque; every `free` and `clear` accepts NULL. The library keeps no global state
 * but that of imsat/process.h, never prints, exits or reads the environment. Data is float,
 * row-major. Distinct handles may be used from distinct threads; functions that take a const
 * handle may be called on one handle from several threads.
 *
 * Threads. 0 threads means as many as there are cores that the process may use: its affinity
 * counts, and the processor quota of its container. A model or an index keeps the threads of
 * its calls, asleep, for the next call, until it is freed; work on one row or with one query
 * is done by the calling thread alone. After fork() the child may go on to use its handles.
 * While the library computes, subnormal numbers are zero; the caller's floating-point mode is
 * the same after a call, and in the caller's own functions, which are called on the calling
 * thread.
 */
#ifndef IMSAT_IMSAT_H
#define IMSAT_IMSAT_H

#include "imsat/data.h"

#ifdef __cplusplus
extern "C" {
#endif

#define IMSAT_VERSION "0.1.0"

/* The version of the library that is running, as IMSAT_VERSION. */
IMSAT_API const char *imsat_version(void);

/* ---- what is learned, and how --------------------------------------------------- */

typedef enum imsat_task {
    IMSAT_TASK_CLUSTER, /* one of k labels a row: imsat_cluster() */
    IMSAT_TASK_HASH,    /* a binary code a row: imsat_hash() */
    IMSAT_TASKS
} imsat_task;

typedef enum imsat_preset {
    IMSAT_PRESET_DEFAULT,   /* ours: works on data of any scale */
    IMSAT_PRESET_PAPER,     /* the paper's text */
    IMSAT_PRESET_REFERENCE, /* the authors' code */
    IMSAT_PRESETS
} imsat_preset;

/* How the radius sigma_t of every row is computed. */
typedef enum imsat_radius_method {
    IMSAT_RADIUS_AUTO,   /* exact below 100000 rows, approximate from there on */
    IMSAT_RADIUS_EXACT,  /* all pairs: time grows with n^2 */
    IMSAT_RADIUS_APPROX, /* near rows only: with n^1.5; the error is measured on a sample */
    IMSAT_RADIUS_METHODS
} imsat_radius_method;

/* What the covariances of normals are. */
typedef enum imsat_covariance {
    IMSAT_COVARIANCE_FULL,     /* any, each cluster its own */
    IMSAT_COVARIANCE_TIED,     /* any, the same for all clusters */
    IMSAT_COVARIANCE_DIAGONAL, /* columns do not depend on each other; each cluster its own */
    IMSAT_COVARIANCES
} imsat_covariance;

/* How images are warped: scaled, sheared, turned and shifted, each by chance. */
typedef enum imsat_warps {
    IMSAT_WARPS_CENTER, /* all at a time, about the center of the image */
    IMSAT_WARPS_CORNER, /* each half the time, about the top left pixel */
    IMSAT_WARPS
} imsat_warps;

/* The terms of the objective. Arrays of terms are indexed by these; a term that a task or a
 * method does not have is 0. */
typedef enum imsat_term {
    IMSAT_TERM_SAT,          /* R_SAT: the self-augmented training penalty */
    IMSAT_TERM_COND_ENTROPY, /* of bits: a sum over them */
    IMSAT_TERM_MARG_ENTROPY, /* of bits: a sum over them */
    IMSAT_TERM_MARGINAL_KL,  /* of clusters */
    IMSAT_TERM_PAIR_INFO,    /* of bits */
    IMSAT_TERM_DECAY,        /* weight decay */
    IMSAT_TERMS              /* how many there are */
} imsat_term;

/* Names as on the command line, and one line on each. NULL when out of range. */
IMSAT_API const char *imsat_task_name(imsat_task task); /* "cluster", "hash" */
IMSAT_API const char *imsat_preset_name(imsat_preset preset);
IMSAT_API const char *imsat_preset_summary(imsat_preset preset);
IMSAT_API const char *imsat_radius_method_name(imsat_radius_method method);
IMSAT_API const char *imsat_covariance_name(imsat_covariance covariance);
IMSAT_API const char *imsat_warps_name(imsat_warps warps); /* "center", "corner" */

/* The name of a term in logs and records, and its formula; NULL when out of range. */
IMSAT_API const char *imsat_term_name(imsat_term term);
IMSAT_API const char *imsat_term_formula(imsat_term term);

/* Methods go by their names: "imsat-vat". Method i of the table, from 0; NULL past the last.
 * The first is the one to try first. */
IMSAT_API const char *imsat_method_name(size_t i);

/* One line on a method, and what its runs minimize; NULL if there is no such method. */
IMSAT_API const char *imsat_method_summary(const char *method);
IMSAT_API const char *imsat_method_objective(const char *method);

/* Whether the method needs a function of the caller, options.augment, as "own" does. */
IMSAT_API int imsat_method_needs_function(const char *method);

/* Whether the method learns for this task, and whether its runs then have the term. */
IMSAT_API int imsat_method_serves(const char *method, imsat_task task);
IMSAT_API int imsat_method_has_term(const char *method, imsat_task task, imsat_term term);

/* Fill T(x), the caller's augmentation of a batch.
 *
 * out, in  n rows of dim floats, row-major, as in the data (before preprocessing). What float
 *          cannot hold is rounded, here and by imsat_data_read(); preprocessing itself starts
 *          from the data as they are.
 * rows     the n row numbers in the data set.
 * seed     changes with every call and is the same in every run of the same options:
 *          draw from it and training stays reproducible.
 *
 * Called from one thread at a time. Return 0, or anything else to stop the run. */
typedef int (*imsat_augment_fn)(void *user, float *out, const float *in, const size_t *rows,
                                size_t n, size_t dim, uint64_t seed);

/* Where a run stands; one call after each epoch, and many between. */
typedef struct imsat_progress {
    const char *stage;    /* "prepare", "radius", "race", "train", "evaluate" */
    double fraction;      /* of this stage, 0 to 1 */
    size_t run, runs;     /* which run, from 0 */
    size_t epoch, epochs; /* finished of this run, and of how many; 0: it has none */
    int epoch_done;       /* 1 once per epoch, when the numbers below are of that epoch */
    double seconds;       /* of that epoch's training steps alone */
    double objective;     /* the epoch's mean of the training objective, */
    const double *term;   /* (IMSAT_TERMS) and of its terms; NULL unless epoch_done */
    double mu;
} imsat_progress;

/* Return 0 to go on; anything else stops the run with IMSAT_ESTOPPED. */
typedef int (*imsat_progress_fn)(void *user, const imsat_progress *progress);

/* ---- options --------------------------------------------------------------- */

#define IMSAT_MAX_HIDDEN 8

/* An option that holds this number is left open: the library decides it by the data. It may
 * be assigned to counts and to numbers alike, and is written "auto" in text. */
#define IMSAT_AUTO (SIZE_MAX / 2 + 1)

/* Fill it by imsat_options_init(), then change fields. A program that was compiled with this
 * header runs with a later library whose struct has more fields at its end. */
typedef struct imsat_options {
    size_t size; /* of this struct, as the program knows it; set by imsat_options_init() */
    imsat_task task;
    imsat_preset preset;
    const char *method;
    size_t k;       /* clusters, 2 to n; no default; 0 for hash codes */
    size_t bits;    /* of a hash code, 1 to IMSAT_MAX_BITS; no default; 0 for clusters */
    uint64_t seed;  /* of the first run; run i uses seed + i */
    size_t runs;    /* seeds to train; the best by full-data objective is kept */
    size_t threads; /* 0 or IMSAT_AUTO: as many as this process may use cores */

    /* The network: hidden layers; none makes it linear. */
    size_t hidden_count; /* may be left open: count and widths by the size of the data */
    size_t hidden[IMSAT_MAX_HIDDEN];
    double init_hidden, init_output; /* std of initial weights, times sqrt(fan_in) */

    /* The objective of clusters: R + lambda H(Y|X) + mu max(KL[p(y) || prior] - delta, 0);
     * of bits: R - lambda (sum_d I(X;Y_d) - sum_{d != e} I(Y_d;Y_e)), which has lambda and
     * decay alone. */
    double lambda;
    double mu;           /* weight of the marginal term; left open, it climbs lambda {1, 2, 4,
                            6, ...} until KL <= delta */
    double delta;        /* tolerance of the KL; left open, 0.01 h(prior) if mu climbs or the
                            preset is the paper's, else 0 */
    const double *prior; /* (k), sums to 1; NULL: uniform */
    double decay;        /* weight decay, what the RIM methods have in place of T */

    /* Augmentation: |r| = alpha sigma_t(x). */
    double alpha;
    size_t neighbor; /* t: rank of the neighbor, among the other points */
    imsat_radius_method radius_method;
    double xi;                /* length of VAT's probe, or */
    int xi_relative;          /* not 0: the probe's length is xi sigma_t(x) */
    size_t power;             /* VAT's power iterations */
    const float *radius;      /* (n) sigma_t of every prepared row; NULL: computed */
    imsat_augment_fn augment; /* of the method "own" */
    void *augment_user;

    /* Optimization. */
    size_t epochs;     /* may be left open */
    size_t batch;      /* rows in a mini-batch; may be left open */
    int fresh_batches; /* not 0: every step draws afresh; 0: an epoch visits each point once */
    double step_size;  /* of Adam */

    /* Preprocessing, in this order; kept in the model. */
    double scale, shift; /* x scale + shift; left open: 8-bit images as the preset says (paper
                            and reference: to [-1, 1]), anything else as it is */
    int standardize;     /* each column to mean 0, deviation 1 */
    int unit_norm;       /* each row to length 1 */
    int center;          /* columns to mean 0, then everything by one factor to deviation 1 */

    /* Files and callbacks. */
    const char *checkpoint;     /* NULL: none */
    size_t checkpoint_every;    /* epochs */
    int resume;                 /* not 0: continue from the checkpoint if it exists */
    imsat_progress_fn progress; /* may be NULL */
    void *progress_user;
    int reference_kernels; /* not 0: training uses the plain C kernels, slower, and the same
                              bits; the radius, prediction and search do not look at it */

    /* Methods that iterate from several starts, and keep the best, in each run. */
    size_t restarts;   /* starts of a run */
    size_t iterations; /* of each, at most */
    double tolerance;  /* the change below which iterating ends, as the method defines it */

    /* Mixtures of normals. */
    imsat_covariance covariance;
    double regularization; /* added to every variance, of prepared rows */

    size_t graph_neighbors; /* of each row, in a graph of rows */

    /* Auto-encoders whose code is clustered: dae-kmeans and dec. */
    size_t code;       /* its width */
    double dropout;    /* share of values dropped while layers are trained one by one */
    const char *start; /* a model whose auto-encoder is taken; NULL: one is trained */
    size_t interval;   /* steps between two targets of dec; may be left open: an epoch,
                          at least 100 */
    double changes;    /* dec ends when at most this share of the rows changes its cluster */

    double even_start;  /* share of the epochs in which clusters are drawn to equal sizes. Then
                           a prior counts, first as a bound of how uneven they may be, then
                           matched to the clusters by size, and delta; 0: both from the start,
                           the prior as it is ordered. May be left open */
    double thin_weight; /* what a row counts in equal sizes if its radius is the 90 % quantile
                           of all, beside one of the median; 1: all the same. May be left
                           open */

    int race; /* not 0: all of `runs` seeds begin, and the worse half by the objective over all
                 data is dropped again and again, the last time after a third of the epochs.
                 The model is that of one run with the seed that is left, which the result has
                 as the one used; eight seeds take as long as two trainings. What each seed has
                 come to is kept beside the checkpoint, in files of its name and ".race" or
                 ".seed" and a number */
    int consensus; /* of clusters, not 0: after the runs, one more network is taught what at
                      least four fifths of them agree on, and kept. The result has it as a run
                      behind the others */

    imsat_warps warps; /* of the methods that warp images */
} imsat_options;

/* Every field set to the defaults of a method under a preset, to learn clusters (k stays 0),
 * or to learn hash codes (bits stays 0). A method that does not exist is refused later, by
 * imsat_options_check(). */
#define imsat_options_init(options, method, preset)                                           \
    imsat_options_init_sized(options, sizeof(imsat_options), IMSAT_TASK_CLUSTER, method,      \
                             preset)
#define imsat_options_init_hash(options, method, preset)                                      \
    imsat_options_init_sized(options, sizeof(imsat_options), IMSAT_TASK_HASH, method, preset)

/* What these do; bindings call it with imsat_options_size(). Absurd sizes do nothing. */
IMSAT_API void imsat_options_init_sized(imsat_options *options, size_t size, imsat_task task,
                                        const char *method, imsat_preset preset);
IMSAT_API size_t imsat_options_size(void);

/* Check options against the data's shape, before any work: ranges, prior, image shape. An
 * option that the method does not use must have its default. imsat_cluster() and imsat_hash()
 * call it too. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_options_check(const imsat_options *options,
                                                         const imsat_data *data,
                                                         imsat_error *err);

/* Set and get an option by its name, as text: "0.25", "1200,1200", "exact", "yes", "auto". An
 * unknown name, or text that is no value of it, is IMSAT_EINVAL, and the message is
 * "NAME TEXT: why". What is left open has the text "auto", and no number: "0" of threads is
 * refused. Pointers (prior, radius, callbacks) are set in the struct alone. Strings
 * (checkpoint) are not copied. Text that needs more than `room` bytes is IMSAT_EINVAL. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_options_set(imsat_options *options,
                                                       const char *name, const char *text,
                                                       imsat_error *err);
IMSAT_API IMSAT_CHECKED imsat_status imsat_options_get(const imsat_options *options,
                                                       const char *name, char *text,
                                                       size_t room, imsat_error *err);

/* What an option is: a row of the table that the checks, the records, the program and its
 * documentation are made from. */
typedef enum imsat_option_type {
    IMSAT_OPTION_COUNT,  /* a whole number, size_t or uint64_t */
    IMSAT_OPTION_NUMBER, /* double */
    IMSAT_OPTION_FLAG,   /* int: yes or no */
    IMSAT_OPTION_CHOICE, /* an enum: one of `choice` */
    IMSAT_OPTION_WIDTHS, /* of hidden layers: "400,400", "none" */
    IMSAT_OPTION_TEXT,   /* a string, or the name of a file */
    IMSAT_OPTION_VECTOR  /* a pointer to numbers, which has no text */
} imsat_option_type;

/* Options in groups, as help shows them. */
typedef enum imsat_section {
    IMSAT_SECTION_TASK,
    IMSAT_SECTION_PREPROCESSING,
    IMSAT_SECTION_NETWORK,
    IMSAT_SECTION_OBJECTIVE,
    IMSAT_SECTION_AUGMENTATION,
    IMSAT_SECTION_TRAINING,
    IMSAT_SECTION_WORK,
    IMSAT_SECTION_LIBRARY, /* what a program sets, not its user */
    IMSAT_SECTION_RESTARTS,
    IMSAT_SECTIONS
} imsat_section;

typedef struct imsat_option {
    const char *name; /* of the field: "step_size" */
    imsat_option_type type;
    imsat_section section;
    unsigned tasks;                  /* that it is for: bits 1 << imsat_task */
    const char *argument;            /* how help names its value */
    const char *help;                /* one sentence, no full stop */
    const char *fallback;            /* the default in words, or NULL */
    const char *unit;                /* or NULL */
    double least, most;              /* range; most may be infinite */
    int above_least;                 /* not 0: least itself is refused */
    int may_be_open;                 /* not 0: IMSAT_AUTO is a value */
    int recorded;                    /* not 0: it can change the result; models keep it */
    const char *(*choice)(size_t i); /* words that it takes, NULL past the last; or NULL */
} imsat_option;

/* Option i of the table, from 0; NULL past the last. The one of a name ("step_size" or
 * "step-size"), or NULL. Whether it changes anything for this method and task. */
IMSAT_API const imsat_option *imsat_option_at(size_t i);
IMSAT_API const imsat_option *imsat_option_named(const char *name);
IMSAT_API int imsat_option_used(const imsat_option *option, const char *method,
                                imsat_task task);

/* The title of a section in help, for a task. */
IMSAT_API const char *imsat_section_title(imsat_section section, imsat_task task);

/* A trained encoder. */
typedef struct imsat_model imsat_model;

/* ---- training -------------------------------------------------------------- */

/* The numbers of one run. The library makes it: later ones may have more fields. */
typedef struct imsat_run {
    uint64_t seed;
    double objective; /* over the whole data; of networks in inference mode, at the final mu */
    const double *term; /* (IMSAT_TERMS) its terms */
    double mu;          /* the last one of the ladder, or options.mu */
    size_t epochs;      /* trained, all rungs of the ladder together; or iterations */
} imsat_run;

/* How a radius came about. */
typedef struct imsat_radius_info {
    imsat_radius_method method; /* IMSAT_RADIUS_AUTO: none was computed */
    double error;  /* mean of (computed - exact) / exact over the sample; 0 if exact */
    size_t sample; /* rows whose exact radius was computed to know the error; 0 if exact */
} imsat_radius_info;

/* What a call has learned. The library makes it: later ones may have more fields. */
typedef struct imsat_result {
    size_t runs, best; /* how many, a consensus included, and which was kept */
    size_t rows;
    int32_t *labels; /* (runs, rows): the labels of every run; NULL for hash codes */
    uint8_t *codes;  /* (runs, rows, ceil(bits / 8)): the codes of every run, as
                        imsat_encode() gives them; NULL for clusters */
    double
        agreement; /* mean over pairs of runs, without a consensus; 1 for one run. Of clusters:
                      the adjusted Rand index. Of codes: the correlation of Hamming distances
                      over pairs of rows, 1 if all runs order neighbors alike */
    imsat_radius_info radius;
    double seconds_radius, seconds_train;
    imsat_options *used; /* the options with all that was left open decided; its pointers are
                            the caller's own */
    struct im_run *run;  /* see imsat_result_run() */
    char *note; /* on values that differ in the data and no more as float; NULL: none do */
} imsat_result;

/* The numbers of run i, from 0; NULL past the last. Owned by result. */
IMSAT_API const imsat_run *imsat_result_run(const imsat_result *result, size_t i);

IMSAT_API void imsat_result_free(imsat_result *result);

/* Learn k clusters of the rows of data.
 *
 * model    receives the trained model; free it with imsat_model_free().
 * result   receives what was found, if not NULL; free it with imsat_result_free().
 *
 * The same data, options and seed give the same bits, for any number of threads and across an
 * interruption. IMSAT_ESTOPPED: the progress callback or the augmentation asked to stop. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_cluster(imsat_model **model, const imsat_data *data,
                                                   const imsat_options *options,
                                                   imsat_result **result, imsat_error *err);

/* Learn a code of options->bits bits for every row of data; as imsat_cluster() otherwise. The
 * codes of any rows come from imsat_encode(). */
IMSAT_API IMSAT_CHECKED imsat_status imsat_hash(imsat_model **model, const imsat_data *data,
                                                const imsat_options *options,
                                                imsat_result **result, imsat_error *err);

/* sigma_t of every row: the distance to its t-th nearest other row, after the
 * preprocessing of options (method, k and the rest are not looked at). t above n - 1 is
 * taken as n - 1. radius (n) belongs to the caller.
 *
 * options.radius_method says how: exact, in O(n^2 dim) time, or approximate, in about
 * O(n^1.5 dim). The approximate radius is never too small; how far it is too large on average
 * is measured, and the method works harder, up to exact, where that is more than 1 %. Both
 * take O(n) memory. info (may be NULL) receives what was done. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_neighbor_radius(float *radius,
                                                           imsat_radius_info *info,
                                                           const imsat_data *data,
                                                           const imsat_options *options,
                                                           imsat_error *err);

/* ---- the trained model ----------------------------------------------------- */

IMSAT_API void imsat_model_free(imsat_model *model);

IMSAT_API size_t imsat_model_dim(const imsat_model *model);
IMSAT_API imsat_task imsat_model_task(const imsat_model *model); /* IMSAT_TASKS of NULL */
IMSAT_API size_t imsat_model_clusters(const imsat_model *model); /* 0 if it makes codes */
IMSAT_API size_t imsat_model_bits(const imsat_model *model);     /* 0 if it has clusters */

/* Save as, and load from, a safetensors file. Loading treats the file as hostile: any
 * file is either loaded or refused with IMSAT_EFORMAT. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_model_save(const imsat_model *model,
                                                      const char *path, imsat_error *err);
IMSAT_API IMSAT_CHECKED imsat_status imsat_model_load(imsat_model **out, const char *path,
                                                      imsat_error *err);

/* The metadata of the model file: options, preprocessing, data fingerprint, metrics,
 * version. Entry i as name and value; IMSAT_EINVAL past the last. Owned by model. */
IMSAT_API imsat_status imsat_model_metadata(const imsat_model *model, size_t i,
                                            const char **name, const char **value);

/* The course of a training, epoch by epoch: what progress told of the ends of epochs, without
 * the seconds. It stays small: a run that has more than 128 epochs keeps every second, fourth,
 * ... of them; of more than 20 runs, the first ones, the best and the last are kept. The
 * library makes it: later ones may have more fields. */
typedef struct imsat_history {
    size_t count;             /* epochs that are kept */
    const uint32_t *run;      /* (count) from 0, in order */
    const uint32_t *epoch;    /* (count) from 1, in order in each run */
    const float *objective;   /* (count) its mean over the steps of the epoch */
    const float *const *term; /* (IMSAT_TERMS) the same of each term, (count); NULL: the
                                 objective has not this one */
} imsat_history;

/* That of a model, which owns it. NULL: it was not trained by epochs, or by a library of
 * before. */
IMSAT_API const imsat_history *imsat_model_history(const imsat_model *model);

/* Label rows with a trained model; its preprocessing is applied.
 *
 * labels   (n) in [0, k), or NULL.
 * proba    (n, k) probabilities, or NULL.
 * threads  0: as many as there are cores.
 *
 * A row's result does not depend on the other rows, and its label is the first largest of
 * its probabilities. Safe to call from several threads on one model. Cost: one forward pass;
 * memory: one batch of activations a thread. A model that makes codes is IMSAT_EMISMATCH, and
 * so is a row that leads beyond the range of float; others may have been written by then. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_predict(const imsat_model *model,
                                                   const imsat_data *data, int32_t *labels,
                                                   float *proba, int threads,
                                                   imsat_error *err);

/* The codes of rows, by a model that imsat_hash() trained; another is IMSAT_EMISMATCH.
 *
 * codes    (n, ceil(bits / 8)) packed: the first bit is the most significant one of the first
 *          byte, and the bits behind the last are 0; or NULL.
 * proba    (n, bits) the probability that a bit is 1, or NULL.
 *
 * A bit is 1 where its probability is above 0.5. Otherwise as imsat_predict(). */
IMSAT_API IMSAT_CHECKED imsat_status imsat_encode(const imsat_model *model,
                                                  const imsat_data *data, uint8_t *codes,
                                                  float *proba, int threads, imsat_error *err);

/* The results of rows first .. first + count - 1. */
typedef struct imsat_piece {
    size_t first, count;
    const int32_t *labels; /* (count), or NULL if the model makes codes */
    const uint8_t *codes;  /* (count, ceil(bits / 8)), or NULL if the model has clusters */
    const float *proba;    /* (count, k), or (count, bits) */
} imsat_piece;

/* Take a piece, which is valid during the call. Return 0, or anything else to stop. */
typedef int (*imsat_predict_fn)(void *user, const imsat_piece *piece);

/* As imsat_predict() or imsat_encode(), whichever the model is for, but results are handed to
 * `take` piece by piece, in the order of the rows and on the caller's thread. What is read of
 * mapped files is given back behind each piece, so memory does not grow with the number of
 * rows. Returns IMSAT_ESTOPPED when `take` asked to stop. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_predict_stream(const imsat_model *model,
                                                          const imsat_data *data,
                                                          imsat_predict_fn take, void *user,
                                                          int threads, imsat_error *err);

/* How far the labels of rows first .. first + count - 1 of data are to be trusted, and how far
 * the rows are from what the model was trained on, a sample of which it keeps.
 *
 * confidence  (count) the mean of the row's probability and of what the runs of the training
 *             say of the kept rows near it: their share that has them in the same cluster, or,
 *             of one run, the probability. Low where a small step, or another seed, leads to
 *             another label, however sure the network is.
 * distance    (count) the distance to the nearest kept rows in units of their own radius
 *             sigma_t, which is about 1 for a row like them, whatever the data. It may be
 *             infinite. A row that is one of them is judged by the others.
 * labels      (count), and proba (count, k): as of imsat_predict().
 *
 * A row whose distance is above imsat_model_outlier_distance() is unlike the training data: of
 * that itself one row in a hundred is. Nothing is known of such a row's label, and its
 * confidence is that of chance, 1 / k.
 *
 * A row's result does not depend on the other rows, nor on the threads (0: as many as there
 * are cores). IMSAT_EMISMATCH: the model makes codes, or is of a version before that kept no
 * rows. Cost: the distances to the kept rows, at most 2,048. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_confidence(float *confidence, float *distance,
                                                      const imsat_model *model,
                                                      const imsat_data *data, size_t first,
                                                      size_t count, const int32_t *labels,
                                                      const float *proba, int threads,
                                                      imsat_error *err);

/* Whether the model can tell, and the distance above which a row is an outlier: infinite if it
 * cannot. */
IMSAT_API int imsat_model_has_confidence(const imsat_model *model);
IMSAT_API double imsat_model_outlier_distance(const imsat_model *model);

/* ---- evaluation ------------------------------------------------------------ */

typedef struct imsat_cluster_score {
    double acc;    /* share of points in the cluster matched to their class, best one-to-one */
    double nmi;    /* mutual information / arithmetic mean of the two entropies */
    double ari;    /* adjusted Rand index: 0 for chance, 1 for equal partitions */
    double purity; /* share of points in the majority class of their cluster */
    size_t clusters, classes; /* distinct labels on each side */
} imsat_cluster_score;

/* Compare predicted labels with the truth, both (n), any integers. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_evaluate_clusters(imsat_cluster_score *score,
                                                             const int32_t *predicted,
                                                             const int32_t *truth, size_t n,
                                                             imsat_error *err);

#ifdef __cplusplus
}
#endif
#endif
