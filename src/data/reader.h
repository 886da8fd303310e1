/* SPDX-License-Identifier: MIT
 *
 * Readers: from the bytes of a file to a block, one reader for each format. */
#ifndef IM_DATA_READER_H
#define IM_DATA_READER_H

#include "data/block.h"
#include "data/label_list.h"
#include "data/schema.h"

typedef struct im_read_request im_read_request;
typedef struct im_contents im_contents;

/* Whether the type and the shape of a block are what is wanted; its elements are not there. */
typedef imsat_status im_suits_fn(const im_block *block, const im_read_request *request,
                                 imsat_error *err);

/* What a reader is asked for. */
struct im_read_request {
    const char *path;   /* as the user calls it, FILE or FILE:NAME; for messages */
    const char *file;   /* FILE, for those that open it once more, or go by its name; in an
                           archive FILE/NAME, which cannot be opened */
    const char *inside; /* NAME; NULL: the only thing inside, or the usual one */
    const char *label_column; /* or NULL; what it names is for the format to say */
    im_label_list *labels;    /* where labels in the file go; NULL: they are not wanted */
    im_schema *schema;        /* of the data set: which columns of a table are values, and what
                               they are; NULL: all, as they are */
    bool wants_labels;        /* of a file with data and labels the labels are to be the block;
                                 where they go to `labels`, there need be no block */
    imsat_image image;        /* pictures are brought to this shape; all 0: to none */
    bool doubles;             /* numbers of a text file are kept as double even if float holds
                                 them, and may be beyond the range of float */
    im_suits_fn *suits;       /* or NULL; asked where a header tells of a block, before the
                                 elements are decompressed */
    const void *context;      /* for it */
    im_contents *contents; /* not NULL: a file that holds several arrays lists them there, and
                              reads nothing: its answer is IMSAT_ESTOPPED (data/inside.h) */
};

/* One per format. Contents decide which one reads a file, and the name only where they do not:
 * of a format that begins like no other, `holds` looks at the contents; one that cannot be
 * told so has none. `read` fills a block from the bytes, which it takes over on success only.
 */
typedef struct im_reader {
    imsat_format format;                  /* help and refusals have their words from here */
    bool lists;                           /* it knows `contents` of a request */
    bool table;                           /* of text: a line is a row, of fields */
    bool (*holds)(const im_bytes *bytes); /* or NULL */
    bool (*named)(const char *file);      /* NULL: it has one of the format's endings */
    imsat_status (*read)(im_block *out, im_bytes *bytes, const im_read_request *request,
                         imsat_error *err);
} im_reader;

extern const im_reader im_npy_reader, im_npz_reader, im_idx_reader, im_vecs_reader,
    im_bin_reader, im_cifar_reader, im_stl_reader, im_safetensors_reader, im_mat_reader,
    im_hdf5_reader, im_pictures_reader, im_mtx_reader, im_svmlight_reader, im_jsonl_reader,
    im_csv_reader;

/* The reader of a file; CSV takes text that no other knows. Other contents are refused. */
imsat_status im_reader_find(const im_reader **out, const char *file, const im_bytes *bytes,
                            imsat_error *err);

/* A file that was opened, and the reader that knows it. */
typedef struct im_reader_file {
    im_path_parts name;
    char *member; /* owned: what the file in an archive is called, FILE/NAME; NULL: it is no
                     archive, or read as a whole */
    im_bytes bytes;
    const im_reader *reader;
} im_reader_file;

/* Open FILE or FILE:NAME, where a tar archive is a FILE whose files have names. A folder has
 * no bytes, and is taken for one of pictures. */
imsat_status im_reader_open(im_reader_file *out, const char *path, imsat_error *err);

/* Read what was opened. The request needs no `file` and no `inside`. The bytes are of no use
 * afterwards. */
imsat_status im_reader_take(im_block *out, im_reader_file *file,
                            const im_read_request *request, imsat_error *err);
void im_reader_close(im_reader_file *file);

/* All of it in one call: the file is that of request->path. */
imsat_status im_reader_read(im_block *out, const im_read_request *request, imsat_error *err);

#endif
