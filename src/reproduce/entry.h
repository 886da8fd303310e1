/* SPDX-License-Identifier: MIT
 *
 * A cell of a table: a method on a data set with a seed; and its file, a JSON object. The file
 * is there when the cell is finished, whole, or it is not there.
 */
#ifndef IM_REPRODUCE_ENTRY_H
#define IM_REPRODUCE_ENTRY_H

#include "core/strbuf.h"
#include "reproduce/paper.h"

enum { IM_ENTRY_NAME = 96 };

typedef struct im_entry {
    const im_paper_row *row;
    const char *dataset;
    double value;  /* of the option that is varied; 0: none is */
    uint64_t seed; /* the first of a race */
    size_t race;   /* seeds that race, of which one is the trial; 0: no race */
    size_t epochs; /* asked for; 0: those of the preset */
    char name[IM_ENTRY_NAME];

    bool done;               /* and then: */
    double score[IM_SCORES]; /* in percent; NAN where there is none */
    double objective, seconds;
    char *features;  /* what the rows are, if they are not the paper's; owned, or NULL */
    im_strbuf about; /* members of its file for those who read it, a comma before each */
    char *grid;      /* of a decision on a grid: a digit for each place; owned, or NULL */
    char *picture;   /* of some clusters, as a URL (gallery.h); owned, or NULL */
} im_entry;

/* Name a cell after what it is. */
void im_entry_name(im_entry *cell);

/* "folder/name ending"; NULL without memory. */
char *im_entry_path(const im_entry *cell, const char *folder, const char *ending);

/* Put a member of a JSON object, with a comma before it. */
void im_entry_number(im_strbuf *out, const char *key, double value);

/* Read the cell's file, if it is there; cell->done says whether. IMSAT_EMISMATCH: it was made
 * with other options; IMSAT_EFORMAT: it is no such file. */
imsat_status im_entry_read(im_entry *cell, const char *folder, imsat_error *err);

imsat_status im_entry_write(const im_entry *cell, const char *folder, imsat_error *err);

void im_entry_clear(im_entry *cell);

#endif
