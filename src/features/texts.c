/* SPDX-License-Identifier: MIT
 *
 * Texts as data: imsat_texts_open(), which fits tf-idf to them, and rows of other texts by a
 * tf-idf that was fitted; see imsat/features.h.
 */
#include "features/texts.h"

#include "core/alloc.h"
#include "core/writer.h"

#include <stdio.h>

enum { WORDS = 2000, MIN_WORDS = 1, DESCRIPTION = 256 };

/* ---- reading ------------------------------------------------------------------------------
 */

/* What a document goes to. */
typedef struct target {
    im_tfidf_fit fit;      /* while it is fitted */
    const im_tfidf *tfidf; /* or what was */
    im_tfidf_counter counter;
    im_csr_builder rows;
} target;

static imsat_status fit_document(void *context, const char *text, size_t size,
                                 imsat_error *err)
{
    target *t = context;
    return im_tfidf_take(&t->fit, text, size, err);
}

static imsat_status apply_to_document(void *context, const char *text, size_t size,
                                      imsat_error *err)
{
    target *t = context;
    return im_tfidf_row(t->tfidf, &t->counter, &t->rows, text, size, err);
}

/* The columns that texts and labels are in. */
typedef struct columns {
    const char *text, *label;
} columns;

/* Visit the documents of all paths. */
static imsat_status read_all(const char *const *paths, size_t npaths, columns names,
                             im_label_list *list, im_document_fn *take, void *context,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_member_labels labels = {.list = list};
    for (size_t i = 0; i < npaths; i++) {
        const im_documents documents = {paths[i], names.text, names.label,
                                        &labels,  take,       context};
        IM_TRY(im_documents_each(&documents, err));
    }

cleanup:
    im_member_labels_clear(&labels);
    return st;
}

/* ---- data ---------------------------------------------------------------------------------
 */

/* Labels and numbers of the documents that became rows; documents NULL: all did. */
static imsat_status set_rows(imsat_data *data, const uint32_t *documents,
                             const im_label_list *list, size_t count, const char *path,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    int32_t *all = NULL;
    data->documents = im_alloc(data->rows, sizeof *data->documents);
    if (!data->documents)
        return im_fail_memory(err, path);
    for (size_t i = 0; i < data->rows; i++)
        data->documents[i] = (int32_t)(documents ? documents[i] : i);
    if (list->count == 0 || list->count != count)
        return IMSAT_OK;
    IM_TRY(im_label_list_number(&all, &data->label_words, list, path, err));
    data->labels = im_alloc(data->rows, sizeof *data->labels);
    if (!data->labels) {
        st = im_fail_memory(err, path);
        goto cleanup;
    }
    for (size_t i = 0; i < data->rows; i++)
        data->labels[i] = all[data->documents[i]];

cleanup:
    im_free(all);
    return st;
}

/* Data of sparse rows, which it takes over on success, and their origin, which it holds, too.
 */
static imsat_status make_data(imsat_data **out, im_csr *rows, im_origin *origin,
                              const char *description, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_block block = {0};
    IM_TRY(im_block_describe(&block, err, "%s", description));
    im_block_set_csr(&block, rows);
    IM_TRY(im_data_new(out, &block, err));
    (*out)->origin = im_origin_hold(origin);
    (*out)->drop_origin = im_origin_drop;

cleanup:
    im_block_clear(&block);
    return st;
}

/* "texts, 18846 of which 18040 have 10 or more words, tf-idf (18040, 2000), 910203 elements"
 */
static void describe(char text[DESCRIPTION], size_t documents, const im_csr *rows,
                     size_t least)
{
    char left[64] = "";
    if (documents != rows->rows)
        snprintf(left, sizeof left, ", of which %zu have %zu or more words", rows->rows,
                 least);
    snprintf(text, DESCRIPTION, "%zu texts%s; tf-idf (%zu, %zu), sparse, %lld elements",
             documents, left, rows->rows, rows->dim, (long long)rows->start[rows->rows]);
}

static im_tfidf_options resolve(const imsat_text_options *options)
{
    return (im_tfidf_options){.words = options->words ? options->words : WORDS,
                              .least = options->min_words ? options->min_words : MIN_WORDS,
                              .stop_words = !options->keep_stop_words,
                              .damped = options->damped != 0,
                              .skip_headers = options->skip_headers != 0,
                              .keep_length = options->keep_length != 0};
}

/* From documents that were read to data. */
static imsat_status finish(imsat_data **out, target *t, const im_label_list *labels,
                           const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_tfidf tfidf = {0};
    im_csr rows = {0};
    im_origin *origin = NULL;
    imsat_data *data = NULL;
    uint32_t *documents = NULL;
    char text[DESCRIPTION];
    const size_t count = t->fit.ends.count;
    IM_TRY(im_tfidf_finish(&tfidf, &rows, &documents, &t->fit, path, err));
    describe(text, count, &rows, tfidf.options.least);
    IM_TRY(im_origin_tfidf(&origin, &tfidf, err));
    IM_TRY(make_data(&data, &rows, origin, text, err));
    IM_TRY(set_rows(data, documents, labels, count, path, err));
    *out = data;
    data = NULL;

cleanup:
    imsat_data_free(data);
    im_origin_drop(origin);
    im_tfidf_clear(&tfidf);
    im_csr_clear(&rows);
    im_free(documents);
    return st;
}

