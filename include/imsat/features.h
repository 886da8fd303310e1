/* SPDX-License-Identifier: MIT
 *
 * imsat: from texts and pictures to rows of numbers. The conventions of imsat/imsat.h hold
 * here.
 *
 * Data that was made so remembers how, and a model that is trained on it keeps that:
 * imsat_model_open() then makes rows of other texts or pictures in the same way. The same
 * holds of tables.
 */
#ifndef IMSAT_FEATURES_H
#define IMSAT_FEATURES_H

#include "imsat/imsat.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- texts ------------------------------------------------------------------ */

/* How texts become rows. All zero is the default. */
typedef struct imsat_text_options {
    size_t words;        /* columns: so many words, those that occur most; 0: 2000 */
    size_t min_words;    /* texts with fewer occurrences of these words are left out; 0: 1 */
    int keep_stop_words; /* also words like "the", which are left out otherwise */
    int damped;          /* count 1 + log(n) for a word that occurs n times, not n */
    int skip_headers;    /* of mails and news: what is before the first blank line */
    int keep_length;     /* rows are not brought to length 1: long texts are far from others */
    const char *text_column;  /* JSON lines, CSV: what is the text; NULL: "text" */
    const char *label_column; /* JSON lines, CSV: what is the label; NULL: there is none */
} imsat_text_options;

/* Open texts as sparse rows of tf-idf, each of length 1 but for keep_length. A path is a
 * folder or a tar archive of texts, the folders in it being labels; JSON lines; CSV or TSV
 * with a header; or a file with a text a line. Texts are UTF-8; bytes that are not are taken
 * as Latin-1.
 *
 * Word j of a text that has it c times has the value c (1 + log((1 + n) / (1 + n_j))), if n_j
 * of the n texts have it; then the row is divided by its length. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_texts_open(imsat_data **out,
                                                      const char *const *paths, size_t npaths,
                                                      const imsat_text_options *options,
                                                      imsat_error *err);

/* *are: whether a path holds texts and not rows of numbers or pictures, so that
 * imsat_texts_open() and not imsat_data_open() reads it. A table holds texts if text_column,
 * which may be NULL, is given. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_texts_are(int *are, const char *path,
                                                     const char *text_column,
                                                     imsat_error *err);

/* Of data that was made of texts: which of them, counted from 0 in the order in which they
 * were read, each row is of. Owned by data; NULL for other data. */
IMSAT_API const int32_t *imsat_data_documents(const imsat_data *data);

/* Word j of the columns, as UTF-8 with its length in *size and no 0 behind it; NULL past the
 * last, and of data that was not made of texts. Owned by data. */
IMSAT_API const char *imsat_data_word(const imsat_data *data, size_t j, size_t *size);

/* Write the words of the columns to a file, one a line. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_words_write(const char *path,
                                                       const imsat_data *data,
                                                       imsat_error *err);

/* ---- pictures --------------------------------------------------------------- */

enum { IMSAT_GIST_GRAY = 512, IMSAT_GIST_COLOR = 960 }; /* values of a descriptor */

/* The GIST descriptors (Oliva and Torralba, 2001) of data whose rows are images, as other data
 * with the same labels. color 0: IMSAT_GIST_GRAY values of the mean of the channels; else
 * IMSAT_GIST_COLOR of three. threads 0: as many as there are cores. Needs FFTW. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_gist(imsat_data **out, const imsat_data *images,
                                                int color, int threads, imsat_error *err);

/* *are: whether a path is a picture (PNG, JPEG or WebP), or a folder or a tar archive of some.
 */
IMSAT_API IMSAT_CHECKED imsat_status imsat_pictures_are(int *are, const char *path,
                                                        imsat_error *err);

/* Images in another size, of 1 (gray) or 3 channels, as other data with the same labels:
 * uint8. By a triangle filter that is as wide as a pixel of the smaller one. The values must
 * be whole numbers from 0 to 255. Pictures of different sizes are brought to one by
 * imsat_data_open(). */
IMSAT_API IMSAT_CHECKED imsat_status imsat_resize(imsat_data **out, const imsat_data *images,
                                                  imsat_image shape, imsat_error *err);

/* ---- models ----------------------------------------------------------------- */

/* Open data for a model as it was opened for training: of a model of texts, texts, all of
 * them, however few of its words they have; of one of GIST or of pictures, pictures, brought
 * to the size of those; of one of tables, tables: its columns are looked for by their names,
 * in any order, or without a header by their places, the column of its labels aside, and
 * become values as they did then. Columns that it does not know are ignored, and words that it
 * does not know are none of its words; notes say so (imsat_data_note()). IMSAT_EMISMATCH:
 * columns are missing. Else, and for files that hold rows of numbers, this is
 * imsat_data_open(). `options` may be NULL; text_column is that of texts, and may be NULL. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_model_open(
    imsat_data **out, const imsat_model *model, const char *const *paths, size_t npaths,
    const imsat_data_options *options, const char *text_column, imsat_error *err);

/* The same with more to say about tables: `columns` and `drop` choose the columns of these
 * files that are looked at; `missing` may be another way, but mean and median are those of the
 * training, and so are the categories. `table` may be NULL. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_model_open_table(
    imsat_data **out, const imsat_model *model, const char *const *paths, size_t npaths,
    const imsat_data_options *options, const imsat_table_options *table,
    const char *text_column, imsat_error *err);

/* How many columns of tables a model was trained on, and keeps what it takes to read them; 0:
 * it was not trained on tables. */
IMSAT_API size_t imsat_model_columns(const imsat_model *model);

/* Of column i, from 0: its name; NULL past the last, and if it has none. */
IMSAT_API const char *imsat_model_column_name(const imsat_model *model, size_t i);

/* "number", "boolean", "date" (days since 1970-01-01) or "category"; NULL past the last. */
IMSAT_API const char *imsat_model_column_kind(const imsat_model *model, size_t i);

/* What a missing value of it becomes; NaN past the last, if it is a category, and if missing
 * values are not filled in. */
IMSAT_API double imsat_model_column_fill(const imsat_model *model, size_t i);

/* Word w of a category, from 0, each a column of the data; NULL past the last. */
IMSAT_API const char *imsat_model_column_word(const imsat_model *model, size_t i, size_t w);

/* The name of the column that held the labels; NULL if there was none, or it had no name. */
IMSAT_API const char *imsat_model_label_name(const imsat_model *model);

#ifdef __cplusplus
}
#endif

#endif
