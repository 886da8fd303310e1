/* SPDX-License-Identifier: MIT
 *
 * Queries drawn from the data itself. Row j of the m rows of a class, in the order of the
 * data, is a query if a random permutation of [0, m) sends j below the number wanted; the
 * permutation is named by the seed and the class, and computed, not stored.
 */
#include "core/alloc.h"
#include "core/partition.h"
#include "core/rng.h"
#include "search/words.h"

/* Too small a class, or fewer than one query a class. */
static imsat_status check(const im_side *classes, size_t per_class, imsat_error *err)
{
    size_t smallest = 0;
    if (per_class == 0)
        return im_fail(err, IMSAT_EINVAL, "0 queries a class: must be 1 or more");
    for (size_t c = 1; c < classes->parts; c++)
        if (classes->sizes[c] < classes->sizes[smallest])
            smallest = c;
    if (classes->sizes[smallest] < per_class)
        return im_fail(err, IMSAT_EINVAL,
                       "%zu queries of each class cannot be drawn: class %ld has %zu rows",
                       per_class, (long)classes->labels[smallest], classes->sizes[smallest]);
    return IMSAT_OK;
}

imsat_status imsat_hash_split(uint8_t *query, const int32_t *labels, size_t n,
                              size_t per_class, uint64_t seed, imsat_error *err)
{
    IM_REQUIRE_ARRAY(query, n);
    IM_REQUIRE_ARRAY(labels, n);
    imsat_status st = IMSAT_OK;
    im_side classes = {0};
    size_t *met = NULL; /* rows of each class so far */
    if (n == 0)
        return im_fail(err, IMSAT_EINVAL, "there are no rows to draw queries from");
    IM_TRY(im_side_new(&classes, labels, n, err));
    IM_TRY(check(&classes, per_class, err));
    met = im_alloc(classes.parts, sizeof *met);
    if (!met) {
        st = im_fail_memory(err, "the classes");
        goto cleanup;
    }
    for (size_t i = 0; i < n; i++) {
        const size_t c = im_side_part(&classes, labels[i]);
        const im_rng rng = {seed, IM_STREAM_QUERIES, (uint32_t)c, 0};
        query[i] = im_rng_permute(met[c]++, classes.sizes[c], rng) < per_class;
    }

cleanup:
    im_free(met);
    im_side_clear(&classes);
    return st;
}

/* Codes with labels of their own. */
typedef struct part {
    imsat_codes codes;
    int32_t *labels;
} part;

static void part_clear(part *p)
{
    im_free(p->codes.bytes);
    im_free(p->labels);
}

/* The rows whose mark is `wanted`, `rows` of them. */
static imsat_status part_new(part *out, const imsat_codes *codes, const int32_t *labels,
                             const uint8_t *mark, uint8_t wanted, size_t rows,
                             imsat_error *err)
{
    const size_t bytes = imsat_code_bytes(codes->bits);
    part p = {.codes = {.bytes = im_alloc(rows, bytes), .bits = codes->bits},
              .labels = im_alloc(rows, sizeof *p.labels)};
    if (!p.codes.bytes || !p.labels) {
        part_clear(&p);
        return im_fail_memory(err, "the codes of queries and gallery");
    }
    for (size_t i = 0; i < codes->rows; i++) {
        if (mark[i] != wanted)
            continue;
        memcpy(p.codes.bytes + p.codes.rows * bytes, codes->bytes + i * bytes, bytes);
        p.labels[p.codes.rows++] = labels[i];
    }
    *out = p;
    return IMSAT_OK;
}

imsat_status imsat_evaluate_hash_split(imsat_hash_score *score, const imsat_codes *codes,
                                       const int32_t *labels, size_t per_class, uint64_t seed,
                                       const imsat_evaluate_hash_options *options,
                                       imsat_error *err)
{
    IM_REQUIRE(score);
    IM_REQUIRE(codes);
    IM_REQUIRE(labels);
    imsat_status st = IMSAT_OK;
    part gallery = {0}, queries = {0};
    size_t drawn = 0;
    uint8_t *query = NULL;
    IM_TRY(im_words_check(codes, "the codes", err));
    query = im_alloc(codes->rows, 1);
    if (!query) {
        st = im_fail_memory(err, "the rows that are queries");
        goto cleanup;
    }
    IM_TRY(imsat_hash_split(query, labels, codes->rows, per_class, seed, err));
    for (size_t i = 0; i < codes->rows; i++)
        drawn += query[i];
    if (drawn == codes->rows) {
        st = im_fail(err, IMSAT_EINVAL,
                     "%zu queries of each class leave nothing for the gallery", per_class);
        goto cleanup;
    }
    IM_TRY(part_new(&gallery, codes, labels, query, 0, codes->rows - drawn, err));
    IM_TRY(part_new(&queries, codes, labels, query, 1, drawn, err));
    IM_TRY(imsat_evaluate_hash(score, &gallery.codes, gallery.labels, &queries.codes,
                               queries.labels, options, err));

cleanup:
    part_clear(&queries);
    part_clear(&gallery);
    im_free(query);
    return st;
}
