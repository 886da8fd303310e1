/* SPDX-License-Identifier: MIT
 *
 * imsat: packed binary codes, exact search over them, and scores of a search.
 *
 *     imsat_codes_read(&codes, &path, 1, NULL, &err);
 *     imsat_index_new(&index, &codes, NULL, NULL, &err);
 *     imsat_search_options_init(&opt);
 *     opt.count = 10;
 *     imsat_search(&hits, index, &queries, &opt, &err);
 *
 * A code is ceil(bits / 8) bytes. In memory its first bit is the most significant one of the
 * first byte (numpy.packbits), and the bits behind the last are 0. The distance of two codes
 * is the number of bits in which they differ. The conventions of imsat.h hold here too.
 */
#ifndef IMSAT_SEARCH_H
#define IMSAT_SEARCH_H

#include "imsat/imsat.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- codes ----------------------------------------------------------------- */

#define IMSAT_MAX_BITS 1024

typedef enum imsat_bit_order {
    IMSAT_MSB_FIRST, /* numpy.packbits, PostgreSQL, usearch */
    IMSAT_LSB_FIRST, /* FAISS, sqlite-vec */
    IMSAT_BIT_ORDERS
} imsat_bit_order;

/* Rows of packed codes, ceil(bits / 8) bytes each and nothing between them. */
typedef struct imsat_codes {
    uint8_t *bytes;
    size_t rows, bits;
} imsat_codes;

typedef struct imsat_codes_options {
    size_t bits;           /* of a code; 0: eight times the bytes of a row, or its bits */
    imsat_bit_order order; /* of packed bytes; what is read is always most significant first */
} imsat_codes_options;

/* Read codes from one or several files, joined in order: FILE or FILE:NAME of any format of
 * data. uint8 of shape (rows, bytes) is packed; bool of shape (rows, bits), and a table of
 * text with a column for each bit, are not. options may be NULL for the defaults (all zero).
 * Bits set behind the last one are refused. Clear what was read with imsat_codes_clear(). */
IMSAT_API IMSAT_CHECKED imsat_status imsat_codes_read(imsat_codes *codes,
                                                      const char *const *paths, size_t npaths,
                                                      const imsat_codes_options *options,
                                                      imsat_error *err);
IMSAT_API void imsat_codes_clear(imsat_codes *codes);

/* Ids are distinct and of 64 bits. Negative ones are as good as others, but for this one:
 * where answers have a fixed number of places, it fills those for which nothing was found
 * (FAISS and `imsat search` do so), and so no code may have it. What takes ids refuses it. */
#define IMSAT_NO_ID INT64_C(-1)

/* Read ids from a file: integers of any format of data, FILE or FILE:NAME, or text with one a
 * line. Whole doubles below 2^53 will do. *ids (*n) is freed with imsat_free(). */
IMSAT_API IMSAT_CHECKED imsat_status imsat_ids_read(int64_t **ids, size_t *n, const char *path,
                                                    imsat_error *err);

/* Bytes of a code. */
IMSAT_API size_t imsat_code_bytes(size_t bits);

/* ---- index ----------------------------------------------------------------- */

/* Codes with 64-bit ids, ready to be searched. */
typedef struct imsat_index imsat_index;

/* Copy codes to an index. ids (codes->rows); NULL: 0, 1, 2, ... */
IMSAT_API IMSAT_CHECKED imsat_status imsat_index_new(imsat_index **out,
                                                     const imsat_codes *codes,
                                                     const int64_t *ids, imsat_error *err);
IMSAT_API void imsat_index_free(imsat_index *index);

/* A new index with the codes of an old one and more. ids NULL: they go on from the largest. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_index_append(imsat_index **out,
                                                        const imsat_index *index,
                                                        const imsat_codes *codes,
                                                        const int64_t *ids, imsat_error *err);

/* A new index without the codes of some ids. An id that is not there is IMSAT_EMISMATCH. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_index_delete(imsat_index **out,
                                                        const imsat_index *index,
                                                        const int64_t *ids, size_t count,
                                                        imsat_error *err);

/* Opening maps the file and checks every byte of it; any file is either opened or refused with
 * IMSAT_EFORMAT. What was appended to the file and not merged yet is read to memory. The index
 * stays what it was when it was opened, whatever becomes of the file.
 *
 * Saving writes the whole index under a temporary name and renames it, so that the file is the
 * old index or the new one. IMSAT_EBUSY, and nothing is done, while somebody changes the file.
 * If it does not exist yet, then of two who save at the same time the later one wins.
 *
 * Opening maps the file. Under a limit on memory (imsat_set_max_memory() in process.h) that
 * does not hold it, its codes are scanned, whatever the method; the answers are the same. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_index_save(const imsat_index *index,
                                                      const char *path, imsat_error *err);
IMSAT_API IMSAT_CHECKED imsat_status imsat_index_open(imsat_index **out, const char *path,
                                                      imsat_error *err);

IMSAT_API size_t imsat_index_rows(const imsat_index *index);
IMSAT_API size_t imsat_index_journal_rows(const imsat_index *index); /* see below */
IMSAT_API size_t imsat_index_bits(const imsat_index *index);
IMSAT_API size_t imsat_index_tables(const imsat_index *index); /* of multi-index hashing */

