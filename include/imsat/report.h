/* SPDX-License-Identifier: MIT
 *
 * imsat: what a model found in data, as a page to look at. The conventions of imsat/imsat.h
 * hold here.
 */
#ifndef IMSAT_REPORT_H
#define IMSAT_REPORT_H

#include "imsat/features.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a report is made of besides model and data. All zero but the size: the defaults. */
typedef struct imsat_report_options {
    size_t size;              /* sizeof(imsat_report_options) */
    const char *title;        /* NULL: "Clusters of NAME", after the first file */
    const char *const *paths; /* (npaths) that the data was opened from, or NULL. They are
                                 named on the page; texts are read again to be shown. */
    size_t npaths;
    const char *text_column;    /* of the texts, as when they were opened */
    const int32_t *truth;       /* (rows) the class of every row, to compare; or NULL */
    const char *const *classes; /* what the classes 0, 1, ... are called, with a NULL behind
                                   the last; NULL: they are numbers */
    const char *const *columns; /* (columns) what those of the data are called; NULL: as the
                                   data says */
    size_t most_bytes;          /* of the page; 0: 5,000,000 */
    size_t map_rows;            /* rows on the map, drawn at random; 0: 20,000 */
    uint64_t seed;              /* of the draw, and of the map */
    int threads;                /* 0: as many as there are cores */
    imsat_progress_fn progress; /* may be NULL; the stage is "report" */
    void *progress_user;
} imsat_report_options;

/* Write a page on what the model says of data: one HTML file that needs nothing else, no
 * network and no program but a browser. Texts of files and data are shown on it, never run.
 *
 * options  may be NULL for the defaults.
 *
 * It takes one prediction of all rows, and memory for a label and a probability of each; of
 * the map's rows a copy, of at most 256 MB. The same model, data and options give the same
 * bytes. IMSAT_EINVAL: what must be shown does not fit into most_bytes. IMSAT_ESTOPPED:
 * progress asked to stop. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_report_write(const char *path,
                                                        const imsat_model *model,
                                                        const imsat_data *data,
                                                        const imsat_report_options *options,
                                                        imsat_error *err);

#ifdef __cplusplus
}
#endif

#endif
