/* SPDX-License-Identifier: MIT
 *
 * NULL for each pointer of each public function in turn. Three lists say what happens: it is
 * refused with a message that names the argument and leaves the outputs alone; it is allowed;
 * or, of a function without a status, nothing happens. The headers are read to know that no
 * function and no argument is missing here.
 */
#include "headers.h"
#include "imsat/choice.h"
#include "imsat/describe.h"
#include "imsat/features.h"
#include "imsat/output.h"
#include "imsat/process.h"
#include "imsat/report.h"
#include "imsat/reproduce.h"
#include "imsat/search.h"
#include "imsat/sets.h"
#include "null_allowed.h"
#include "null_without_status.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 12, DIM = 2, K = 2, BITS = 8 };

/* What calls are given, ... */
static struct {
    float x[ROWS * DIM];
    int32_t labels[ROWS];
    uint8_t bytes[ROWS];
    int64_t ids[ROWS];
    imsat_data *data;
    imsat_model *clusters, *hashes;
    imsat_result *result;
    imsat_index *index;
    imsat_npy *npy;
    imsat_codes codes;
    imsat_options options, hash_options;
    imsat_search_options search;
    imsat_index_change change; /* of nothing */
    imsat_export_options export;
    imsat_hash_score score;
    char csv[512], npy_file[512], codes_file[512], ids_file[512], index_file[512], made[512];
    const char *paths[1], *code_paths[1], *label_paths[1], *text_paths[1];
    char texts[512];
    imsat_data_options data_options;
    imsat_output_column column;
    const void *columns[1];
    imsat_join *join;
    imsat_array array;
    imsat_reproduce_options reproduce;
} in;

/* ... and where they put their results. */
static struct {
    imsat_data *data;
    imsat_model *model;
    imsat_result *result;
    imsat_index *index;
    imsat_index_info info;
    imsat_npy *npy;
    const imsat_output_format *format;
    imsat_description *description;
    imsat_comparison *comparison;
    imsat_k_choice *choice;
    imsat_join *join;
    char *table;
    imsat_inside *inside;
    imsat_codes codes;
    imsat_hits hits;
    imsat_cluster_score clusters;
    imsat_hash_score score;
    int32_t *labels;
    char **words;
    int64_t *ids;
    double *values, number;
    size_t n;
    float floats[ROWS * DIM];
    uint8_t query[ROWS];
    char text[64];
    int flag;
} out;

static int take(void *user, const imsat_piece *piece)
{
    (void)user;
    (void)piece;
    return 0;
}

/* The sensible methods, on as many rows as it takes. */
static imsat_status compare_by_default(imsat_error *err)
{
    imsat_data *data = NULL;
    imsat_status st = imsat_data_view(&data, in.x, ROWS * DIM, 1, 1, err);
    if (st == IMSAT_OK)
        st = imsat_compare(&out.comparison, data, &in.options, NULL, 100, err);
    imsat_data_free(data);
    return st;
}

/* Calls that would not fit on a line of the lists. */
#define CHOOSE(to, data, options)       imsat_choose_k(to, data, options, 2, 3, 9, err)
#define HAS(found, a, b, data, options) imsat_has_structure(found, a, b, data, options, err)
#define SPLIT(score, codes, labels)                                                           \
    imsat_evaluate_hash_split(score, codes, labels, 1, 1, NULL, err)
#define PREDICT(model, data, take) imsat_predict_stream(model, data, take, NULL, 1, err)
#define TRUST(confidence, distance, model, data, labels, proba)                               \
    imsat_confidence(confidence, distance, model, data, 0, 1, labels, proba, 1, err)
#define SCORE(score, g, gl, q, ql)  imsat_evaluate_hash(score, g, gl, q, ql, NULL, err)
#define JUDGE(score, labels, truth) imsat_evaluate_clusters(score, labels, truth, ROWS, err)
#define JOIN(to, path, data, paths, columns)                                                  \
    imsat_join_create(to, path, NULL, data, paths, 1, columns, 1, err)