/* ---- index files ----------------------------------------------------------- */

typedef struct imsat_index_info {
    size_t rows;         /* codes */
    size_t journal_rows; /* of these, appended and not merged yet */
    size_t bits;
} imsat_index_info;

/* What a file holds, from its first and its last bytes: this takes no longer for a large one.
 * Whether the file is sound only imsat_index_open() says. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_index_peek(imsat_index_info *info, const char *path,
                                                      imsat_error *err);

/* What to do to an index file; all zero: nothing. */
typedef struct imsat_index_change {
    const int64_t *delete_ids; /* (delete_count); they go first */
    size_t delete_count;
    const imsat_codes *codes; /* to append, or NULL */
    const int64_t *ids;       /* (codes->rows); NULL: they go on from the largest */
} imsat_index_change;

/* Change an index file. *after receives what it then holds; after may be NULL.
 *
 * Appending costs what is appended: the rows go behind the end of the file, to its journal,
 * and what is there is neither read nor checked. (Ids that are given, and are not all above
 * the largest of the index, are compared with all of its ids.) An append that would make the
 * journal larger than a quarter of what was merged before merges all: it writes the file anew
 * under a temporary name and renames it. So does a deletion.
 *
 * Whatever ends the process, and when: the file holds all of the change or nothing of it. It
 * may be opened at any time, and is then the index before or after a change. One at a time
 * changes it: IMSAT_EBUSY, and nothing is done, while another process or thread does; who
 * wants to wait calls again a little later.
 *
 * Returns IMSAT_OK, IMSAT_EBUSY, IMSAT_EIO, IMSAT_EFORMAT (no index, or a damaged one),
 * IMSAT_EMISMATCH (codes of other bits, an id to delete that is not there), IMSAT_EINVAL (an
 * id to append twice, there already or -1; too many codes) or IMSAT_ENOMEM. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_index_update(imsat_index_info *after,
                                                        const char *path,
                                                        const imsat_index_change *change,
                                                        imsat_error *err);

/* ---- search ---------------------------------------------------------------- */

typedef enum imsat_search_method {
    IMSAT_SEARCH_AUTO, /* the faster one, by the codes */
    IMSAT_SEARCH_SCAN, /* every code */
    IMSAT_SEARCH_MIH,  /* multi-index hashing */
    IMSAT_SEARCH_METHODS
} imsat_search_method;

/* "auto", "scan", "mih"; NULL when out of range, as from all functions that give names. */
IMSAT_API const char *imsat_search_method_name(imsat_search_method method);

#define IMSAT_ANY_DISTANCE SIZE_MAX

typedef struct imsat_search_options {
    size_t count;  /* at most so many nearest codes a query; 0: all within the radius */
    size_t radius; /* none further than this; IMSAT_ANY_DISTANCE: no limit */
    imsat_search_method method;
    int threads; /* 0: as many as there are cores */
} imsat_search_options;

/* count 10, any distance, method auto, all cores. */
IMSAT_API void imsat_search_options_init(imsat_search_options *options);

/* What was found for query q: entries start[q] .. start[q + 1] - 1, nearest first, equal
 * distances by id. */
typedef struct imsat_hits {
    size_t queries;
    size_t *start;     /* (queries + 1) */
    int64_t *ids;      /* (start[queries]) */
    int32_t *distance; /* (start[queries]) */
} imsat_hits;

/* Answer all queries exactly. Every method gives the same answer. A query has fewer than
 * `count` entries only if there are no more. Clear hits with imsat_hits_clear(). */
IMSAT_API IMSAT_CHECKED imsat_status imsat_search(imsat_hits *hits, const imsat_index *index,
                                                  const imsat_codes *queries,
                                                  const imsat_search_options *options,
                                                  imsat_error *err);
IMSAT_API void imsat_hits_clear(imsat_hits *hits);

/* ---- other programs -------------------------------------------------------- */

typedef enum imsat_export_format {
    IMSAT_EXPORT_FAISS,    /* an IndexBinaryFlat, in an IndexBinaryIDMap2 if there are ids */
    IMSAT_EXPORT_POSTGRES, /* text for COPY to a table (id bigint, code bit(n)) */
    IMSAT_EXPORT_SQLITE,   /* a script of SQL: a table (id INTEGER PRIMARY KEY, code BLOB) */
    IMSAT_EXPORT_FORMATS
} imsat_export_format;

IMSAT_API const char *imsat_export_format_name(imsat_export_format format);

