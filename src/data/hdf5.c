/* SPDX-License-Identifier: MIT
 *
 * HDF5: a file of datasets in groups. Only this file, hdf5_dataset.c, which has the datasets,
 * and hdf5_matlab.c, which has MATLAB's variables, know libhdf5.
 *
 * Names are paths, "images" or "group/images". Links to other files are not followed. A file
 * of ann-benchmarks has the datasets train, test, neighbors and distances; without a name it
 * is train.
 */
#include "data/hdf5_matlab.h"

#include "core/alloc.h"
#include "core/child.h"
#include "core/feature.h"
#include "data/hdf5.h"
#include "data/inside.h"
#include "data/mat.h"

#include <string.h>
#include <sys/stat.h>

static const unsigned char SIGNATURE[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

/* The signature is at the start, or behind a block of the user's at 512, 1024, 2048, ... */
static bool hdf5_holds(const im_bytes *bytes)
{
    for (size_t at = 0; at < bytes->size && bytes->size - at >= sizeof SIGNATURE;
         at = at ? 2 * at : 512)
        if (memcmp(bytes->data + at, SIGNATURE, sizeof SIGNATURE) == 0)
            return true;
    return false;
}

#if IM_HDF5_BUILT

enum { MOST_DATASETS = 4096 };

/* The file being read. */
typedef struct container {
    hid_t file;
    char **names;  /* (count) owned; of datasets that can be rows */
    bool *vectors; /* (count) owned; of MATLAB's */
    size_t count;
    bool matlab; /* its datasets are variables of MATLAB */
    bool lacks_memory;
    im_bytes *bytes; /* the reader's, all of them here */
} container;

/* ---- the list ----------------------------------------------------------------------- */

static bool is_rows(hid_t group, const char *name)
{
    im_hdf5_dataset set;
    const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    const bool is_dataset = object >= 0 && H5Iget_type(object) == H5I_DATASET;
    if (object >= 0)
        H5Oclose(object);
    if (!is_dataset || !im_hdf5_dataset_open(&set, group, name))
        return false;
    im_hdf5_dataset_close(&set);
    return true;
}

static herr_t visit_link(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
    container *c = context;
    bool *vector = &c->vectors[c->count];
    if (info->type != H5L_TYPE_HARD || c->count == MOST_DATASETS ||
        !(c->matlab ? im_hdf5_matlab_holds(group, name, vector) : is_rows(group, name)))
        return 0;
    c->names[c->count] = im_strdup(name);
    c->lacks_memory = !c->names[c->count];
    c->count += !c->lacks_memory;
    return c->lacks_memory;
}

static imsat_status list_datasets(container *c, const char *path, imsat_error *err)
{
    c->names = im_alloc(MOST_DATASETS, sizeof *c->names);
    c->vectors = im_alloc(MOST_DATASETS + 1, sizeof *c->vectors);
    if (!c->names || !c->vectors)
        return im_fail_memory(err, path);
    const herr_t visited = H5Lvisit(c->file, H5_INDEX_NAME, H5_ITER_INC, visit_link, c);
    if (c->lacks_memory)
        return im_fail_memory(err, path);
    if (visited < 0)
        return im_fail(err, IMSAT_EFORMAT, "%s: the list of its datasets is damaged", path);
    return IMSAT_OK;
}

/* ---- reading ------------------------------------------------------------------------- */

static imsat_status read_dataset(im_block *out, void *context, size_t i,
                                 const im_read_request *request, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const container *c = context;
    im_hdf5_dataset set;
    im_block block = {0};
    char text[IM_SHAPE_TEXT];
    if (!im_hdf5_dataset_open(&set, c->file, c->names[i]))
        return im_fail(err, IMSAT_EFORMAT, "%s: cannot be opened", request->path);
    block.dtype = set.type.dtype;
    IM_TRY(im_block_set_shape(&block, set.shape, set.ndim, request->path, err));
    im_block_shape_text(text, set.shape, set.ndim);
    IM_TRY(
        im_block_describe(&block, err, "hdf5 '%s': %s %s", c->names[i], set.type.name, text));
    if (request->suits)
        IM_TRY(request->suits(&block, request, err));
    IM_TRY(im_hdf5_dataset_fill(&block, &set, c->bytes, false, request->path, err));
    IM_TRY(im_block_describe(&block, err, "hdf5 '%s': %s %s, %s", c->names[i], set.type.name,
                             text, block.kind == IM_BLOCK_ARRAY ? "mapped" : "by rows"));
    *out = block;
    block = (im_block){0};

cleanup:
    im_block_clear(&block);
    im_hdf5_dataset_close(&set);
    return st;
}

static imsat_status read_variable(im_block *out, void *context, size_t i,
                                  const im_read_request *request, imsat_error *err)
{
    const container *c = context;
    return im_hdf5_matlab_read(out, c->file, c->names[i], c->bytes, request, err);
}

static bool has(const container *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->names[i], name) == 0)
            return true;
    return false;
}