#define FIND(to, path)                    imsat_output_format_find(to, path, NULL, err)
#define OUTPUT(to, path, columns)         imsat_output_create(to, path, NULL, columns, 1, 1, err)
#define WRITE(path, data)                 imsat_data_write(path, NULL, data, NULL, NULL, err)
#define LABELS(path, labels)              imsat_labels_write(path, NULL, labels, ROWS, err)
#define DESCRIBE(to, paths)               imsat_describe_files(to, paths, 1, NULL, NULL, 0, err)
#define TABLE(to, paths)                  imsat_data_open_table(to, paths, 1, NULL, NULL, err)
#define CSR(to, starts, columns, x)       imsat_data_csr(to, starts, columns, x, ROWS, DIM, err)
#define RADIUS(to, data, options)         imsat_neighbor_radius(to, NULL, data, options, err)
#define WATCHED(path, codes, o)           imsat_codes_export_watched(path, codes, o, NULL, NULL, err)
#define MODEL(to, of, paths, o, col)      imsat_model_open(to, of, paths, 1, o, col, err)
#define SCALES(narrow, wide, ratio, data) imsat_data_scales(narrow, wide, ratio, data, err)
#define MODEL_TABLE(to, of, paths, o, table, col)                                             \
    imsat_model_open_table(to, of, paths, 1, o, table, col, err)

/* ---- what is refused ----------------------------------------------------------- */

