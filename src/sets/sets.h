/* SPDX-License-Identifier: MIT
 *
 * What a data set is: the files that it is published as, what the paper says of it, and the
 * forms in which it can be prepared. The sets of the paper are in sets.c.
 */
#ifndef IM_SETS_SETS_H
#define IM_SETS_SETS_H

#include "imsat/sets.h"
#include "sets/recipe.h"

enum {
    IM_SETS_PLACES = 2,
    IM_SETS_FILES = 4,
    IM_SETS_FORMS = 4,
    IM_SETS_LAYOUTS = 4,
    IM_SETS_PARTS = 7 /* files of a layout, and NULL behind them */
};

/* A file to be downloaded. */
typedef struct im_set_file {
    const char *name;
    const char *places[IM_SETS_PLACES]; /* addresses, all but the name if they end with '/' */
    const char *sha256;                 /* NULL: not known, and not compared */
} im_set_file;

/* Files that are there together, and what makes rows of them. */
typedef struct im_set_layout {
    im_recipe_fn *make; /* NULL ends the layouts of a form */
    const char *place;  /* what their paths begin with, from the folder on: "", "folder/", or
                           "archive.tar:folder/" */
    const char *data[IM_SETS_PARTS], *labels[IM_SETS_PARTS]; /* NULL behind the last */
    double scale;                                            /* see im_recipe */
} im_set_layout;

typedef struct im_set_form {
    imsat_set_form shown; /* a name of NULL ends the forms of a set */
    im_set_layout layouts[IM_SETS_LAYOUTS];
} im_set_form;

typedef struct im_set {
    const char *name;
    const char *also; /* what else a folder of its files may be called, or NULL */
    const char *summary;
    imsat_set_row paper;
    im_set_file files[IM_SETS_FILES]; /* a name of NULL ends them */
    const char *refusal;              /* why there are none, and what to do */
    im_set_form forms[IM_SETS_FORMS];
} im_set;

/* As imsat_sets_fetch(), of any set. */
imsat_status im_sets_fetch(const im_set *set, const char *folder,
                           const imsat_fetch_options *options, imsat_error *err);

/* As imsat_sets_prepare(), of any set. */
imsat_status im_sets_prepare(imsat_data **out, const imsat_set_form **form, const im_set *set,
                             const char *folder, const imsat_prepare_options *options,
                             imsat_error *err);

#endif
