/* SPDX-License-Identifier: MIT
 *
 * imsat: which method to trust on some data, and how many clusters there are, without labels.
 * The conventions of imsat/imsat.h hold here. docs/choice.md says how to read the numbers.
 */
#ifndef IMSAT_CHOICE_H
#define IMSAT_CHOICE_H

#include "imsat/imsat.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows without clusters that data is compared with: as many, of the same covariance. */
typedef enum imsat_null {
    IMSAT_NULL_NORMAL,   /* one normal */
    IMSAT_NULL_UNIFORM,  /* a box along the principal components */
    IMSAT_NULL_PERMUTED, /* each column in another order; the covariance is gone, too */
    IMSAT_NULLS
} imsat_null;

/* "normal", "uniform", "permuted"; NULL when out of range. */
IMSAT_API const char *imsat_null_name(imsat_null kind);

/* What a method's clusters are worth on some rows; NaN: not measured. The library makes it:
 * later ones may have more fields. */
typedef struct imsat_measures {
    double
        information;   /* share of a label that the labels of nearest neighbors tell, 0 to 1 */
    double nats;       /* the same as mutual information */
    double silhouette; /* -1 to 1 */
    double strength;   /* prediction strength of halves of the rows, 0 to 1 */
    double seeds;      /* adjusted Rand index of two runs with different seeds */
    double rows;       /* the same of all rows and half of them, on the common rows */
} imsat_measures;

/* A method in a comparison. The library makes it: later ones may have more fields. */
typedef struct imsat_compared {
    const char *method;
    const char *left_out;       /* why nothing was measured; NULL: it was */
    const int32_t *labels;      /* (comparison rows); NULL if it was left out */
    double agreement;           /* mean adjusted Rand index with the other methods */
    double seconds;             /* that its runs took */
    const imsat_measures *data; /* on the rows, */
    const imsat_measures *null[IMSAT_NULLS]; /* and on rows without clusters */
} imsat_compared;

/* The library makes it: later ones may have more fields. */
typedef struct imsat_comparison {
    size_t k;
    size_t rows;       /* that methods were compared on, drawn from the data, */
    const size_t *row; /* (rows) and which ones of it */
    size_t methods;    /* see imsat_comparison_method() */
    int structure;     /* 1: there are clusters; 0: no more than in rows without any */
    int normals;       /* 1: the rows look like k normals; 0: they do not; -1: not tested */
    size_t best;       /* the method to trust; `methods` if there is no structure */
    double information, without, deviation; /* of the test of structure: the share of the data;
                          that of rows without clusters; and its standard deviation */
    const char *sentence;                   /* which method, and why */
    double seconds;
    struct im_comparison *own; /* what the pointers lead to */
} imsat_comparison;

/* Compare methods on at most 2000 rows of data, within about `budget` seconds.
 *
 * options   k, seed, threads, preset, preprocessing and progress are looked at; methods have
 *           the defaults of the preset. Stages of progress are "prepare" and "compare".
 * methods   names with commas between; NULL: the sensible ones for these data.
 *
 * Each method is run with two seeds on the rows and once on each half of them, and on rows
 * without clusters; then imsat_comparison.best is the one whose borders lie where there are
 * fewest rows. What the budget does not suffice for is left out, and said so; the numbers that
 * are there do not depend on it, nor on the number of threads. IMSAT_EINVAL: the budget is
 * over before anything can be said; fewer than 8 rows a cluster. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_compare(imsat_comparison **out,
                                                   const imsat_data *data,
                                                   const imsat_options *options,
                                                   const char *methods, double budget,
                                                   imsat_error *err);

/* Method i, from 0; NULL past the last. Owned by comparison. */
IMSAT_API const imsat_compared *imsat_comparison_method(const imsat_comparison *comparison,
                                                        size_t i);
IMSAT_API void imsat_comparison_free(imsat_comparison *comparison);

/* A number of clusters among others. The library makes it: later ones may have more fields. */
typedef struct imsat_k_row {
    size_t k;
    const char *method; /* kmeans or spectral, whichever separates these clusters better */
    double information, without, deviation; /* as in imsat_comparison */
    double strength;                        /* prediction strength */
    int stands; /* not 0: there are clusters, and half of the rows find those of the other */
} imsat_k_row;

/* The library makes it: later ones may have more fields. */
typedef struct imsat_k_choice {
    size_t k;             /* the largest that stands; 0: none does */
    size_t rows;          /* that were looked at */
    size_t count;         /* of imsat_k_choice_row() */
    const char *sentence; /* which k, and why */
    double seconds;
    struct im_k_choice *own; /* what the pointers lead to */
} imsat_k_choice;

/* Try every k from `from` to `to`, 2 or more, on at most 1000 rows. options and budget: as of
 * imsat_compare(), but options.k is not looked at. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_choose_k(imsat_k_choice **out,
                                                    const imsat_data *data,
                                                    const imsat_options *options, size_t from,
                                                    size_t to, double budget,
                                                    imsat_error *err);

/* Row i, from 0; NULL past the last. Owned by choice. */
IMSAT_API const imsat_k_row *imsat_k_choice_row(const imsat_k_choice *choice, size_t i);
IMSAT_API void imsat_k_choice_free(imsat_k_choice *choice);

/* The cheap form, on at most 500 rows: are these data better separated by options->k clusters
 * than rows without any? *found is 1, 0, or -1 if there are too few rows to tell; *information
 * and *without as in imsat_comparison. For ten clusters it takes about a second. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_has_structure(int *found, double *information,
                                                         double *without,
                                                         const imsat_data *data,
                                                         const imsat_options *options,
                                                         imsat_error *err);

#ifdef __cplusplus
}
#endif

#endif