#define REFUSED(X)                                                                            \
    X(imsat_data_open, out, imsat_data_open(NULL, in.paths, 1, NULL, err))                    \
    X(imsat_data_open, paths, imsat_data_open(&out.data, NULL, 1, NULL, err))                 \
    X(imsat_data_open_table, out, TABLE(NULL, in.paths))                                      \
    X(imsat_data_open_table, paths, TABLE(&out.data, NULL))                                   \
    X(imsat_data_csr, out, CSR(NULL, in.ids, in.labels, in.x))                                \
    X(imsat_data_csr, indptr, CSR(&out.data, NULL, in.labels, in.x))                          \
    X(imsat_data_csr, indices, CSR(&out.data, in.ids, NULL, in.x))                            \
    X(imsat_data_csr, values, CSR(&out.data, in.ids, in.labels, NULL))                        \
    X(imsat_data_scales, narrow, SCALES(NULL, &out.n, &out.number, in.data))                  \
    X(imsat_data_scales, wide, SCALES(&out.n, NULL, &out.number, in.data))                    \
    X(imsat_data_scales, ratio, SCALES(&out.n, &out.n, NULL, in.data))                        \
    X(imsat_data_scales, data, SCALES(&out.n, &out.n, &out.number, NULL))                     \
    X(imsat_data_widen, data, imsat_data_widen(NULL, DIM, err))                               \
    X(imsat_data_view, out, imsat_data_view(NULL, in.x, ROWS, DIM, DIM, err))                 \
    X(imsat_data_view, x, imsat_data_view(&out.data, NULL, ROWS, DIM, DIM, err))              \
    X(imsat_data_array, out, imsat_data_array(NULL, &in.array, err))                          \
    X(imsat_data_array, array, imsat_data_array(&out.data, NULL, err))                        \
    X(imsat_data_read, data, imsat_data_read(NULL, 0, ROWS, out.floats, err))                 \
    X(imsat_data_read, out, imsat_data_read(in.data, 0, ROWS, NULL, err))                     \
    X(imsat_labels_read, labels, imsat_labels_read(NULL, &out.n, in.label_paths, 1, err))     \
    X(imsat_labels_read, n, imsat_labels_read(&out.labels, NULL, in.label_paths, 1, err))     \
    X(imsat_labels_read, paths, imsat_labels_read(&out.labels, &out.n, NULL, 1, err))         \
    X(imsat_labels_read_words, labels,                                                        \
      imsat_labels_read_words(NULL, &out.n, &out.words, in.label_paths, 1, err))              \
    X(imsat_labels_read_words, n,                                                             \
      imsat_labels_read_words(&out.labels, NULL, &out.words, in.label_paths, 1, err))         \
    X(imsat_labels_read_words, words,                                                         \
      imsat_labels_read_words(&out.labels, &out.n, NULL, in.label_paths, 1, err))             \
    X(imsat_labels_read_words, paths,                                                         \
      imsat_labels_read_words(&out.labels, &out.n, &out.words, NULL, 1, err))                 \
    X(imsat_vector_read, values, imsat_vector_read(NULL, &out.n, in.ids_file, err))           \
    X(imsat_vector_read, n, imsat_vector_read(&out.values, NULL, in.ids_file, err))           \
    X(imsat_vector_read, path, imsat_vector_read(&out.values, &out.n, NULL, err))             \
    X(imsat_npy_write_int32, path, imsat_npy_write_int32(NULL, in.labels, ROWS, err))         \
    X(imsat_npy_write_int32, x, imsat_npy_write_int32(in.made, NULL, ROWS, err))              \
    X(imsat_npy_write_float, path, imsat_npy_write_float(NULL, in.x, ROWS, DIM, err))         \
    X(imsat_npy_write_float, x, imsat_npy_write_float(in.made, NULL, ROWS, DIM, err))         \
    X(imsat_npy_create, out, imsat_npy_create(NULL, in.made, IMSAT_NPY_INT32, 1, 0, err))     \
    X(imsat_npy_create, path, imsat_npy_create(&out.npy, NULL, IMSAT_NPY_INT32, 1, 0, err))   \
    X(imsat_npy_append, file, imsat_npy_append(NULL, in.labels, 1, err))                      \
    X(imsat_npy_append, x, imsat_npy_append(in.npy, NULL, 1, err))                            \
    X(imsat_npy_commit, file, imsat_npy_commit(NULL, err))                                    \
    X(imsat_output_format_find, out, FIND(NULL, in.csv))                                      \
    X(imsat_output_format_find, path, FIND(&out.format, NULL))                                \
    X(imsat_output_create, out, OUTPUT(NULL, in.made, &in.column))                            \
    X(imsat_output_create, path, OUTPUT(&out.npy, NULL, &in.column))                          \
    X(imsat_output_create, columns, OUTPUT(&out.npy, in.made, NULL))                          \
    X(imsat_output_append, file, imsat_output_append(NULL, in.columns, 1, err))               \
    X(imsat_output_append, values, imsat_output_append(in.npy, NULL, 1, err))                 \
    X(imsat_output_commit, file, imsat_output_commit(NULL, err))                              \
    X(imsat_labels_write, path, LABELS(NULL, in.labels))                                      \
    X(imsat_labels_write, labels, LABELS(in.made, NULL))                                      \
    X(imsat_describe_data, out, imsat_describe_data(NULL, in.data, 0, err))                   \
    X(imsat_describe_data, data, imsat_describe_data(&out.description, NULL, 0, err))         \
    X(imsat_describe_files, out, DESCRIBE(NULL, in.paths))                                    \
    X(imsat_describe_files, paths, DESCRIBE(&out.description, NULL))                          \
    X(imsat_inside_list, out, imsat_inside_list(NULL, &out.n, in.csv, err))                   \
    X(imsat_inside_list, count, imsat_inside_list(&out.inside, NULL, in.csv, err))            \
    X(imsat_inside_list, path, imsat_inside_list(&out.inside, &out.n, NULL, err))             \
    X(imsat_data_write, path, WRITE(NULL, in.data))                                           \
    X(imsat_data_write, data, WRITE(in.made, NULL))                                           \
    X(imsat_join_create, out, JOIN(NULL, in.csv, in.data, in.paths, &in.column))              \
    X(imsat_join_create, path, JOIN(&out.join, NULL, in.data, in.paths, &in.column))          \
    X(imsat_join_create, data, JOIN(&out.join, in.made, NULL, in.paths, &in.column))          \
    X(imsat_join_create, paths, JOIN(&out.join, in.made, in.data, NULL, &in.column))          \
    X(imsat_join_create, columns, JOIN(&out.join, in.made, in.data, in.paths, NULL))          \
    X(imsat_join_append, file, imsat_join_append(NULL, in.columns, 1, err))                   \
    X(imsat_join_append, values, imsat_join_append(in.join, NULL, 1, err))                    \
    X(imsat_join_commit, file, imsat_join_commit(NULL, err))                                  \
    X(imsat_writable, path, imsat_writable(NULL, err))                                        \
    X(imsat_options_check, options, imsat_options_check(NULL, in.data, err))                  \
    X(imsat_options_check, data, imsat_options_check(&in.options, NULL, err))                 \
    X(imsat_options_set, options, imsat_options_set(NULL, "k", "3", err))                     \
    X(imsat_options_set, name, imsat_options_set(&in.options, NULL, "3", err))                \
    X(imsat_options_set, text, imsat_options_set(&in.options, "k", NULL, err))                \
    X(imsat_options_get, options, imsat_options_get(NULL, "k", out.text, 64, err))            \
    X(imsat_options_get, name, imsat_options_get(&in.options, NULL, out.text, 64, err))       \
    X(imsat_options_get, text, imsat_options_get(&in.options, "k", NULL, 64, err))            \
    X(imsat_cluster, model, imsat_cluster(NULL, in.data, &in.options, &out.result, err))      \
    X(imsat_cluster, data, imsat_cluster(&out.model, NULL, &in.options, &out.result, err))    \
    X(imsat_cluster, options, imsat_cluster(&out.model, in.data, NULL, &out.result, err))     \
    X(imsat_hash, model, imsat_hash(NULL, in.data, &in.hash_options, &out.result, err))       \
    X(imsat_hash, data, imsat_hash(&out.model, NULL, &in.hash_options, &out.result, err))     \
    X(imsat_hash, options, imsat_hash(&out.model, in.data, NULL, &out.result, err))           \
    X(imsat_neighbor_radius, radius, RADIUS(NULL, in.data, &in.options))                      \
    X(imsat_neighbor_radius, data, RADIUS(out.floats, NULL, &in.options))                     \
    X(imsat_neighbor_radius, options, RADIUS(out.floats, in.data, NULL))                      \
    X(imsat_model_save, model, imsat_model_save(NULL, in.made, err))                          \
    X(imsat_model_save, path, imsat_model_save(in.clusters, NULL, err))                       \
    X(imsat_model_load, out, imsat_model_load(NULL, in.csv, err))                             \
    X(imsat_model_load, path, imsat_model_load(&out.model, NULL, err))                        \
    X(imsat_predict, model, imsat_predict(NULL, in.data, in.labels, NULL, 1, err))            \
    X(imsat_predict, data, imsat_predict(in.clusters, NULL, in.labels, NULL, 1, err))         \
    X(imsat_encode, model, imsat_encode(NULL, in.data, out.query, NULL, 1, err))              \
    X(imsat_encode, data, imsat_encode(in.hashes, NULL, out.query, NULL, 1, err))             \
    X(imsat_confidence, confidence,                                                           \
      TRUST(NULL, out.floats, in.clusters, in.data, in.labels, in.x))                         \
    X(imsat_confidence, distance,                                                             \
      TRUST(out.floats, NULL, in.clusters, in.data, in.labels, in.x))                         \
    X(imsat_confidence, model, TRUST(out.floats, out.floats, NULL, in.data, in.labels, in.x)) \
    X(imsat_confidence, data,                                                                 \
      TRUST(out.floats, out.floats, in.clusters, NULL, in.labels, in.x))                      \
    X(imsat_confidence, labels,                                                               \
      TRUST(out.floats, out.floats, in.clusters, in.data, NULL, in.x))                        \
    X(imsat_confidence, proba,                                                                \
      TRUST(out.floats, out.floats, in.clusters, in.data, in.labels, NULL))                   \
    X(imsat_predict_stream, model, PREDICT(NULL, in.data, take))                              \
    X(imsat_predict_stream, data, PREDICT(in.clusters, NULL, take))                           \
    X(imsat_predict_stream, take, PREDICT(in.clusters, in.data, NULL))                        \
    X(imsat_evaluate_clusters, score, JUDGE(NULL, in.labels, in.labels))                      \
    X(imsat_evaluate_clusters, predicted, JUDGE(&out.clusters, NULL, in.labels))              \
    X(imsat_evaluate_clusters, truth, JUDGE(&out.clusters, in.labels, NULL))                  \
    X(imsat_codes_read, codes, imsat_codes_read(NULL, in.code_paths, 1, NULL, err))           \
    X(imsat_codes_read, paths, imsat_codes_read(&out.codes, NULL, 1, NULL, err))              \
    X(imsat_ids_read, ids, imsat_ids_read(NULL, &out.n, in.ids_file, err))                    \
    X(imsat_ids_read, n, imsat_ids_read(&out.ids, NULL, in.ids_file, err))                    \
    X(imsat_ids_read, path, imsat_ids_read(&out.ids, &out.n, NULL, err))                      \
    X(imsat_index_new, out, imsat_index_new(NULL, &in.codes, NULL, err))                      \
    X(imsat_index_new, codes, imsat_index_new(&out.index, NULL, NULL, err))                   \
    X(imsat_index_append, out, imsat_index_append(NULL, in.index, &in.codes, NULL, err))      \
    X(imsat_index_append, index, imsat_index_append(&out.index, NULL, &in.codes, NULL, err))  \
    X(imsat_index_append, codes, imsat_index_append(&out.index, in.index, NULL, NULL, err))   \
    X(imsat_index_delete, out, imsat_index_delete(NULL, in.index, in.ids, 1, err))            \
    X(imsat_index_delete, index, imsat_index_delete(&out.index, NULL, in.ids, 1, err))        \
    X(imsat_index_delete, ids, imsat_index_delete(&out.index, in.index, NULL, 1, err))        \
    X(imsat_index_save, index, imsat_index_save(NULL, in.made, err))                          \
    X(imsat_index_save, path, imsat_index_save(in.index, NULL, err))                          \
    X(imsat_index_open, out, imsat_index_open(NULL, in.index_file, err))                      \
    X(imsat_index_open, path, imsat_index_open(&out.index, NULL, err))                        \
    X(imsat_index_peek, info, imsat_index_peek(NULL, in.index_file, err))                     \
    X(imsat_index_peek, path, imsat_index_peek(&out.info, NULL, err))                         \
    X(imsat_index_update, path, imsat_index_update(&out.info, NULL, &in.change, err))         \
    X(imsat_index_update, change, imsat_index_update(&out.info, in.index_file, NULL, err))    \
    X(imsat_search, hits, imsat_search(NULL, in.index, &in.codes, &in.search, err))           \
    X(imsat_search, index, imsat_search(&out.hits, NULL, &in.codes, &in.search, err))         \
    X(imsat_search, queries, imsat_search(&out.hits, in.index, NULL, &in.search, err))        \
    X(imsat_search, options, imsat_search(&out.hits, in.index, &in.codes, NULL, err))         \
    X(imsat_codes_export, path, imsat_codes_export(NULL, &in.codes, &in.export, err))         \
    X(imsat_codes_export, codes, imsat_codes_export(in.made, NULL, &in.export, err))          \
    X(imsat_codes_export, options, imsat_codes_export(in.made, &in.codes, NULL, err))         \
    X(imsat_codes_export_watched, path, WATCHED(NULL, &in.codes, &in.export))                 \
    X(imsat_codes_export_watched, codes, WATCHED(in.made, NULL, &in.export))                  \
    X(imsat_codes_export_watched, options, WATCHED(in.made, &in.codes, NULL))                 \
    X(imsat_evaluate_hash, score, SCORE(NULL, &in.codes, in.labels, &in.codes, in.labels))    \
    X(imsat_evaluate_hash, gallery, SCORE(&out.score, NULL, in.labels, &in.codes, in.labels)) \
    X(imsat_evaluate_hash, gallery_labels,                                                    \
      SCORE(&out.score, &in.codes, NULL, &in.codes, in.labels))                               \
    X(imsat_evaluate_hash, queries, SCORE(&out.score, &in.codes, in.labels, NULL, in.labels)) \
    X(imsat_evaluate_hash, query_labels,                                                      \
      SCORE(&out.score, &in.codes, in.labels, &in.codes, NULL))                               \
    X(imsat_hash_curves_write, path, imsat_hash_curves_write(NULL, &in.score, err))           \
    X(imsat_hash_curves_write, score, imsat_hash_curves_write(in.made, NULL, err))            \
    X(imsat_hash_split, query, imsat_hash_split(NULL, in.labels, ROWS, 1, 1, err))            \
    X(imsat_hash_split, labels, imsat_hash_split(out.query, NULL, ROWS, 1, 1, err))           \
    X(imsat_evaluate_hash_split, score, SPLIT(NULL, &in.codes, in.labels))                    \
    X(imsat_evaluate_hash_split, codes, SPLIT(&out.score, NULL, in.labels))                   \
    X(imsat_evaluate_hash_split, labels, SPLIT(&out.score, &in.codes, NULL))                  \
    X(imsat_fetch, url, imsat_fetch(NULL, in.made, NULL, err))                                \
    X(imsat_fetch, path, imsat_fetch("http://localhost/", NULL, NULL, err))                   \
    X(imsat_sets_fetch, set, imsat_sets_fetch(NULL, in.made, NULL, err))                      \
    X(imsat_sets_fetch, folder, imsat_sets_fetch("mnist", NULL, NULL, err))                   \
    X(imsat_sets_prepare, out, imsat_sets_prepare(NULL, NULL, "mnist", ".", NULL, err))       \
    X(imsat_sets_prepare, set, imsat_sets_prepare(&out.data, NULL, NULL, ".", NULL, err))     \
    X(imsat_sets_prepare, folder, imsat_sets_prepare(&out.data, 0, "stl", NULL, 0, err))      \
    X(imsat_reproduce, options, imsat_reproduce(IMSAT_EXPERIMENT_TOY, NULL, err))             \
    X(imsat_reproduce_table, text, imsat_reproduce_table(NULL, 0, &in.reproduce, 0, err))     \
    X(imsat_reproduce_table, options, imsat_reproduce_table(&out.table, 0, NULL, 0, err))     \
    X(imsat_svmlight_write, path, imsat_svmlight_write(NULL, in.data, err))                   \
    X(imsat_svmlight_write, data, imsat_svmlight_write(in.made, NULL, err))                   \
    X(imsat_texts_open, out, imsat_texts_open(NULL, in.text_paths, 1, NULL, err))             \
    X(imsat_texts_open, paths, imsat_texts_open(&out.data, NULL, 1, NULL, err))               \
    X(imsat_texts_are, are, imsat_texts_are(NULL, in.csv, NULL, err))                         \
    X(imsat_texts_are, path, imsat_texts_are(&out.flag, NULL, NULL, err))                     \
    X(imsat_report_write, path, imsat_report_write(NULL, in.clusters, in.data, NULL, err))    \
    X(imsat_report_write, model, imsat_report_write(in.made, NULL, in.data, NULL, err))       \
    X(imsat_report_write, data, imsat_report_write(in.made, in.clusters, NULL, NULL, err))    \
    X(imsat_words_write, path, imsat_words_write(NULL, in.data, err))                         \
    X(imsat_words_write, data, imsat_words_write(in.made, NULL, err))                         \
    X(imsat_gist, out, imsat_gist(NULL, in.data, 0, 1, err))                                  \
    X(imsat_gist, images, imsat_gist(&out.data, NULL, 0, 1, err))                             \
    X(imsat_pictures_are, are, imsat_pictures_are(NULL, in.csv, err))                         \
    X(imsat_pictures_are, path, imsat_pictures_are(&out.flag, NULL, err))                     \
    X(imsat_resize, out, imsat_resize(NULL, in.data, (imsat_image){1, 1, 1}, err))            \
    X(imsat_resize, images, imsat_resize(&out.data, NULL, (imsat_image){1, 1, 1}, err))       \
    X(imsat_model_open, out, MODEL(NULL, in.clusters, in.paths, NULL, NULL))                  \
    X(imsat_model_open, model, MODEL(&out.data, NULL, in.paths, NULL, NULL))                  \
    X(imsat_model_open, paths, MODEL(&out.data, in.clusters, NULL, NULL, NULL))               \
    X(imsat_model_open_table, out, MODEL_TABLE(NULL, in.clusters, in.paths, NULL, 0, 0))      \
    X(imsat_model_open_table, model, MODEL_TABLE(&out.data, NULL, in.paths, 0, 0, 0))         \
    X(imsat_model_open_table, paths, MODEL_TABLE(&out.data, in.clusters, NULL, 0, 0, 0))      \
    X(imsat_compare, out, imsat_compare(NULL, in.data, &in.options, NULL, 9, err))            \
    X(imsat_compare, data, imsat_compare(&out.comparison, NULL, &in.options, NULL, 9, err))   \
    X(imsat_compare, options, imsat_compare(&out.comparison, in.data, NULL, NULL, 9, err))    \
    X(imsat_choose_k, out, CHOOSE(NULL, in.data, &in.options))                                \
    X(imsat_choose_k, data, CHOOSE(&out.choice, NULL, &in.options))                           \
    X(imsat_choose_k, options, CHOOSE(&out.choice, in.data, NULL))                            \
    X(imsat_has_structure, found, HAS(NULL, &out.number, &out.number, in.data, &in.options))  \
    X(imsat_has_structure, information,                                                       \
      HAS(&out.flag, NULL, &out.number, in.data, &in.options))                                \
    X(imsat_has_structure, without, HAS(&out.flag, &out.number, NULL, in.data, &in.options))  \
    X(imsat_has_structure, data, HAS(&out.flag, &out.number, &out.number, NULL, &in.options)) \
    X(imsat_has_structure, options, HAS(&out.flag, &out.number, &out.number, in.data, NULL))

