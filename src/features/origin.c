/* SPDX-License-Identifier: MIT
 * Origins, and their part of a model's file; see origin.h. */
#include "features/origin.h"

#include "core/alloc.h"
#include "data/label_list.h"
#include "data/record.h"
#include "features/gist.h"
#include "features/tokens.h"
#include "imsat/features.h"

#include <assert.h>

static const char *const kind_names[] = {
    [IM_ORIGIN_TFIDF] = "tfidf", [IM_ORIGIN_GIST] = "gist"};

/* A vocabulary of so many bytes is no text's. */
static const uint64_t MOST_BYTES = (uint64_t)1 << 38;

/* ---- life ---------------------------------------------------------------------------------
 */

static im_origin *origin_new(im_origin_kind kind)
{
    im_origin *origin = im_alloc(1, sizeof *origin);
    if (origin) {
        origin->kind = kind;
        atomic_init(&origin->holders, 1);
    }
    return origin;
}

/* The words with newlines. */
static imsat_status write_vocabulary(im_origin *origin, imsat_error *err)
{
    const im_vocabulary *words = &origin->tfidf.words;
    origin->vocabulary_size = words->text_used + words->count;
    origin->vocabulary = im_alloc(origin->vocabulary_size, 1);
    if (!origin->vocabulary)
        return im_fail_memory(err, "the vocabulary");
    char *to = origin->vocabulary;
    for (size_t i = 0; i < words->count; i++) {
        size_t size;
        const char *word = im_vocabulary_word(words, i, &size);
        memcpy(to, word, size);
        to[size] = '\n';
        to += size + 1;
    }
    return IMSAT_OK;
}

imsat_status im_origin_tfidf(im_origin **out, im_tfidf *tfidf, imsat_error *err)
{
    im_origin *origin = origin_new(IM_ORIGIN_TFIDF);
    if (!origin)
        return im_fail_memory(err, "the features");
    origin->tfidf = *tfidf;
    const imsat_status st = write_vocabulary(origin, err);
    if (st != IMSAT_OK) {
        im_free(origin); /* what it was given stays the caller's */
        return st;
    }
    *tfidf = (im_tfidf){0};
    *out = origin;
    return IMSAT_OK;
}

imsat_status im_origin_gist(im_origin **out, imsat_image image, bool color, imsat_error *err)
{
    im_origin *origin = origin_new(IM_ORIGIN_GIST);
    if (!origin)
        return im_fail_memory(err, "the features");
    origin->image = image;
    origin->color = color;
    *out = origin;
    return IMSAT_OK;
}

im_origin *im_origin_hold(im_origin *origin)
{
    if (origin)
        atomic_fetch_add(&origin->holders, 1);
    return origin;
}

void im_origin_drop(im_origin *origin)
{
    if (!origin || atomic_fetch_sub(&origin->holders, 1) > 1)
        return;
    im_tfidf_clear(&origin->tfidf);
    im_free(origin->vocabulary);
    im_free(origin);
}

size_t im_origin_dim(const im_origin *origin)
{
    if (origin->kind == IM_ORIGIN_TFIDF)
        return origin->tfidf.words.count;
    return origin->color ? IMSAT_GIST_COLOR : IMSAT_GIST_GRAY;
}

imsat_status im_origin_labels(imsat_data *to, const imsat_data *from, imsat_error *err)
{
    if (!from->labels)
        return IMSAT_OK;
    to->labels = im_alloc(from->rows, sizeof *to->labels);
    if (!to->labels)
        return im_fail_memory(err, "labels");
    memcpy(to->labels, from->labels, from->rows * sizeof *to->labels);
    return im_label_list_copy_words(&to->label_words, from->label_words, err);
}

/* ---- writing ------------------------------------------------------------------------------
 */

/* The options as they are recorded. All but the flags have a range. */
typedef struct entry {
    const char *key;
    size_t *size; /* the field, or */
    bool *flag;
    uint64_t least, most;
    bool later; /* 0 where it is absent, as in models of before */
} entry;

enum { MOST_ENTRIES = 7 };

/* One list for writing and reading. */
static size_t list_entries(entry list[MOST_ENTRIES], im_origin *origin)
{
    const uint64_t side = IM_GIST_MOST_SIDE;
    size_t n = 0;
    if (origin->kind == IM_ORIGIN_TFIDF) {
        im_tfidf_options *o = &origin->tfidf.options;
        list[n++] = (entry){"features.words", &o->words, NULL, 1, IM_VOCABULARY_MOST, false};
        list[n++] = (entry){"features.min_words", &o->least, NULL, 0, UINT32_MAX, false};
        list[n++] = (entry){"features.stop_words", NULL, &o->stop_words, 0, 1, false};
        list[n++] = (entry){"features.damped", NULL, &o->damped, 0, 1, false};
        list[n++] = (entry){"features.skip_headers", NULL, &o->skip_headers, 0, 1, false};
        list[n++] = (entry){"features.keep_length", NULL, &o->keep_length, 0, 1, true};
        list[n++] = (entry){
            "features.vocabulary_bytes", &origin->vocabulary_size, NULL, 0, MOST_BYTES, false};
    } else {
        list[n++] = (entry){"features.color", NULL, &origin->color, 0, 1, false};
        list[n++] = (entry){"features.height", &origin->image.height, NULL, 1, side, false};
        list[n++] = (entry){"features.width", &origin->image.width, NULL, 1, side, false};
        list[n++] = (entry){"features.channels", &origin->image.channels, NULL, 1, 3, false};
    }
    return n;
}

