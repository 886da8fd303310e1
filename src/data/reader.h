/* SPDX-License-Identifier: MIT
 * Readers: from the bytes of a file to a block, one reader for each format. */
#ifndef IM_DATA_READER_H
#define IM_DATA_READER_H

#include "data/block.h"
#include "data/label_list.h"

typedef struct im_read_request im_read_request;

/* Whether the type and the shape of a block are what is wanted; its elements are not there. */
typedef imsat_status im_suits_fn(const im_block *block, const im_read_request *request,
                                 imsat_error *err);

/* What a reader is asked for. */
struct im_read_request {
    const char *path;
    const char *label_column; /* or NULL; only CSV has columns to name */
    im_label_list *labels;    /* where the label column goes; needed with label_column */
    bool doubles;             /* numbers of a text file are kept as double even if float holds
                                 them, and may be beyond the range of float */
    im_suits_fn *suits;       /* or NULL; asked where a header tells of a block, before the
                                 elements are decompressed */
    const void *context;      /* for it */
};

/* One per format. `holds` looks at the contents, `named` at the path: contents decide, and
 * a name only where they do not. `read` fills a block from the bytes, which it takes over
 * on success only. */
typedef struct im_reader {
    const char *name;
    bool (*holds)(const im_bytes *bytes);
    bool (*named)(const char *path);
    imsat_status (*read)(im_block *out, im_bytes *bytes, const im_read_request *request,
                         imsat_error *err);
} im_reader;

extern const im_reader im_npy_reader, im_idx_reader, im_csv_reader;

/* The reader of a file; CSV takes text that no other knows. Other contents are refused. */
imsat_status im_reader_find(const im_reader **out, const char *path, const im_bytes *bytes,
                            imsat_error *err);

/* Open a file and read it by the reader that knows it. */
imsat_status im_reader_read(im_block *out, const im_read_request *request, imsat_error *err);

#endif