/* ---- what may be NULL: null_allowed.h ------------------------------------------------ */

/* ---- what has no status: null_without_status.h -------------------------------------- */

static const char *texts[2];

static imsat_status metadata(const imsat_model *model, const char **name, const char **value)
{
    return imsat_model_metadata(model, 0, name, value);
}

/* Options without a method are made, and refused where they are used. */
static bool is_without_method(void)
{
    imsat_options options;
    imsat_options_init(&options, NULL, IMSAT_PRESET_DEFAULT);
    options.k = K;
    return !options.method && imsat_options_check(&options, in.data, NULL) == IMSAT_EINVAL;
}

/* Nothing is asked of the network: this set is refused for what it is. */
static imsat_status reuters_without_options(imsat_error *err)
{
    const imsat_status st = imsat_sets_fetch("reuters", in.made, NULL, err);
    return st == IMSAT_EIO ? IMSAT_OK : st;
}

/* The tests' folder has no files of a set, and that is all that is wrong. */
static imsat_status nothing_to_prepare(imsat_error *err)
{
    const imsat_status st =
        imsat_sets_prepare(&out.data, NULL, "mnist", in_folder(""), NULL, err);
    return st == IMSAT_EIO ? IMSAT_OK : st;
}

/* ---- the lists as tables ----------------------------------------------------------- */

