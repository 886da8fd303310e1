/* SPDX-License-Identifier: MIT
 *
 * What a page is made of: computed once, before anything is written.
 */
#ifndef IM_REPORT_MATERIAL_H
#define IM_REPORT_MATERIAL_H

#include "core/flush.h"
#include "imsat/search.h"
#include "model/model.h"
#include "plot/thumbs.h"
#include "report/classes.h"
#include "report/excerpts.h"
#include "report/gather.h"
#include "report/marks.h"
#include "report/shown.h"

enum {
    IM_MATERIAL_CARDS = 100, /* clusters that are shown one by one, at most */
    IM_MATERIAL_MAP = 20000, /* rows of the map, if nothing else was asked for */
    IM_MATERIAL_BYTES = 5000000
};

typedef struct im_material {
    const imsat_model *model;
    const imsat_data *data;
    imsat_report_options options; /* with the defaults filled in */
    im_flush before;              /* the mode of the caller, who is told of progress in it */
    im_pool *pool;                /* owned */
    im_gather found;
    im_shown sample;
    int32_t *sample_labels; /* (sample) owned; of clusters, else NULL */
    uint8_t *sample_codes;  /* (sample, bytes) owned; of codes, else NULL */
    double *place;          /* (sample,2) owned: the map, x and y from 0 to 1 */
    im_thumbs pictures;
    bool texts; /* rows are of texts: columns are words */
    im_excerpts excerpts;
    im_marks columns; /* of clusters */
    im_classes classes;
    size_t class_names;          /* how many of them have one */
    bool same_rows;              /* the data is what the model was trained on */
    int structure;               /* are there clusters at all? 1, 0, or -1: not known */
    double information, without; /* of these rows, and of such without clusters */
    size_t *order;               /* (clusters) owned: the largest first; of clusters */
    size_t cards;                /* clusters that are shown one by one */
    size_t each;                 /* rows that are shown of a kind and a cluster */
} im_material;

imsat_status im_material_make(im_material *out, const imsat_model *model,
                              const imsat_data *data, const imsat_report_options *options,
                              imsat_error *err);
void im_material_clear(im_material *material);

/* An entry of the model's record; NULL: it has none. */
const char *im_material_record(const im_material *material, const char *key);

/* The same as a number; `otherwise` if there is none. */
double im_material_number(const im_material *material, const char *key, double otherwise);

#endif