imsat_status im_texts_fit(imsat_data **out, const imsat_text_options *options,
                          im_texts_visit *visit, void *context, const char *name,
                          imsat_error *err)
{
    const im_tfidf_options resolved = resolve(options);
    imsat_status st = IMSAT_OK;
    im_label_list labels = {0};
    target t = {0};
    if (resolved.words > INT32_MAX)
        return im_fail(err, IMSAT_EINVAL, "%zu words are asked for, at most %d can be",
                       resolved.words, INT32_MAX);
    im_tfidf_begin(&t.fit, &resolved);
    IM_TRY(visit(context, &labels, fit_document, &t, err));
    IM_TRY(finish(out, &t, &labels, name, err));

cleanup:
    im_tfidf_fit_clear(&t.fit);
    im_label_list_clear(&labels);
    return st;
}

/* Paths, for a visit. */
typedef struct list {
    const char *const *paths;
    size_t count;
    columns names;
} list;

static imsat_status visit_paths(void *context, im_label_list *labels, im_document_fn *take,
                                void *taker, imsat_error *err)
{
    const list *l = context;
    return read_all(l->paths, l->count, l->names, labels, take, taker, err);
}

imsat_status imsat_texts_open(imsat_data **out, const char *const *paths, size_t npaths,
                              const imsat_text_options *options, imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE_PATHS(paths, npaths);
    static const imsat_text_options defaults = {0};
    const imsat_text_options *opt = options ? options : &defaults;
    list l = {paths, npaths, {opt->text_column, opt->label_column}};
    if (npaths == 0)
        return im_fail(err, IMSAT_EINVAL, "no texts are given");
    return im_texts_fit(out, opt, visit_paths, &l, paths[0], err);
}

imsat_status im_texts_apply(imsat_data **out, im_origin *origin, const char *const *paths,
                            size_t npaths, const char *text_column, const char *label_column,
                            imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_label_list labels = {0};
    im_csr rows = {0};
    imsat_data *data = NULL;
    char text[DESCRIPTION];
    target t = {.tfidf = &origin->tfidf};
    im_csr_begin(&t.rows);
    IM_TRY(read_all(paths, npaths, (columns){text_column, label_column}, &labels,
                    apply_to_document, &t, err));
    IM_TRY(im_csr_finish(&rows, &t.rows, origin->tfidf.words.count, err));
    if (rows.rows == 0) {
        st = im_fail(err, IMSAT_EFORMAT, "%s: there are no texts in it", paths[0]);
        goto cleanup;
    }
    describe(text, rows.rows, &rows, 0);
    IM_TRY(make_data(&data, &rows, origin, text, err));
    IM_TRY(set_rows(data, NULL, &labels, data->rows, paths[0], err));
    *out = data;
    data = NULL;

cleanup:
    imsat_data_free(data);
    im_csr_clear(&rows);
    im_csr_builder_clear(&t.rows);
    im_tfidf_counter_clear(&t.counter);
    im_label_list_clear(&labels);
    return st;
}

/* ---- questions ----------------------------------------------------------------------------
 */

imsat_status imsat_texts_are(int *are, const char *path, const char *text_column,
                             imsat_error *err)
{
    IM_REQUIRE(are);
    IM_REQUIRE_PATH(path);
    bool texts = false;
    const imsat_status st = im_documents_are(&texts, path, text_column, err);
    if (st == IMSAT_OK)
        *are = texts;
    return st;
}

const int32_t *imsat_data_documents(const imsat_data *data)
{
    return data ? data->documents : NULL;
}

const char *imsat_data_word(const imsat_data *data, size_t j, size_t *size)
{
    if (!data || !size || !data->origin || data->origin->kind != IM_ORIGIN_TFIDF ||
        j >= data->origin->tfidf.words.count)
        return NULL;
    return im_vocabulary_word(&data->origin->tfidf.words, j, size);
}

imsat_status imsat_words_write(const char *path, const imsat_data *data, imsat_error *err)
{
    IM_REQUIRE_PATH(path);
    IM_REQUIRE(data);
    imsat_status st = IMSAT_OK;
    im_writer writer = {0};
    const im_origin *origin = data->origin;
    if (!origin || origin->kind != IM_ORIGIN_TFIDF)
        return im_fail(err, IMSAT_EINVAL,
                       "%s: the data was not made of texts, so its columns "
                       "are not words",
                       path);
    IM_TRY(im_writer_open(&writer, path, err));
    IM_TRY(im_writer_put(&writer, origin->vocabulary, origin->vocabulary_size, err));
    IM_TRY(im_writer_commit(&writer, err));

cleanup:
    im_writer_clear(&writer);
    return st;
}