imsat_status im_origin_record(im_safetensors *file, const im_origin *origin, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    entry list[MOST_ENTRIES];
    const size_t n =
        list_entries(list, (im_origin *)(uintptr_t)origin); /* which only reads it */
    IM_TRY(im_safetensors_set(file, "features.kind", kind_names[origin->kind], err));
    for (size_t i = 0; i < n; i++)
        IM_TRY(im_record_count(file, list[i].key, list[i].size ? *list[i].size : *list[i].flag,
                               err));

cleanup:
    return st;
}

imsat_status im_origin_add(im_safetensors *file, const im_origin *origin, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    if (origin->kind != IM_ORIGIN_TFIDF)
        return IMSAT_OK;
    IM_TRY(im_safetensors_add(file, "features.vocabulary", IM_TENSOR_U8, origin->vocabulary, 1,
                              &origin->vocabulary_size, err));
    IM_TRY(im_safetensors_add(file, "features.idf", IM_TENSOR_F64, origin->tfidf.idf, 1,
                              &origin->tfidf.words.count, err));

cleanup:
    return st;
}

/* ---- reading ------------------------------------------------------------------------------
 */

/* The words, which must be `dim` different ones. */
static imsat_status read_words(im_origin *origin, const char *text, size_t dim,
                               const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const char *end = text + origin->vocabulary_size;
    assert(text); /* a tensor that was found has data */
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const size_t size = newline ? (size_t)(newline - text) : 0;
        const size_t count = origin->tfidf.words.count;
        uint32_t number = IM_VOCABULARY_NONE;
        if (size > 0 && size <= IM_TOKEN_MOST)
            IM_TRY(im_vocabulary_add(&origin->tfidf.words, &number, text, size, err));
        if (!newline || number != count)
            return im_fail(err, IMSAT_EFORMAT,
                           "%s: word %zu of features.vocabulary is empty, too long or there "
                           "before",
                           path, count);
        text = newline + 1;
    }
    if (origin->tfidf.words.count != dim)
        st = im_fail(err, IMSAT_EFORMAT,
                     "%s: features.vocabulary has %zu words, but the network is of %zu values",
                     path, origin->tfidf.words.count, dim);

cleanup:
    return st;
}

static imsat_status read_idf(im_origin *origin, const double *idf, size_t dim,
                             const char *path, imsat_error *err)
{
    origin->tfidf.idf = im_alloc(dim, sizeof *idf);
    if (!origin->tfidf.idf)
        return im_fail_memory(err, "the features");
    for (size_t j = 0; j < dim; j++) {
        if (!(idf[j] >= 1 && idf[j] < 1e6)) /* 1 + log(n) at the most */
            return im_fail(err, IMSAT_EFORMAT,
                           "%s: element %zu of features.idf is %g, and must be 1 or more",
                           path, j, idf[j]);
        origin->tfidf.idf[j] = idf[j];
    }
    return IMSAT_OK;
}

static imsat_status read_tfidf(im_origin *origin, const im_safetensors *file, const char *path,
                               size_t dim, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_tensor *words, *idf;
    IM_TRY(im_safetensors_get(&words, file, path, "features.vocabulary", IM_TENSOR_U8, 1,
                              &origin->vocabulary_size, err));
    IM_TRY(im_safetensors_get(&idf, file, path, "features.idf", IM_TENSOR_F64, 1, &dim, err));
    IM_TRY(read_words(origin, words->data, dim, path, err));
    IM_TRY(read_idf(origin, idf->data, dim, path, err));
    IM_TRY(write_vocabulary(origin, err));

cleanup:
    return st;
}

static imsat_status read_entries(im_origin *origin, const im_safetensors *file,
                                 const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    entry list[MOST_ENTRIES];
    const size_t n = list_entries(list, origin);
    for (size_t i = 0; i < n; i++) {
        uint64_t value;
        if (list[i].later && !im_safetensors_value(file, list[i].key))
            continue;
        IM_TRY(im_record_get_within(&value, file, path, list[i].key, list[i].least,
                                    list[i].most, err));
        if (list[i].size)
            *list[i].size = (size_t)value;
        else
            *list[i].flag = value == 1;
    }

cleanup:
    return st;
}

static imsat_status find_kind(im_origin_kind *out, const char *name, const char *path,
                              imsat_error *err)
{
    for (size_t i = 0; i < sizeof kind_names / sizeof *kind_names; i++)
        if (strcmp(kind_names[i], name) == 0) {
            *out = (im_origin_kind)i;
            return IMSAT_OK;
        }
    return im_fail(err, IMSAT_EFORMAT,
                   "%s: its rows are features of the kind '%.40s', which this imsat does not "
                   "know",
                   path, name);
}

imsat_status im_origin_load(im_origin **out, const im_safetensors *file, const char *path,
                            size_t dim, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const char *name = im_safetensors_value(file, "features.kind");
    im_origin_kind kind = IM_ORIGIN_TFIDF;
    im_origin *origin = NULL;
    if (!name)
        return IMSAT_OK;
    IM_TRY(find_kind(&kind, name, path, err));
    origin = origin_new(kind);
    if (!origin)
        return im_fail_memory(err, "the features");
    IM_TRY(read_entries(origin, file, path, err));
    if (kind == IM_ORIGIN_TFIDF)
        IM_TRY(read_tfidf(origin, file, path, dim, err));
    if (im_origin_dim(origin) != dim) {
        st = im_fail(err, IMSAT_EFORMAT,
                     "%s: its features are %zu values, but the network is of %zu", path,
                     im_origin_dim(origin), dim);
        goto cleanup;
    }
    *out = origin;
    origin = NULL;

cleanup:
    im_origin_drop(origin);
    return st;
}