#define IMSAT_EXPORT_TABLE "codes"

typedef struct imsat_export_options {
    imsat_export_format format;
    imsat_bit_order order; /* of the bytes that FAISS and SQLite are given */
    const int64_t *ids;    /* (rows); NULL: 0, 1, 2, ... */
    const char *table;     /* of SQLite; NULL: IMSAT_EXPORT_TABLE */
} imsat_export_options;

/* Write codes for another program; docs/formats.md has the bytes. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_codes_export(const char *path,
                                                        const imsat_codes *codes,
                                                        const imsat_export_options *options,
                                                        imsat_error *err);

/* The same, with a function (may be NULL) that is told how far it is and may stop it:
 * IMSAT_ESTOPPED, and nothing is left behind. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_codes_export_watched(
    const char *path, const imsat_codes *codes, const imsat_export_options *options,
    imsat_progress_fn progress, void *user, imsat_error *err);

/* ---- scores ---------------------------------------------------------------- */

/* What the order of equally distant codes is taken to be. */
typedef enum imsat_ties {
    IMSAT_TIES_BLOCK,     /* a distance is one rank: precision at its end, as scikit-learn */
    IMSAT_TIES_EXPECTED,  /* the mean over all orders */
    IMSAT_TIES_ID,        /* by id */
    IMSAT_TIES_TRAPEZOID, /* the area under straight lines between the precisions at the ends
                             of distances, over recall, from recall 0 and precision 1:
                             scikit-learn before 0.19, and so the paper; too high where many
                             codes tie */
    IMSAT_TIES
} imsat_ties;

IMSAT_API const char *imsat_ties_name(imsat_ties ties);

/* How imsat_evaluate_hash() scores. Those of training are imsat_options. */
typedef struct imsat_evaluate_hash_options {
    imsat_ties ties; /* of mAP; precision at N uses it too, where block and trapezoid count
                        as by id */
    size_t at;       /* N of precision at N */
    size_t radius;   /* of precision within a radius */
    int skip_empty;  /* not 0: queries with nothing within the radius are left out of that
                        mean; 0: they count as 0 */
    int threads;     /* 0: as many as there are cores */
} imsat_evaluate_hash_options;

/* Block ties, N 500, radius 2, empty counts as 0, all cores. */
IMSAT_API void imsat_evaluate_hash_options_init(imsat_evaluate_hash_options *options);

typedef struct imsat_hash_score {
    double map;              /* mean average precision over the whole gallery */
    double precision_at;     /* mean share of relevant codes among the N nearest */
    double precision_radius; /* mean share of relevant codes within the radius */
    size_t empty;            /* queries with nothing within the radius */
    size_t queries, gallery, bits;
    size_t irrelevant; /* queries of a class that the gallery has not; 0 in all means */
    double *recall;    /* (bits + 1): mean share of the relevant codes within r = 0.. */
    double *precision; /* (bits + 1): mean precision within r = 0.., as above */
} imsat_hash_score;

/* Score the search of queries in a gallery: a code is relevant if it has the query's label.
 *
 * options may be NULL for the defaults. An N above the gallery's size counts as that size, a
 * radius above the bits as the bits. A mean over no queries is 0. The result is the same for
 * any number of threads. Clear the score with imsat_hash_score_clear().
 *
 * Returns IMSAT_OK, IMSAT_EINVAL (no codes, N 0, bits out of range or set behind the last),
 * IMSAT_EMISMATCH (codes of different widths) or IMSAT_ENOMEM. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_evaluate_hash(
    imsat_hash_score *score, const imsat_codes *gallery, const int32_t *gallery_labels,
    const imsat_codes *queries, const int32_t *query_labels,
    const imsat_evaluate_hash_options *options, imsat_error *err);
IMSAT_API void imsat_hash_score_clear(imsat_hash_score *score);

/* Write the curves of a score as CSV: radius, recall, precision; a line for r = 0 .. bits. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_hash_curves_write(const char *path,
                                                             const imsat_hash_score *score,
                                                             imsat_error *err);

/* Draw queries: per_class rows of every class, at random by seed. query (n) receives 1 for
 * them and 0 for the others. A class of fewer rows is IMSAT_EINVAL. What is drawn of a class
 * depends on the seed, on how many rows it has, and on its place among the classes. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_hash_split(uint8_t *query, const int32_t *labels,
                                                      size_t n, size_t per_class,
                                                      uint64_t seed, imsat_error *err);

/* The same, and score the search of the drawn queries in a gallery of the others: the
 * protocol of the paper, with 100 a class. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_evaluate_hash_split(
    imsat_hash_score *score, const imsat_codes *codes, const int32_t *labels, size_t per_class,
    uint64_t seed, const imsat_evaluate_hash_options *options, imsat_error *err);

#ifdef __cplusplus
}
#endif
#endif