#define DEFINE_CALL(function, argument, call)                                                 \
    static imsat_status function##_without_##argument(imsat_error *err)                       \
    {                                                                                         \
        return call;                                                                          \
    }
#define DEFINE_TEST(function, argument, holds)                                                \
    static imsat_status function##_without_##argument(imsat_error *err)                       \
    {                                                                                         \
        (void)err;                                                                            \
        return (holds) ? IMSAT_OK : IMSAT_EINVAL;                                             \
    }
#define ENTRY(function, argument, call) {#function, #argument, function##_without_##argument},

REFUSED(DEFINE_CALL)
ALLOWED(DEFINE_CALL)
WITHOUT_STATUS(DEFINE_TEST)

typedef struct entry {
    const char *function, *argument;
    imsat_status (*call)(imsat_error *err);
} entry;

static const entry refused[] = {REFUSED(ENTRY)};
static const entry allowed[] = {ALLOWED(ENTRY)};
static const entry without_status[] = {WITHOUT_STATUS(ENTRY)};

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- the tests ---------------------------------------------------------------------- */

static void null_is_refused(void **state)
{
    (void)state;
    static unsigned char before[sizeof out], inputs[sizeof in];
    memset(&out, 0, sizeof out);
    memcpy(before, &out, sizeof out);
    memcpy(inputs, &in, sizeof in);
    const size_t files = folder_count();
    for (size_t i = 0; i < COUNT(refused); i++) {
        const entry *e = &refused[i];
        imsat_error err = {""};
        char expected[128];
        snprintf(expected, sizeof expected, "%s(): %s is NULL, and must not be", e->function,
                 e->argument);
        assert_int_equal(e->call(&err), IMSAT_EINVAL);
        assert_string_equal(err.message, expected);
        assert_int_equal(e->call(NULL), IMSAT_EINVAL);
        if (memcmp(before, &out, sizeof out) || memcmp(inputs, &in, sizeof in))
            fail_msg("%s() without %s changed something", e->function, e->argument);
        assert_int_equal(folder_count(), files);
    }
}