/* What MATLAB calls by a name that is asked for must be numbers. */
static imsat_status check_names(const container *c, const im_read_request *request,
                                imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    if (!c->matlab)
        return IMSAT_OK;
    IM_TRY(im_hdf5_matlab_check(c->file, request->inside, request->path, err));
    IM_TRY(im_hdf5_matlab_check(c->file, request->labels ? request->label_column : NULL,
                                request->path, err));

cleanup:
    return st;
}

/* What an opened file is asked for. */
static imsat_status read_container(im_block *out, container *c, const im_read_request *request,
                                   imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_read_request wanted = *request;
    const im_reader *reader = c->matlab ? &im_mat_reader : &im_hdf5_reader;
    const im_inside inside = {.what = reader->format.inside,
                              .names = (const char *const *)c->names,
                              .count = c->count,
                              .vectors = c->matlab ? c->vectors : NULL,
                              .read = c->matlab ? read_variable : read_dataset,
                              .context = c};
    if (!request->inside && has(c, "train") && has(c, "test") && has(c, "neighbors"))
        wanted.inside = "train";
    IM_TRY(check_names(c, request, err));
    IM_TRY(im_inside_read(out, &inside, &wanted, err));
    if (c->bytes->mapped && !out->bytes.heap && out->kind != IM_BLOCK_CSR) {
        out->bytes =
            *c->bytes; /* the block keeps them, also to know if the file is cut short */
        *c->bytes = (im_bytes){0};
    }

cleanup:
    return st;
}

static void clear(container *c)
{
    if (c->file >= 0)
        H5Fclose(c->file);
    for (size_t i = 0; i < c->count; i++)
        im_free(c->names[i]);
    im_free(c->names);
    im_free(c->vectors);
}

/* name: by which libhdf5 opens the file. */
static imsat_status read_file(im_block *out, im_bytes *bytes, const char *name,
                              const im_read_request *request, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    container c = {.file = -1, .bytes = bytes, .matlab = im_mat_is_73(bytes)};
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    c.file = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (c.file < 0)
        return im_fail(err, IMSAT_EFORMAT,
                       "%s: libhdf5 cannot open it: it is damaged, was cut "
                       "short, or is being written",
                       request->path);
    IM_TRY(list_datasets(&c, request->path, err));
    IM_TRY(read_container(out, &c, request, err));

cleanup:
    clear(&c);
    return st;
}

/* ---- the trial ------------------------------------------------------------------------- */

/* libhdf5 1.10 crashes on files whose structure is damaged: lengths and offsets in it are not
 * all checked. So a program can have the file read in a child process first (core/child.h):
 * all that is read when it is opened, and the first and the last row. No other thread is in
 * libhdf5 meanwhile, since the lock is ours. */
typedef struct trial {
    im_bytes *bytes;
    const char *name;
    const im_read_request *request;
} trial;

static void try_file(void *context)
{
    const trial *t = context;
    im_block block = {0};
    unsigned char element[sizeof(double)];
    im_hdf5_renew();
    if (read_file(&block, t->bytes, t->name, t->request, NULL) != IMSAT_OK ||
        block.kind == IM_BLOCK_CSR)
        return;
    (void)im_block_read_raw(element, &block, 0, 0, 1, NULL);
    (void)im_block_read_raw(element, &block, block.rows - 1, block.dim - 1, 1, NULL);
}

/* A damaged file can keep libhdf5 busy for ever. Structure takes milliseconds, but a
 * compressed matrix of MATLAB is read as a whole: zlib makes at most 264 MB of 256 KiB, which
 * is a second's work at the slowest. */
static unsigned trial_seconds(const char *name)
{
    struct stat file;
    const unsigned at_least = 60;
    return stat(name, &file) == 0 ? at_least + (unsigned)(file.st_size >> 18) : at_least;
}

static imsat_status hdf5_read(im_block *out, im_bytes *bytes, const im_read_request *request,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_hdf5_path path = {.temporary = false};
    trial t = {bytes, path.name, request};
    im_hdf5_enter();
    IM_TRY(im_hdf5_path_find(&path, request->file, bytes, err));
    IM_TRY(
        im_child_try(try_file, &t, trial_seconds(path.name), "libhdf5", request->path, err));
    IM_TRY(read_file(out, bytes, path.name, request, err));

cleanup:
    im_hdf5_path_clear(&path);
    im_hdf5_leave();
    return st;
}

#else

static imsat_status hdf5_read(im_block *out, im_bytes *bytes, const im_read_request *request,
                              imsat_error *err)
{
    (void)out;
    (void)bytes;
    return im_feature_refuse(IM_FEATURE_HDF5, request->path, err);
}

#endif

const im_reader im_hdf5_reader = {
    .format = {"hdf5", "datasets in groups, those of ann-benchmarks among them", ".h5 .hdf5",
               "dataset"},
    .lists = true,
    .holds = hdf5_holds,
    .read = hdf5_read};
