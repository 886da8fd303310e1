/* SPDX-License-Identifier: MIT
 *
 * From documents to rows: for each of the most frequent words how often it is in a document,
 * and how few documents have it (tf-idf).
 *
 *     x_j = tf_j idf_j / |x|,    idf_j = 1 + log((1 + n) / (1 + n_j))
 *
 * or with `keep_length` the same without the division.
 *
 * tf_j is the number of times that word j is in the document, or 1 + log of it (`damped`); n_j
 * of the n documents have the word. These are scikit-learn's formulas. The words are the N
 * with the most occurrences in all documents, stop words aside, and stand in the order of
 * their bytes. Documents in which they occur fewer than M times are left out, and n, n_j are
 * counted without them. That is the order of the paper's appendix.
 */
#ifndef IM_FEATURES_TFIDF_H
#define IM_FEATURES_TFIDF_H

#include "core/pile.h"
#include "data/csr.h"
#include "features/vocabulary.h"

#include <stdbool.h>

typedef struct im_tfidf_options {
    size_t words;      /* N, at least 1 */
    size_t least;      /* M: occurrences that a document must have of them */
    bool stop_words;   /* are left out */
    bool damped;       /* tf_j is 1 + log of the occurrences */
    bool skip_headers; /* of mails and news: a text begins behind its first blank line, if its
                          first line is "Name: ..." */
    bool keep_length;  /* rows are not divided by their length */
} im_tfidf_options;

/* A fitted step: all that is needed to make rows of other documents. */
typedef struct im_tfidf {
    im_tfidf_options options;
    im_vocabulary words; /* sorted; one a column */
    double *idf;         /* (words.count) owned */
} im_tfidf;

void im_tfidf_clear(im_tfidf *tfidf);

/* The words of one document and how often each occurs. Zeroed is empty. */
typedef struct im_tfidf_count {
    uint32_t word, count;
} im_tfidf_count;

typedef struct im_tfidf_counter {
    im_tfidf_count *counts; /* (count) owned, of `room` */
    size_t count, room;
    uint32_t *place; /* (placed) owned; one more than where a word is in counts; 0: nowhere */
    size_t placed;
} im_tfidf_counter;

void im_tfidf_counter_clear(im_tfidf_counter *counter);

/* ---- fitting --------------------------------------------------------------------------- */

typedef struct im_tfidf_fit {
    im_tfidf_options options;
    im_vocabulary words; /* all that occur */
    uint64_t *totals;    /* (total_room) owned; occurrences of each */
    size_t total_room;
    im_tfidf_counter counter; /* of one document */
    im_pile counts;           /* im_tfidf_count of all documents, one behind the other */
    im_pile ends;             /* size_t: where each document ends there */
} im_tfidf_fit;

void im_tfidf_begin(im_tfidf_fit *fit, const im_tfidf_options *options);

/* One more document. */
imsat_status im_tfidf_take(im_tfidf_fit *fit, const char *text, size_t size, imsat_error *err);

/* All documents were taken: the step, and its rows; *documents (rows->rows) receives the
 * number of the document that each row is of, to be freed with im_free(). `path` begins the
 * message if no document or no word is left. */
imsat_status im_tfidf_finish(im_tfidf *out, im_csr *rows, uint32_t **documents,
                             im_tfidf_fit *fit, const char *path, imsat_error *err);
void im_tfidf_fit_clear(im_tfidf_fit *fit);

/* ---- other documents ------------------------------------------------------------------- */

/* Append the row of a document, however few words it has: a document without any known word is
 * a row of zeros. */
imsat_status im_tfidf_row(const im_tfidf *tfidf, im_tfidf_counter *counter,
                          im_csr_builder *rows, const char *text, size_t size,
                          imsat_error *err);

#endif