static void clear_outputs(void)
{
    imsat_data_free(out.data);
    imsat_model_free(out.model);
    imsat_npy_free(out.npy);
    imsat_description_free(out.description);
    imsat_comparison_free(out.comparison);
    imsat_join_free(out.join);
    imsat_index_free(out.index);
    imsat_codes_clear(&out.codes);
    imsat_hash_score_clear(&out.score);
    memset(&out, 0, sizeof out);
}

static void null_is_allowed(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(allowed); i++) {
        imsat_error err = {""};
        assert_ok(allowed[i].call(&err), &err);
        clear_outputs();
        assert_int_equal(allowed[i].call(NULL), IMSAT_OK);
        clear_outputs();
    }
}

static void null_does_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(without_status); i++)
        if (without_status[i].call(NULL) != IMSAT_OK)
            fail_msg("%s() without %s", without_status[i].function,
                     without_status[i].argument);
}

/* ---- the headers -------------------------------------------------------------------- */

/* How many of the lists have the argument. */
static size_t count_entries(const char *function, const char *argument)
{
    const struct {
        const entry *entries;
        size_t count;
    } lists[] = {{refused, COUNT(refused)},
                 {allowed, COUNT(allowed)},
                 {without_status, COUNT(without_status)}};
    size_t found = 0;
    for (size_t l = 0; l < COUNT(lists); l++)
        for (size_t i = 0; i < lists[l].count; i++)
            found += strcmp(lists[l].entries[i].function, function) == 0 &&
                     strcmp(lists[l].entries[i].argument, argument) == 0;
    return found;
}

