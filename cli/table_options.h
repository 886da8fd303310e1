/* SPDX-License-Identifier: MIT
 *
 * Options that several commands have, for table.c, whose notation this is. */
#ifndef IMSAT_CLI_TABLE_OPTIONS_H
#define IMSAT_CLI_TABLE_OPTIONS_H

/* A table reads better as one. */
/* clang-format off */

#define JSON_OPTION                                                                       \
    {.name = "json", .set = cli_set_flag, AT(json),                                       \
     .help = "print one JSON object instead of text"}

#define FORMAT_OPTION                                                                     \
    {.name = "format", .argument = "NAME", .set = cli_set_choice, AT(format),             \
     .noun = "format", .help = "write rows of results as npy, csv, tsv or jsonl whatever the names of the " \
             "files end in", .fallback = "by the endings; npy without one",               \
     .choice = cli_format_choice}

#define JOIN_OPTION                                                                       \
    {.name = "join", .argument = "FILE", .set = cli_set_text, AT(join),                   \
     .help = "clusters: write the rows of DATA with four columns beside them: label, confidence, " \
             "distance and outlier, as below. Rows of CSV, TSV and JSON lines are copied as they " \
             "are written to a file of the same kind; others become columns of numbers",  \
     .file = CLI_OUTPUT}

#define CONFIDENCE_OPTION                                                                 \
    {.name = "confidence", .argument = "OUT", .set = cli_set_text, AT(confidence),        \
     .help = "clusters: write how far every label is to be trusted, 0 to 1: the share of the rows " \
             "near it, and of the runs, that have the same: .npy, float32; or .csv, .tsv, .jsonl", \
     .file = CLI_ROWS}

#define OUTLIERS_OPTION                                                                   \
    {.name = "outliers", .argument = "OUT", .set = cli_set_text, AT(outliers),            \
     .help = "clusters: write how far every row is from the training data, in units of its radius " \
             "sigma_t, and 1 where it is unlike all of it, else 0: .npy, float32 (n, 2); or .csv, " \
             ".tsv, .jsonl", .file = CLI_ROWS}

#define MODEL_OPTION                                                                      \
    {.name = "output", .letter = 'o', .argument = "MODEL", .set = cli_set_text,           \
     AT(output), .help = "save the trained model, for 'imsat predict'", .file = CLI_OUTPUT}

#define LOG_OPTION                                                                        \
    {.name = "log", .argument = "FILE.jsonl", .set = cli_set_text, AT(log),               \
     .help = "write one line of JSON after every epoch; with --resume, append",           \
     .file = CLI_LOG}

#define REPORT_OPTION                                                                     \
    {.name = "report", .argument = "PAGE.html", .set = cli_set_text, AT(page),            \
     .help = "write a page to look at, one file for any browser, as 'imsat report' does",     \
     .file = CLI_OUTPUT}

#define TRUTH_OPTION(what)                                                                \
    {.name = "truth", .argument = "FILE", .set = cli_set_list, AT(truth),                 \
     .help = "true labels, only to " what "; several are joined in order",                \
     .file = CLI_INPUT}

#define QUIET_OPTION                                                                      \
    {.name = "quiet", .letter = 'q', .set = cli_set_flag, AT(quiet),                      \
     .help = "no progress on stderr, no hints"}

#define UNPACKED_OPTION                                                                   \
    {.name = "max-unpacked", .argument = "SIZE", .set = cli_set_size, AT(max_unpacked),   \
     .help = "refuse a compressed file that takes more memory than this: bytes, or a "    \
             "number with K, M, G or T",                                                  \
     .fallback = "half of the memory, at least 1G"}

#define MEMORY_OPTION_OF(way)                                                             \
    {.name = "memory", .argument = "SIZE", .set = cli_set_size, AT(memory),               \
     .help = "hold no more memory than this, as in 2G, pages of files included: " way     \
             "; what cannot be done so is refused",                                       \
     .fallback = "what there is"}

#define MEMORY_OPTION MEMORY_OPTION_OF("rows are read from their files again and again")

#define CODES_MEMORY_OPTION MEMORY_OPTION_OF("codes are all in memory, files are not")

#define TEXT_COLUMN_OPTION                                                                \
    {.name = "text-column", .argument = "NAME", .set = cli_set_text, AT(texts.text_column), \
     .help = "JSON lines, CSV: the member or column that is a text; of a CSV file it says that " \
             "there is one", .fallback = "text"}

#define BUDGET_OPTION                                                                     \
    {.name = "budget", .argument = "SECONDS", .set = cli_set_nearest, AT(budget),         \
     .help = "begin nothing, and go on with no training, after this time", .fallback = "120"}

/* What to compare, and how it is told. */
#define COMPARE_OPTIONS                                                                   \
    {.name = "methods", .argument = "LIST", .set = cli_set_text, AT(methods),             \
     .help = "names of methods of 'imsat cluster', with commas between",                  \
     .fallback = "kmeans,gmm,spectral,imsat-vat; no gmm of more than 100 columns"},       \
    BUDGET_OPTION

#define COMPARE_OUTPUT                                                                    \
    {.name = "output", .letter = 'o', .argument = "FILE.json", .set = cli_set_text,       \
     AT(output), .help = "write the comparison as JSON, too", .file = CLI_LOG},           \
    TRUTH_OPTION("score the methods"), JSON_OPTION, QUIET_OPTION

/* clang-format on */

#endif
