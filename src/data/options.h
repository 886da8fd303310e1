/* SPDX-License-Identifier: MIT
 *
 * Options, said once: a table of the fields of imsat_options. Their defaults, the text they
 * are read from and written as, their ranges, the record that models and checkpoints keep, the
 * program's command line and its documentation all come from it.
 *
 * To add an option is to give it a field at the end of imsat_options and a row in
 * options_table.c. Which methods have it is said by the method (its sections and what it uses,
 * train/method.h).
 */
#ifndef IM_DATA_OPTIONS_H
#define IM_DATA_OPTIONS_H

#include "data/safetensors.h"

#include <stdbool.h>

/* What a method may make use of; options that nothing else uses name it in their row. */
enum {
    IM_USES_HIDDEN = 1,      /* hidden layers */
    IM_USES_RADIUS = 2,      /* sigma_t(x) */
    IM_USES_PROBE = 4,       /* VAT's search for a direction */
    IM_USES_COVARIANCE = 8,  /* normals */
    IM_USES_GRAPH = 16,      /* the graph of nearest neighbors */
    IM_USES_INIT = 32,       /* first weights whose deviation is an option */
    IM_USES_CODE = 64,       /* an auto-encoder, whose code is clustered */
    IM_USES_TARGET = 128,    /* DEC's target distribution */
    IM_USES_FEW_UNITS = 256, /* hidden layers by the number of bits, where they are open */
    IM_USES_PAUSE = 512, /* epochs after which a training can pause, and tell how it stands */
    IM_USES_TEACHER = 1024, /* labels that its networks can be taught */
    IM_USES_IMAGES = 2048   /* the shape of images, to warp them */
};

typedef struct im_option {
    imsat_option about;
    size_t offset, width;                /* of the field */
    const char *standard[IMSAT_PRESETS]; /* default text by preset; NULL: all zero */
    const char *of_codes;                /* default text for hash codes, if it is another */
    unsigned uses;                       /* IM_USES_* that make a method use it; 0: any */
    bool zero_is_open; /* a count that 0 leaves open, too; in text only "auto" does */
    bool derived;      /* no option: the record also says whether the field was left open */
} im_option;

/* In the order of the record. */
extern const im_option im_options_table[];
extern const size_t im_options_count;

static inline bool im_options_number_open(double number)
{
    return !(number < IMSAT_AUTO || number > IMSAT_AUTO) && number > 0;
}

static inline bool im_options_count_open(size_t count)
{
    return count == IMSAT_AUTO;
}

/* The defaults of task and preset, which are set, in all fields of the table. */
void im_options_standard(imsat_options *options);

/* Read a field from text, and write it as text. */
imsat_status im_options_put(imsat_options *options, const im_option *row, const char *text,
                            imsat_error *err);
void im_options_text(char *text, size_t room, const imsat_options *options,
                     const im_option *row);

/* Have both the same in this field? */
bool im_options_same(const imsat_options *a, const imsat_options *b, const im_option *row);

/* Is the field in its range? */
imsat_status im_options_in_range(const imsat_options *options, const im_option *row,
                                 imsat_error *err);

/* Put every option of these sections (bits 1 << imsat_section) that can change the result
 * into a file's metadata, under "option.NAME". What is left open is "auto". */
imsat_status im_options_record(im_safetensors *file, const imsat_options *options,
                               unsigned sections, imsat_error *err);

/* Whether a program can have a struct of this size: at least that of the first one with a
 * size, and not more than will ever be. */
bool im_options_size_known(size_t size);

/* Options of the library's own size from a caller's, whose program may know fewer fields:
 * those that it does not know keep the values that `own` has. */
imsat_status im_options_adopt(imsat_options *own, const imsat_options *theirs,
                              imsat_error *err);

#endif
