/* SPDX-License-Identifier: MIT
 *
 * Of test_null_arguments.c: the functions without a status, and what they do if a pointer is
 * NULL. `in`, `out` and the functions that are called here are there. */
#ifndef TESTS_NULL_WITHOUT_STATUS_H
#define TESTS_NULL_WITHOUT_STATUS_H

#include <stdbool.h>

#define WITHOUT_STATUS(X)                                                                     \
    X(imsat_data_free, data, (imsat_data_free(NULL), true))                                   \
    X(imsat_data_rows, data, imsat_data_rows(NULL) == 0)                                      \
    X(imsat_data_dim, data, imsat_data_dim(NULL) == 0)                                        \
    X(imsat_data_image, data, imsat_data_image(NULL).height == 0)                             \
    X(imsat_data_labels, data, !imsat_data_labels(NULL))                                      \
    X(imsat_data_label_words, data, !imsat_data_label_words(NULL))                            \
    X(imsat_data_documents, data, !imsat_data_documents(NULL))                                \
    X(imsat_data_word, data, !imsat_data_word(NULL, 0, &out.n))                               \
    X(imsat_data_word, size, !imsat_data_word(in.data, 0, NULL))                              \
    X(imsat_data_describe, data, !imsat_data_describe(NULL, 0))                               \
    X(imsat_data_column_name, data, !imsat_data_column_name(NULL, 0))                         \
    X(imsat_data_note, data, !imsat_data_note(NULL, 0))                                       \
    X(imsat_npy_free, file, (imsat_npy_free(NULL), true))                                     \
    X(imsat_output_has_labels, format, !imsat_output_has_labels(NULL))                        \
    X(imsat_description_free, description, (imsat_description_free(NULL), true))              \
    X(imsat_model_history, model, !imsat_model_history(NULL))                                 \
    X(imsat_join_free, file, (imsat_join_free(NULL), true))                                   \
    X(imsat_output_free, file, (imsat_output_free(NULL), true))                               \
    X(imsat_set_temporary_folder, folder, (imsat_set_temporary_folder(NULL), true))           \
    X(imsat_same_file, a, imsat_same_file(NULL, in.csv) == 0)                                 \
    X(imsat_same_file, b, imsat_same_file(in.csv, NULL) == 0)                                 \
    X(imsat_free, memory, (imsat_free(NULL), true))                                           \
    X(imsat_method_summary, method, !imsat_method_summary(NULL))                              \
    X(imsat_method_objective, method, !imsat_method_objective(NULL))                          \
    X(imsat_method_needs_function, method, imsat_method_needs_function(NULL) == 0)            \
    X(imsat_method_serves, method, imsat_method_serves(NULL, IMSAT_TASK_HASH) == 0)           \
    X(imsat_method_has_term, method,                                                          \
      imsat_method_has_term(NULL, IMSAT_TASK_HASH, IMSAT_TERM_SAT) == 0)                      \
    X(imsat_options_init_sized, options,                                                      \
      (imsat_options_init_sized(NULL, sizeof(imsat_options), IMSAT_TASK_HASH, "imsat-vat",    \
                                IMSAT_PRESET_PAPER),                                          \
       true))                                                                                 \
    X(imsat_options_init_sized, method, is_without_method())                                  \
    X(imsat_option_named, name, !imsat_option_named(NULL))                                    \
    X(imsat_option_used, option, imsat_option_used(NULL, "imsat-vat", IMSAT_TASK_HASH) == 0)  \
    X(imsat_option_used, method,                                                              \
      imsat_option_used(imsat_option_at(0), NULL, IMSAT_TASK_HASH) == 0)                      \
    X(imsat_result_run, result, !imsat_result_run(NULL, 0))                                   \
    X(imsat_result_free, result, (imsat_result_free(NULL), true))                             \
    X(imsat_comparison_method, comparison, !imsat_comparison_method(NULL, 0))                 \
    X(imsat_comparison_free, comparison, (imsat_comparison_free(NULL), true))                 \
    X(imsat_k_choice_row, choice, !imsat_k_choice_row(NULL, 0))                               \
    X(imsat_k_choice_free, choice, (imsat_k_choice_free(NULL), true))                         \
    X(imsat_model_free, model, (imsat_model_free(NULL), true))                                \
    X(imsat_model_dim, model, imsat_model_dim(NULL) == 0)                                     \
    X(imsat_model_task, model, imsat_model_task(NULL) == IMSAT_TASKS)                         \
    X(imsat_model_clusters, model, imsat_model_clusters(NULL) == 0)                           \
    X(imsat_model_has_confidence, model, imsat_model_has_confidence(NULL) == 0)               \
    X(imsat_model_outlier_distance, model, isinf(imsat_model_outlier_distance(NULL)))         \
    X(imsat_model_bits, model, imsat_model_bits(NULL) == 0)                                   \
    X(imsat_model_columns, model, imsat_model_columns(NULL) == 0)                             \
    X(imsat_model_column_name, model, !imsat_model_column_name(NULL, 0))                      \
    X(imsat_model_column_kind, model, !imsat_model_column_kind(NULL, 0))                      \
    X(imsat_model_column_fill, model, isnan(imsat_model_column_fill(NULL, 0)))                \
    X(imsat_model_column_word, model, !imsat_model_column_word(NULL, 0, 0))                   \
    X(imsat_model_label_name, model, !imsat_model_label_name(NULL))                           \
    X(imsat_model_metadata, model, metadata(NULL, &texts[0], &texts[1]) == IMSAT_EINVAL)      \
    X(imsat_model_metadata, name, metadata(in.clusters, NULL, &texts[1]) == IMSAT_EINVAL)     \
    X(imsat_model_metadata, value, metadata(in.clusters, &texts[0], NULL) == IMSAT_EINVAL)    \
    X(imsat_codes_clear, codes, (imsat_codes_clear(NULL), true))                              \
    X(imsat_index_free, index, (imsat_index_free(NULL), true))                                \
    X(imsat_index_rows, index, imsat_index_rows(NULL) == 0)                                   \
    X(imsat_index_journal_rows, index, imsat_index_journal_rows(NULL) == 0)                   \
    X(imsat_index_bits, index, imsat_index_bits(NULL) == 0)                                   \
    X(imsat_index_tables, index, imsat_index_tables(NULL) == 0)                               \
    X(imsat_search_options_init, options, (imsat_search_options_init(NULL), true))            \
    X(imsat_hits_clear, hits, (imsat_hits_clear(NULL), true))                                 \
    X(imsat_evaluate_hash_options_init, options,                                              \
      (imsat_evaluate_hash_options_init(NULL), true))                                         \
    X(imsat_hash_score_clear, score, (imsat_hash_score_clear(NULL), true))                    \
    X(imsat_sets_summary, set, !imsat_sets_summary(NULL))                                     \
    X(imsat_sets_row, set, !imsat_sets_row(NULL))                                             \
    X(imsat_sets_form, set, !imsat_sets_form(NULL, 0))

#endif
