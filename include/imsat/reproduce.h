/* SPDX-License-Identifier: MIT
 *
 * imsat: the paper's experiments, and its tables with ours beside them.
 *
 * An experiment is cells: a method on a data set with a seed. A cell that is finished is a
 * file in a folder, and one that is not has a checkpoint there, so that a reproduction may be
 * stopped at any moment, by a signal or by a failure of power, and goes on from there; its
 * tables are the same as if it had not been. A cell of dae-kmeans leaves its model, too, from
 * which that of dec takes the auto-encoder in place of training the same one again. The
 * conventions are those of imsat.h.
 */
#ifndef IMSAT_REPRODUCE_H
#define IMSAT_REPRODUCE_H

#include "imsat/imsat.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum imsat_experiment {
    IMSAT_EXPERIMENT_CLUSTERING, /* table 3: accuracy on eight data sets */
    IMSAT_EXPERIMENT_HASH16,     /* table 5: codes of 16 bits */
    IMSAT_EXPERIMENT_HASH32,     /* table 6: codes of 32 bits */
    IMSAT_EXPERIMENT_OMNIGLOT,   /* table 4: augmentations on Omniglot */
    IMSAT_EXPERIMENT_SWEEP,      /* appendix G: the choice of lambda and of the decay rate */
    IMSAT_EXPERIMENT_TOY,        /* appendix I: spirals, and the size of the network */
    IMSAT_EXPERIMENTS
} imsat_experiment;

/* The name, "clustering", and one line on it; NULL when out of range. */
IMSAT_API const char *imsat_experiment_name(imsat_experiment experiment);
IMSAT_API const char *imsat_experiment_summary(imsat_experiment experiment);

/* A cell, as it begins and as it ends. */
typedef struct imsat_cell_state {
    size_t number, cells; /* which one, from 0, and of how many */
    const char *name;     /* of its file, without the ending */
    int done;             /* 0: it begins; 1: it is on disk */
} imsat_cell_state;

typedef void (*imsat_cell_fn)(void *user, const imsat_cell_state *state);

/* All zero but the folder is a good choice. */
typedef struct imsat_reproduce_options {
    const char *folder;         /* where cells, tables and figures go; made if need be */
    const char *data;           /* where the files of the data sets are; NULL: here */
    const char *datasets;       /* names with commas between; NULL: all of the experiment */
    const char *methods;        /* the same */
    size_t trials;              /* seeds of a method that draws; 0: 3, of sweep and toy 1 */
    size_t epochs;              /* of each training; 0: as many as the preset has */
    int threads;                /* 0: as many as there are cores */
    imsat_progress_fn progress; /* of the training of a cell; may stop it; or NULL */
    void *progress_user;
    imsat_cell_fn tell; /* or NULL */
    void *tell_user;
    size_t race; /* seeds that race in each trial of a method that can (race of imsat.h); no
                    two trials share one. 0: a trial is one seed */
} imsat_reproduce_options;

/* Do what is left of an experiment. In the folder are then, besides the cells, table.txt,
 * table.md, table.csv and table.json, and of omniglot, sweep and toy figure.svg; what was not
 * done has a dash there, so that they are of use after a failure, too. The data sets are made
 * as by imsat_sets_prepare() of the files in `data`; "digits", which the paper has not, is
 * digits.csv.gz there, or in a folder digits, with the classes in column 64.
 *
 * Returns IMSAT_OK; IMSAT_EINVAL: there is no such data set or method in the experiment, or
 * it has no trials that could race, as sweep and toy;
 * IMSAT_EMISMATCH: the folder has cells of other options; IMSAT_ESTOPPED; or what training
 * and files lead to. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_reproduce(imsat_experiment experiment,
                                                     const imsat_reproduce_options *options,
                                                     imsat_error *err);

/* What a table is written as. */
typedef enum imsat_table_form {
    IMSAT_TABLE_TEXT,
    IMSAT_TABLE_MARKDOWN,
    IMSAT_TABLE_CSV,
    IMSAT_TABLE_JSON,
    IMSAT_TABLE_FORMS
} imsat_table_form;

/* "text", "markdown"; NULL when out of range. */
IMSAT_API const char *imsat_table_form_name(imsat_table_form form);

/* The table of the cells that the folder has, of whatever seeds and races, as text that is
 * freed with imsat_free(). Nothing is trained and no file is written; a row of which there is
 * no cell has a dash. Of the options folder, datasets, methods and epochs are looked at.
 *
 * Returns as imsat_reproduce(); IMSAT_EIO: the folder cannot be read. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_reproduce_table(
    char **text, imsat_experiment experiment, const imsat_reproduce_options *options,
    imsat_table_form form, imsat_error *err);

#ifdef __cplusplus
}
#endif
#endif