static void every_argument_is_listed(void **state)
{
    (void)state;
    size_t functions = 0, pointers = 0;
    headers_check(count_entries, &functions, &pointers);
    assert_true(functions > 80);
    assert_int_equal(pointers, COUNT(refused) + COUNT(allowed) + COUNT(without_status));
}

/* ---- what is given ------------------------------------------------------------------ */

static int make_inputs(void **state)
{
    imsat_error err = {""};
    folder_setup(state);
    for (size_t i = 0; i < ROWS; i++) {
        in.x[i * DIM] = (float)(i * i % 7), in.x[i * DIM + 1] = (float)(i % 5);
        in.labels[i] = (int32_t)(i % K);
        in.bytes[i] = (uint8_t)(37 * i);
        in.ids[i] = (int64_t)i;
    }
    in.codes = (imsat_codes){in.bytes, ROWS, BITS};
    in.column = (imsat_output_column){"label", IMSAT_NPY_INT32, 0};
    in.columns[0] = in.labels;
    static const char *const names[] = {"x.csv", "l.npy", "c.npy", "ids", "index", "made"};
    char *const paths[] = {in.csv,      in.npy_file,   in.codes_file,
                           in.ids_file, in.index_file, in.made};
    for (size_t i = 0; i < COUNT(names); i++)
        snprintf(paths[i], sizeof in.csv, "%s", in_folder(names[i]));
    in.paths[0] = in.csv, in.code_paths[0] = in.codes_file, in.label_paths[0] = in.npy_file;
    snprintf(in.texts, sizeof in.texts, "%s", in_folder("texts.txt"));
    in.text_paths[0] = in.texts;
    write_file(in.texts, "some words\n", 11);
    write_file(in.csv, "1,2\n3,4\n", 8);
    write_file(in.ids_file, "4\n5\n", 4);
    assert_ok(imsat_npy_write_int32(in.npy_file, in.labels, ROWS, &err), &err);
    assert_ok(imsat_npy_create(&in.npy, in.codes_file, IMSAT_NPY_UINT8, ROWS, 1, &err), &err);
    assert_ok(imsat_npy_append(in.npy, in.bytes, ROWS, &err), &err);
    assert_ok(imsat_npy_commit(in.npy, &err), &err);
    imsat_npy_free(in.npy);
    assert_ok(imsat_data_view(&in.data, in.x, ROWS, DIM, DIM, &err), &err);
    imsat_options_init(&in.options, "linear-rim", IMSAT_PRESET_DEFAULT);
    imsat_options_init_hash(&in.hash_options, "linear-rim", IMSAT_PRESET_DEFAULT);
    in.options.k = K, in.hash_options.bits = BITS;
    in.options.epochs = in.hash_options.epochs = 1;
    assert_ok(imsat_cluster(&in.clusters, in.data, &in.options, &in.result, &err), &err);
    assert_ok(imsat_hash(&in.hashes, in.data, &in.hash_options, NULL, &err), &err);
    assert_ok(imsat_index_new(&in.index, &in.codes, NULL, &err), &err);
    assert_ok(imsat_index_save(in.index, in.index_file, &err), &err);
    assert_ok(
        imsat_evaluate_hash(&in.score, &in.codes, in.labels, &in.codes, in.labels, NULL, &err),
        &err);
    imsat_search_options_init(&in.search);
    assert_ok(imsat_join_create(&in.join, in_folder("join.csv"), NULL, in.data, in.paths, 1,
                                &in.column, 1, &err),
              &err);
    assert_ok(imsat_npy_create(&in.npy, in_folder("open"), IMSAT_NPY_INT32, ROWS, 0, &err),
              &err);
    return 0;
}

static int free_inputs(void **state)
{
    imsat_join_free(in.join);
    imsat_npy_free(in.npy);
    imsat_hash_score_clear(&in.score);
    imsat_index_free(in.index);
    imsat_model_free(in.hashes);
    imsat_model_free(in.clusters);
    imsat_result_free(in.result);
    imsat_data_free(in.data);
    return folder_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_is_refused),
        cmocka_unit_test(null_is_allowed),
        cmocka_unit_test(null_does_nothing),
        cmocka_unit_test(every_argument_is_listed),
    };
    return cmocka_run_group_tests(tests, make_inputs, free_inputs);
}
