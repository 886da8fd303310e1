/* SPDX-License-Identifier: MIT
 *
 * Of test_null_arguments.c: the pointers that may be NULL. `in`, `out` and the functions that
 * are called here are there. */
#ifndef TESTS_NULL_ALLOWED_H
#define TESTS_NULL_ALLOWED_H

#define ALLOWED(X)                                                                            \
    X(imsat_compare, methods, compare_by_default(err))                                        \
    X(imsat_output_format_find, name, FIND(&out.format, in.csv))                              \
    X(imsat_output_create, format, OUTPUT(&out.npy, in.made, &in.column))                     \
    X(imsat_join_create, format, JOIN(&out.join, in.made, in.data, in.paths, &in.column))     \
    X(imsat_describe_files, options, DESCRIBE(&out.description, in.paths))                    \
    X(imsat_describe_files, table, DESCRIBE(&out.description, in.paths))                      \
    X(imsat_data_write, format, WRITE(in.npy_file, in.data))                                  \
    X(imsat_data_write, progress, WRITE(in.npy_file, in.data))                                \
    X(imsat_data_write, user, WRITE(in.npy_file, in.data))                                    \
    X(imsat_labels_write, format, LABELS(in.npy_file, in.labels))                             \
    X(imsat_texts_open, options, imsat_texts_open(&out.data, in.text_paths, 1, NULL, err))    \
    X(imsat_texts_are, text_column, imsat_texts_are(&out.flag, in.csv, NULL, err))            \
    X(imsat_model_open, options, MODEL(&out.data, in.clusters, in.paths, NULL, "text"))       \
    X(imsat_model_open, text_column,                                                          \
      MODEL(&out.data, in.clusters, in.paths, &in.data_options, NULL))                        \
    X(imsat_model_open_table, options,                                                        \
      MODEL_TABLE(&out.data, in.clusters, in.paths, NULL, NULL, "text"))                      \
    X(imsat_model_open_table, table,                                                          \
      MODEL_TABLE(&out.data, in.clusters, in.paths, &in.data_options, NULL, "text"))          \
    X(imsat_model_open_table, text_column,                                                    \
      MODEL_TABLE(&out.data, in.clusters, in.paths, &in.data_options, NULL, NULL))            \
    X(imsat_report_write, options,                                                            \
      imsat_report_write(in.made, in.clusters, in.data, NULL, err))                           \
    X(imsat_data_open, options, imsat_data_open(&out.data, in.paths, 1, NULL, err))           \
    X(imsat_data_open_table, options, TABLE(&out.data, in.paths))                             \
    X(imsat_data_open_table, table, TABLE(&out.data, in.paths))                               \
    X(imsat_cluster, result, imsat_cluster(&out.model, in.data, &in.options, NULL, err))      \
    X(imsat_hash, result, imsat_hash(&out.model, in.data, &in.hash_options, NULL, err))       \
    X(imsat_neighbor_radius, info, RADIUS(out.floats, in.data, &in.options))                  \
    X(imsat_predict, labels, imsat_predict(in.clusters, in.data, NULL, out.floats, 1, err))   \
    X(imsat_predict, proba, imsat_predict(in.clusters, in.data, in.labels, NULL, 1, err))     \
    X(imsat_encode, codes, imsat_encode(in.hashes, in.data, NULL, NULL, 1, err))              \
    X(imsat_encode, proba, imsat_encode(in.hashes, in.data, out.query, NULL, 1, err))         \
    X(imsat_predict_stream, user, PREDICT(in.clusters, in.data, take))                        \
    X(imsat_codes_read, options, imsat_codes_read(&out.codes, in.code_paths, 1, NULL, err))   \
    X(imsat_index_new, ids, imsat_index_new(&out.index, &in.codes, NULL, err))                \
    X(imsat_index_append, ids,                                                                \
      imsat_index_append(&out.index, in.index, &in.codes, NULL, err))                         \
    X(imsat_index_update, after, imsat_index_update(NULL, in.index_file, &in.change, err))    \
    X(imsat_codes_export_watched, progress, WATCHED(in.made, &in.codes, &in.export))          \
    X(imsat_codes_export_watched, user, WATCHED(in.made, &in.codes, &in.export))              \
    X(imsat_evaluate_hash, options,                                                           \
      SCORE(&out.score, &in.codes, in.labels, &in.codes, in.labels))                          \
    X(imsat_evaluate_hash_split, options, SPLIT(&out.score, &in.codes, in.labels))            \
    X(imsat_fetch, options, imsat_fetch("http://localhost/", in.csv, NULL, err))              \
    X(imsat_sets_fetch, options, reuters_without_options(err))                                \
    X(imsat_sets_prepare, form, nothing_to_prepare(err))                                      \
    X(imsat_sets_prepare, options, nothing_to_prepare(err))

#endif
