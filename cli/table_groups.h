/* SPDX-License-Identifier: MIT
 *
 * The groups of options that commands have, for table.c, which includes it once and whose
 * notation this is. Options that several groups have are in table_options.h. */
#ifndef IMSAT_CLI_TABLE_GROUPS_H
#define IMSAT_CLI_TABLE_GROUPS_H

#include "cli.h"
#include "table_options.h"

#include "imsat/sets.h"

/* A table reads better as one. */
/* clang-format off */

#define AT(field)   .offset = offsetof(cli_args, field)

/* A group of options under a title. */
#define GROUP(symbol, heading, ...)                                                       \
    static const cli_option symbol##_options[] = {__VA_ARGS__};                           \
    static cli_group symbol = {.title = heading, .options = symbol##_options,              \
        .count = sizeof symbol##_options / sizeof symbol##_options[0]}

/* Options of the library's table: a section of it, or some of them by their names. */
#define SECTION(symbol, of_task, name)                                                    \
    static cli_group symbol = {.from_section = 1, .section = IMSAT_SECTION_##name,        \
                               .task = IMSAT_TASK_##of_task}
#define NAMES(symbol, heading, list)                                                      \
    static cli_group symbol = {.title = heading, .library = list}

SECTION(cluster_main, CLUSTER, TASK);
SECTION(cluster_network, CLUSTER, NETWORK);
SECTION(cluster_objective, CLUSTER, OBJECTIVE);
SECTION(cluster_augmentation, CLUSTER, AUGMENTATION);
SECTION(cluster_training, CLUSTER, TRAINING);
SECTION(cluster_restarts, CLUSTER, RESTARTS);
SECTION(cluster_work, CLUSTER, WORK);
SECTION(preprocessing_group, CLUSTER, PREPROCESSING);
SECTION(hash_main, HASH, TASK);
SECTION(hash_network, HASH, NETWORK);
SECTION(hash_objective, HASH, OBJECTIVE);
SECTION(hash_augmentation, HASH, AUGMENTATION);
SECTION(hash_training, HASH, TRAINING);
SECTION(hash_restarts, HASH, RESTARTS);
SECTION(hash_work, HASH, WORK);
NAMES(threads_group, "Work", "threads");
NAMES(neighbors_main, "Radius", "neighbor radius_method preset");

/* ---- options of several commands: table_options.h, and these ------------------ */

GROUP(data_group, "Data",
    {.name = "label-column", .argument = "C", .set = cli_set_text, AT(data.label_column),
     .help = "tables: column C holds labels, not data: its number from 0, from the end if "
             "negative, or its name in the header or in JSON; of a file of several arrays, the name of the "
             "one that holds the labels"},
    {.name = "columns", .argument = "LIST", .set = cli_set_text, AT(tables.columns),
     .help = "tables: only these columns are data: numbers as of --label-column, names, and ranges "
             "A-B, with commas between; a name in double quotes may be any", .fallback = "all"},
    {.name = "drop", .argument = "LIST", .set = cli_set_text, AT(tables.drop),
     .help = "tables: these columns are not data", .fallback = "none, but for one that only numbers "
             "the rows"},
    {.name = "missing", .argument = "WAY", .set = cli_set_choice, AT(tables.missing),
     .noun = "way to treat missing values",
     .help = "tables: fields that are empty, NA, NaN, null and the like: refuse the file, drop the "
             "row, or fill in the mean or the median of the column", .fallback = "refuse",
     .choice = cli_missing_choice},
    {.name = "categories", .argument = "WAY", .set = cli_set_choice, AT(tables.categories),
     .noun = "way to treat text",
     .help = "tables: columns of text: refuse the file, make of each of their words a column of 0 "
             "and 1 (one-hot), or drop them", .fallback = "refuse",
     .choice = cli_categories_choice},
    {.name = "image", .argument = "HxW[xC]", .set = cli_set_image,
     .help = "the rows are images of this shape; pictures are brought to it",
     .fallback = "as the file says"},
    TEXT_COLUMN_OPTION, UNPACKED_OPTION, MEMORY_OPTION);

/* How rows are made of texts and pictures; without the column, which predict has, too. */
#define TEXT_OPTIONS                                                                      \
    {.name = "words", .argument = "N", .set = cli_set_nearest, AT(texts.words),           \
     .help = "texts: a column for each of the N words that occur most", .fallback = "2000"}, \
    {.name = "min-words", .argument = "M", .set = cli_set_nearest, AT(texts.min_words),   \
     .help = "texts: leave out those in which these words occur fewer than M times",      \
     .fallback = "1"},                                                                    \
    {.name = "skip-headers", .set = cli_set_flag, AT(texts.skip_headers),                 \
     .help = "texts: leave out the head of mails and news, up to the first blank line"},  \
    {.name = "keep-stop-words", .set = cli_set_flag, AT(texts.keep_stop_words),           \
     .help = "texts: words like 'the' and 'of' count, too"},                              \
    {.name = "damped", .set = cli_set_flag, AT(texts.damped),                             \
     .help = "texts: a word that occurs n times counts 1 + log(n), not n"},               \
    {.name = "keep-length", .set = cli_set_flag, AT(texts.keep_length),                   \
     .help = "texts: rows are not brought to length 1, so that long texts are far from others"}

GROUP(features_group, "Texts and pictures",
    TEXT_OPTIONS,
    {.name = "gist", .argument = "KIND", .set = cli_set_choice, AT(gist),
     .noun = "kind of GIST", .help = "learn from GIST descriptors of the images: gray, of 512 values, or color, of 960",
     .fallback = "none", .choice = cli_gist_choice});

GROUP(help_group, "Help",
    {.name = "help", .letter = 'h', .set = cli_set_flag, AT(help),
     .help = "print this help"});

GROUP(json_group, "Output", JSON_OPTION);

GROUP(info_output, "Output",
    {.name = "per-column", .set = cli_set_flag, AT(per_column),
     .help = "data: the statistics of each column, too"},
    JSON_OPTION);

GROUP(labels_group, "Labels", UNPACKED_OPTION, MEMORY_OPTION);

#define BITS_OPTION(standard)                                                             \
    {.name = "bits", .argument = "B", .set = cli_set_bits, AT(codes.bits),                \
     .help = "bits of a code; the rest of its last byte must be 0",                       \
     .fallback = standard}

#define ORDER_OPTION                                                                      \
    {.name = "bit-order", .argument = "ORDER", .set = cli_set_choice, AT(codes.order),    \
     .noun = "bit order", .help = "which bit of a byte is the first: msb, the most significant (numpy.packbits), " \
             "or lsb, the least",                                                         \
     .fallback = "msb", .choice = cli_order_choice}

#define IDS_OPTION                                                                        \
    {.name = "ids", .argument = "IDS", .set = cli_set_text, AT(ids),                      \
     .help = "ids of the codes, 64-bit integers: a file of data, or text with one a line", \
     .fallback = "0, 1, 2, ...; they go on from the largest of the index", .file = CLI_INPUT}

/* ---- cluster ------------------------------------------------------------------- */

GROUP(cluster_output, "Output",
    MODEL_OPTION,
    {.name = "labels", .argument = "OUT", .set = cli_set_text, AT(labels),
     .help = "write the cluster of every row: .npy, int32; or .csv, .tsv, .jsonl",
     .file = CLI_ROWS},
    {.name = "proba", .argument = "OUT", .set = cli_set_text, AT(proba_file),
     .help = "write the probability of every cluster for every row: .npy, float32 (n, k); or "
             ".csv, .tsv, .jsonl",
     .file = CLI_ROWS},
    JOIN_OPTION,
    CONFIDENCE_OPTION,
    OUTLIERS_OPTION,
    FORMAT_OPTION,
    LOG_OPTION,
    REPORT_OPTION,
    TRUTH_OPTION("score the result"),
    JSON_OPTION,
    QUIET_OPTION);

NAMES(compare_main, "Task", "k seed preset");
GROUP(compare_what, "Comparison", COMPARE_OPTIONS);
GROUP(compare_output, "Output", COMPARE_OUTPUT);

/* ---- hash ------------------------------------------------------------------------ */

GROUP(hash_output, "Output",
    MODEL_OPTION,
    {.name = "codes", .argument = "OUT", .set = cli_set_text, AT(codes_file),
     .help = "write the code of every row: .npy, packed, uint8 (n, BITS / 8 rounded up); or "
             ".csv, .tsv, .jsonl, a number for each bit",
     .file = CLI_ROWS},
    ORDER_OPTION,
    {.name = "proba", .argument = "OUT", .set = cli_set_text, AT(proba_file),
     .help = "write the probability that a bit is 1: .npy, float32 (n, BITS); or .csv, .tsv, "
             ".jsonl", .file = CLI_ROWS},
    FORMAT_OPTION,
    LOG_OPTION,
    REPORT_OPTION,
    JSON_OPTION,
    QUIET_OPTION);

/* ---- the others ----------------------------------------------------------------- */

GROUP(predict_output, "Output",
    {.name = "output", .letter = 'o', .argument = "OUT", .set = cli_set_text,
     AT(output), .help = "write to this file: .npy, .csv, .tsv or .jsonl",
     .fallback = "text on stdout, a line per row", .file = CLI_ROWS},
    JOIN_OPTION,
    CONFIDENCE_OPTION,
    OUTLIERS_OPTION,
    FORMAT_OPTION,
    {.name = "proba", .set = cli_set_flag, AT(proba),
     .help = "probabilities of all clusters instead of labels; of all bits instead of codes"},
    ORDER_OPTION,
    {.name = "text", .set = cli_set_flag, AT(text),
     .help = "print text even if a file was meant: labels, or codes as lines of 0 and 1"});

GROUP(report_output, "Output",
    {.name = "output", .letter = 'o', .argument = "PAGE.html", .set = cli_set_text, AT(output),
     .help = "the page to write", .fallback = "none: must be given", .file = CLI_OUTPUT},
    TRUTH_OPTION("compare with, and to color the map by"),
    {.name = "title", .argument = "TEXT", .set = cli_set_text, AT(title),
     .help = "what stands above the page", .fallback = "what the model has, and the name of DATA"},
    {.name = "map-rows", .argument = "N", .set = cli_set_count, AT(map_rows),
     .help = "at most so many rows are on the map, drawn at random", .fallback = "20000"},
    {.name = "max-size", .argument = "SIZE", .set = cli_set_size, AT(max_size),
     .help = "of the page: bytes, or a number with K or M", .fallback = "5,000,000 bytes"},
    {.name = "seed", .argument = "S", .set = cli_set_seed, AT(options.seed),
     .help = "of the draw, and of the map"},
    QUIET_OPTION);

GROUP(neighbors_output, "Output",
    {.name = "output", .letter = 'o', .argument = "RADIUS", .set = cli_set_text,
     AT(output), .help = "write to this file: .npy, float32; or .csv, .tsv, .jsonl",
     .fallback = "text on stdout, a line per row", .file = CLI_ROWS},
    FORMAT_OPTION,
    {.name = "quiet", .letter = 'q', .set = cli_set_flag, AT(quiet),
     .help = "no progress on stderr"});

GROUP(eval_hash_main, "What to search for in what",
    {.name = "gallery", .argument = "CODES LABELS...", .set = cli_set_list, AT(gallery),
     .many = 1, .help = "codes that are searched, and their classes", .file = CLI_INPUT},
    {.name = "queries", .argument = "CODES LABELS...", .set = cli_set_list, AT(queries),
     .many = 1, .help = "codes that are searched for, and their classes", .file = CLI_INPUT},
    {.name = "split", .argument = "Q", .set = cli_set_count, AT(split),
     .help = "instead of these two: draw Q queries of each class from CODES; the others are "
             "the gallery", .fallback = "none; the paper has 100"},
    {.name = "seed", .argument = "S", .set = cli_set_seed, AT(options.seed),
     .help = "of the draw"});

GROUP(eval_hash_scores, "Scores",
    {.name = "ties", .argument = "RULE", .set = cli_set_choice, AT(hash.ties),
     .noun = "rule for ties",
     .help = "the order of equal distances: block: they are one rank, as scikit-learn has "
             "it; expected: the mean over all orders; id: as in the gallery; trapezoid: the area "
             "below straight lines, as scikit-learn had it before 0.19, and the paper. With "
             "block and trapezoid, precision at N is by id",
     .fallback = "block", .choice = cli_ties_choice},
    {.name = "at", .argument = "N", .set = cli_set_count, AT(hash.at),
     .help = "N of precision at N; all codes if the gallery has fewer"},
    {.name = "radius", .argument = "R", .set = cli_set_count, AT(hash.radius),
     .help = "distance of precision within a radius"},
    {.name = "empty", .argument = "RULE", .set = cli_set_choice, AT(hash.skip_empty),
     .noun = "rule for empty results",
     .help = "queries with nothing within the radius: zero: they count as 0; skip: they are "
             "left out of that mean", .fallback = "zero", .choice = cli_empty_choice});

GROUP(eval_hash_codes, "Codes", BITS_OPTION("eight a byte"), ORDER_OPTION, UNPACKED_OPTION,
    CODES_MEMORY_OPTION);

GROUP(eval_hash_output, "Output", JSON_OPTION,
    {.name = "curves", .argument = "OUT.csv", .set = cli_set_text, AT(curves),
     .help = "write recall and precision within every radius", .file = CLI_OUTPUT});

GROUP(index_main, "Index",
    {.name = "output", .letter = 'o', .argument = "INDEX", .set = cli_set_text, AT(output),
     .help = "the index to write or to change", .fallback = "none: must be given",
     .file = CLI_OUTPUT},
    {.name = "append", .set = cli_set_flag, AT(append),
     .help = "add CODES to the index"},
    {.name = "delete", .argument = "IDS", .set = cli_set_text, AT(delete_ids),
     .help = "take the codes with these ids out of the index (before --append adds others)",
     .file = CLI_INPUT},
    {.name = "wait", .set = cli_set_flag, AT(wait),
     .help = "wait while another process changes the index, rather than give up"});

GROUP(codes_group, "Codes",
    BITS_OPTION("eight a byte; those of the index, if there is one"), ORDER_OPTION,
    IDS_OPTION, UNPACKED_OPTION, CODES_MEMORY_OPTION);

GROUP(queries_group, "Queries", ORDER_OPTION, UNPACKED_OPTION,
    MEMORY_OPTION_OF("an index that is larger is scanned from its file"));

GROUP(search_main, "What to find",
    {.name = "nearest", .letter = 'n', .argument = "N", .set = cli_set_nearest, AT(nearest),
     .help = "the N nearest codes of each query; with -r, those within R of them",
     .fallback = "10, if there is no -r"},
    {.name = "radius", .letter = 'r', .argument = "R", .set = cli_set_count, AT(radius_bits),
     .help = "the codes that differ in at most R bits", .fallback = "any distance"},
    {.name = "method", .argument = "WAY", .set = cli_set_choice, AT(way), .noun = "way to search",
     .help = "scan: every code; mih: tables of parts of codes; auto: the faster one; the "
             "answers are the same",
     .fallback = "auto", .choice = cli_search_choice});

GROUP(search_output, "Output",
    {.name = "output", .letter = 'o', .argument = "IDS", .set = cli_set_text, AT(output),
     .help = "write ids: .npy, int64 (queries, N), -1 where there are fewer; with -r alone, rows "
             "of query, id and distance, int64 (found, 3); or .csv, .tsv, .jsonl",
     .fallback = "a line of JSON a query on stdout", .file = CLI_ROWS},
    {.name = "distances", .argument = "D", .set = cli_set_text, AT(distances),
     .help = "write the distances too: .npy, int32 (queries, N), -1 where there are fewer; or "
             ".csv, .tsv, .jsonl",
     .file = CLI_ROWS},
    FORMAT_OPTION,
    {.name = "json", .set = cli_set_flag, AT(json),
     .help = "with -o, print one JSON object about the search; without, the answers are JSON"});

GROUP(export_main, "What to write",
    {.name = "to", .argument = "PROGRAM", .set = cli_set_choice, AT(to), .noun = "program to export to",
     .help = "faiss: a binary index; postgres: text for COPY; sqlite: a script of SQL",
     .fallback = "none: must be given", .choice = cli_export_choice},
    {.name = "output", .letter = 'o', .argument = "OUT", .set = cli_set_text, AT(output),
     .help = "write to this file", .fallback = "none: must be given", .file = CLI_OUTPUT},
    {.name = "table", .argument = "NAME", .set = cli_set_text, AT(table),
     .help = "name of the table in a database", .fallback = IMSAT_EXPORT_TABLE});

GROUP(fetch_main, "Where",
    {.name = "to", .argument = "DIR", .set = cli_set_text, AT(folder), .file = CLI_FOLDER,
     .help = "the folder for the files, which is made if need be", .fallback = "NAME"},
    {.name = "mirror", .argument = "URL", .set = cli_set_text, AT(mirror),
     .help = "look here first: the address of a folder with copies of the files"});

GROUP(fetch_output, "Output", QUIET_OPTION);

GROUP(prepare_main, "What to make",
    {.name = "from", .argument = "DIR", .set = cli_set_text, AT(folder), .file = CLI_FOLDER,
     .help = "the folder that the files are in", .fallback = "NAME"},
    {.name = "features", .argument = "FORM", .set = cli_set_text, AT(form),
     .help = "what the rows shall be, if there are files for several forms; see Data sets",
     .fallback = "the first whose files are there"},
    {.name = "seed", .argument = "S", .set = cli_set_seed, AT(options.seed),
     .help = "of what is drawn: the warps of omniglot, the stories of reuters"},
    UNPACKED_OPTION);

GROUP(reproduce_main, "What to do",
    {.name = "dataset", .argument = "NAMES", .set = cli_set_text, AT(datasets),
     .help = "only these data sets, with commas between; digits, which is not in the paper, is to "
             "be named", .fallback = "all of the paper's table"},
    {.name = "method", .argument = "NAMES", .set = cli_set_text, AT(methods),
     .help = "only these methods, with commas between", .fallback = "all"},
    {.name = "trials", .argument = "N", .set = cli_set_count, AT(trials),
     .help = "seeds 1 to N of every method that draws",
     .fallback = "3; of sweep and toy 1"},
    {.name = "runs", .argument = "N", .set = cli_set_count, AT(race),
     .help = "with --race: the seeds of a trial; trial t has seeds (t - 1) N + 1 to t N",
     .fallback = "1"},
    {.name = "race", .set = cli_set_flag, AT(racing),
     .help = "each trial of a method of IMSAT or RIM is the winner of a race of its seeds, as "
             "'imsat cluster --race' has it; a cell of a race has a name of its own, and a line "
             "of its own in the table"},
    {.name = "epochs", .argument = "N", .set = cli_set_count, AT(epochs),
     .help = "epochs of each training, to try it", .fallback = "as in the paper"},
    {.name = "data", .argument = "DIR", .set = cli_set_text, AT(folder), .file = CLI_FOLDER,
     .help = "the folder that the files of the data sets are in, each in one of its name or "
             "all together", .fallback = "."},
    UNPACKED_OPTION, MEMORY_OPTION);

GROUP(reproduce_output, "Output",
    {.name = "output", .letter = 'o', .argument = "DIR", .set = cli_set_text, AT(results),
     .file = CLI_FOLDER,
     .help = "the folder for cells, tables and figures, which is made if need be",
     .fallback = "reproduce-WHAT"},
    {.name = "tables", .argument = "FORM", .set = cli_set_choice, AT(tables_form),
     .noun = "form", .choice = cli_table_form_choice, .fallback = "none",
     .help = "train nothing and write nothing: print the table of the cells that DIR has, of "
             "whatever seeds and races, as text, markdown, csv or json"},
    JSON_OPTION, QUIET_OPTION);

#define DATA_FORMAT_OPTION                                                                \
    {.name = "format", .argument = "NAME", .set = cli_set_choice, AT(format),             \
     .noun = "format", .help = "write OUT in this format, whatever its name ends in",     \
     .fallback = "by the ending; npy without one", .choice = cli_output_choice}

#define LABELS_OPTION                                                                     \
    {.name = "labels", .argument = "FILE", .set = cli_set_text, AT(labels),               \
     .help = "write the labels of the rows: .npy, int32; or .csv, .tsv, .jsonl",          \
     .file = CLI_OUTPUT}

#define FEATURES_OUTPUT                                                                   \
    {.name = "output", .letter = 'o', .argument = "OUT", .set = cli_set_text, AT(output), \
     .help = "write the rows, in any format of 'imsat help convert': .npy, or sparse ones " \
             "as .npz, which scipy reads, or .svmlight",                                  \
     .fallback = "none: must be given", .file = CLI_OUTPUT},                              \
    DATA_FORMAT_OPTION, LABELS_OPTION

GROUP(prepare_output, "Output", FEATURES_OUTPUT, JSON_OPTION, QUIET_OPTION);

GROUP(tfidf_main, "Texts", TEXT_OPTIONS, TEXT_COLUMN_OPTION,
    {.name = "label-column", .argument = "C", .set = cli_set_text, AT(data.label_column),
     .help = "JSON lines, CSV: the member or column that is the label"},
    UNPACKED_OPTION, MEMORY_OPTION);

GROUP(tfidf_output, "Output", FEATURES_OUTPUT,
    {.name = "documents", .argument = "FILE", .set = cli_set_text, AT(documents),
     .help = "write which text each row is of, counted from 0 as they were read: .npy, int32; "
             "or .csv, .tsv, .jsonl", .file = CLI_OUTPUT},
    {.name = "vocabulary", .argument = "OUT.txt", .set = cli_set_text, AT(vocabulary),
     .help = "write the words of the columns, one a line", .file = CLI_OUTPUT},
    JSON_OPTION, QUIET_OPTION);

GROUP(gist_main, "Images",
    {.name = "color", .set = cli_set_flag, AT(color),
     .help = "960 values of the three channels, not 512 of their mean"});

GROUP(features_output, "Output", FEATURES_OUTPUT, JSON_OPTION);

GROUP(convert_output, "Output", DATA_FORMAT_OPTION, LABELS_OPTION, JSON_OPTION, QUIET_OPTION);

GROUP(help_main, "What to print",
    {.name = "man", .set = cli_set_flag, AT(man),
     .help = "the manual page imsat(1), for man"},
    {.name = "markdown", .set = cli_set_flag, AT(markdown),
     .help = "the same as Markdown"},
    {.name = "completion", .argument = "SHELL", .set = cli_set_shell,
     .help = "completions for a shell", .choice = cli_shell_choice});

/* clang-format on */

#endif
