/* SPDX-License-Identifier: MIT
 *
 * The commands and their options, said once. The parser, the help, the man page, the
 * completions and docs/cli.md are all made from this page.
 *
 * What the library has a table of (imsat_option_at), the options of training, is not written
 * here: these groups are filled from that table when the program starts.
 */
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
     .help = "CSV: column C holds labels, not data: its number from 0, from the end if "
             "negative, or its name in the header; of a file of several arrays, the name of the "
             "one that holds the labels; of JSON lines, the member"},
    {.name = "columns", .argument = "LIST", .set = cli_set_text, AT(tables.columns),
     .help = "CSV: only these columns are data: numbers as of --label-column, names, and ranges "
             "A-B, with commas between; a name in double quotes may be any", .fallback = "all"},
    {.name = "drop", .argument = "LIST", .set = cli_set_text, AT(tables.drop),
     .help = "CSV: these columns are not data", .fallback = "none, but for one that only numbers "
             "the rows"},
    {.name = "missing", .argument = "WAY", .set = cli_set_choice, AT(tables.missing),
     .noun = "way to treat missing values",
     .help = "CSV: fields that are empty, NA, NaN, null and the like: refuse the file, drop the "
             "row, or fill in the mean or the median of the column", .fallback = "refuse",
     .choice = cli_missing_choice},
    {.name = "categories", .argument = "WAY", .set = cli_set_choice, AT(tables.categories),
     .noun = "way to treat text",
     .help = "CSV: columns of text: refuse the file, make of each of their words a column of 0 "
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
     .help = "texts: a word that occurs n times counts 1 + log(n), not n"}

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

const char cli_output_rule[] =
    "An output called '-' is the standard output; the report, which is printed there otherwise, "
    "then goes to stderr. An output must not be an input or another output.";

const char cli_input_rule[] =
    "An input may be a pipe, or -, the standard input. One that becomes shorter while it is "
    "read is an error, and no output is made of it.";

const cli_command cli_commands[] = {
    {.name = "data fetch", .operands = "NAME", .summary = "download a data set of the paper",
     .about = "NAME is one of the data sets below. The files are those that it is published as, and "
              "have a name when they are whole and their SHA-256 is the published one. Of "
              "reuters the message says where to ask.\n"
              "What was broken off, by the network or by Ctrl-C, is in files called .part; the "
              "same command goes on from there.",
     .examples = "imsat data fetch mnist\n"
                 "imsat data fetch cifar10 --to data/cifar10\n"
                 "imsat data fetch mnist --mirror https://mirror.example/mnist",
     .groups = {&fetch_main, &fetch_output, &help_group}, .max_files = 1,
     .listing = &cli_sets_listing, .words = imsat_sets_name, .run = cli_data_fetch},
    {.name = "data prepare", .operands = "NAME", .required = "--from DIR -o OUT",
     .summary = "make the rows of a data set of the paper from its files",
     .about = "NAME is one of the data sets below. DIR has the files that 'imsat data fetch' "
              "downloads, as they are or unpacked; or it has features that were computed "
              "elsewhere. Rows are made as appendix E of the paper says, training and test "
              "parts together, and their number, classes and columns are printed beside those of "
              "the paper's table 2. Where the paper's features cannot be computed, rows are "
              "what there is, and it says so.",
     .examples = "imsat data prepare mnist --from mnist -o mnist.npz\n"
                 "imsat data prepare 20news --from 20news -o 20news.npz\n"
                 "imsat cluster 20news.npz -k 20 --method linear-rim --preset reference\n"
                 "imsat data prepare cifar10 --from cifar10 --features gist -o gist.npy",
     .groups = {&prepare_main, &prepare_output, &threads_group, &help_group}, .max_files = 1,
     .listing = &cli_forms_listing, .words = imsat_sets_name, .run = cli_data_prepare},
    {.name = "features tfidf", .operands = "TEXTS...", .required = "-o OUT",
     .summary = "make rows of texts: the weights of their words",
     .about = "TEXTS are folders or tar archives with a text a file, the names of the folders "
              "being labels; JSON lines; CSV or TSV files with a header; or files with a text a "
              "line. Words are runs of two or more letters and digits, in lower case. The rows "
              "are tf-idf as scikit-learn's TfidfVectorizer has it, each of length 1.\n"
              "'imsat cluster TEXTS' does the same on its own, and its model keeps the "
              "vocabulary, so that 'imsat predict' takes texts.",
     .examples = "imsat features tfidf 20news-bydate.tar.xz --skip-headers --min-words 10 "
                 "-o 20news.svmlight --labels groups.npy\n"
                 "imsat features tfidf reviews.jsonl --text-column body --label-column stars "
                 "-o reviews.npy",
     .groups = {&tfidf_main, &tfidf_output, &help_group}, .min_files = 1,
     .max_files = (size_t)-1, .run = cli_features_tfidf},
    {.name = "features gist", .operands = "DATA...", .required = "-o OUT",
     .summary = "make rows of images: GIST descriptors",
     .about = "The descriptor of a scene by Oliva and Torralba: the energy that passes 32 Gabor "
              "filters in each of 16 blocks, of the gray image; with --color, 20 filters and "
              "three channels. DATA are images in a file, or folders and tar archives of "
              "pictures.\n"
              "'imsat cluster DATA --gist gray' does the same on its own, and its model keeps "
              "it, so that 'imsat predict' takes images.",
     .examples = "imsat features gist photos/ --image 32x32x3 -o gist.npy\n"
                 "imsat features gist svhn.npy --color -o gist960.npy",
     .groups = {&gist_main, &features_output, &data_group, &threads_group, &help_group},
     .min_files = 1, .max_files = (size_t)-1, .run = cli_features_gist},
    {.name = "features resize", .operands = "DATA...", .required = "--image HxW[xC] -o OUT",
     .summary = "make rows of pictures: their pixels, in one size",
     .about = "DATA are folders and tar archives of PNG, JPEG and WebP pictures, or images in a "
              "file. All become H x W pixels, gray, or color with C = 3, by a triangle filter, "
              "as Pillow's BILINEAR. The .npy file is of uint8, (rows, H, W) or (rows, H, W, C).",
     .examples = "imsat features resize photos/ --image 32x32x3 -o photos.npy --labels y.npy",
     .groups = {&features_output, &data_group, &help_group},
     .min_files = 1, .max_files = (size_t)-1, .run = cli_features_resize},
    {.name = "convert", .operands = "DATA... OUT",
     .summary = "write data in another format",
     .about = "OUT is written in the format that its name ends in: .npy, .npz, .csv, .tsv, .jsonl, "
              ".svmlight (or .svm, .libsvm), .mtx, .idx, .fvecs, .bvecs, .ivecs, .fbin, .u8bin, "
              ".i8bin or .ibin. Several files of DATA are joined in order; texts become rows of "
              "weights of words. Some rows are in memory at a time.\n"
              "Labels come along in .npz, .csv, .tsv, .jsonl and .svmlight. Elements keep their "
              "type where the format has it, and images their shape in .npy, .npz and .idx. Sparse "
              "rows stay sparse in .npz, as scipy.sparse.load_npz reads it, .svmlight and .mtx. "
              "What a format cannot hold, as 0.5 in .bvecs, is refused with its row and column.",
     .examples = "imsat convert rows.npy rows.csv\n"
                 "imsat convert train.svm train.npz\n"
                 "imsat convert digits.csv.gz --label-column 64 --image 8x8 digits.idx --labels "
                 "classes.npy\n"
                 "imsat convert vectors.fvecs - --format jsonl | head",
     .groups = {&convert_output, &data_group, &features_group, &help_group}, .min_files = 2,
     .max_files = (size_t)-1, .last_output = 1, .run = cli_convert},
    {.name = "info", .operands = "FILE",
     .summary = "say what a file of data or codes, a model or an index holds",
     .about = "Prints the shape, type and range of a data file, how many of its values are zero or "
              "missing, and the rows of each label; what a model was trained with; or the size of "
              "an index. What training refuses, NaN and missing values, is counted here, and "
              "columns of text are left out. Of a file with several arrays it lists them. What "
              "may hold codes, uint8 or 0 and 1, is described as both.\n"
              "Files of data are known by what they hold, whatever they are called, and may be "
              "compressed by gzip, zstd, xz or bzip2. All this and the formats below hold for "
              "all commands, and for labels, codes and ids, too.",
     .examples = "imsat info digits.csv.gz --label-column 64\n"
                 "imsat info table.csv --per-column\n"
                 "imsat info arrays.npz:x\n"
                 "imsat info model.safetensors --json\n"
                 "imsat info codes.index",
     .groups = {&info_output, &data_group, &help_group}, .min_files = 1, .max_files = 1,
     .listing = &cli_formats_listing, .run = cli_info},
    {.name = "neighbors", .operands = "DATA...", .required = "[-t T] -o RADIUS",
     .summary = "compute the radius of every point, to use it again",
     .about = "The radius sets how far 'imsat cluster' perturbs a point. It takes time that "
              "grows with the square of the rows, or with their power 1.5 when it is "
              "approximate; computed once, it serves many trainings by "
              "'imsat cluster --radius RADIUS.npy'.\n"
              "Radii are distances between preprocessed rows, so the file belongs to the "
              "data and to the preprocessing: give both commands the same preprocessing "
              "options and the same preset (the default preset centers the data).",
     .examples = "imsat neighbors digits.csv.gz --label-column 64 -t 10 -o radius.npy\n"
                 "imsat cluster digits.csv.gz --label-column 64 -k 10 --radius radius.npy",
     .groups = {&neighbors_main, &neighbors_output, &data_group, &features_group, &preprocessing_group,
                &threads_group, &help_group},
     .min_files = 1, .max_files = (size_t)-1, .run = cli_neighbors},
    {.name = "cluster", .operands = "DATA...", .required = "-k K",
     .summary = "learn K clusters of the rows of DATA",
     .about = "Trains a network that assigns every row to one of K clusters, without labels. "
              "Several files are one data set, their rows in the order given. Options that "
              "are not given keep the values of the preset.\n"
              "The same data, options and seed give the same result, for any number of "
              "threads and across an interruption.",
     .examples = "imsat cluster digits.csv.gz --label-column 64 -k 10 -o model.safetensors\n"
                 "imsat cluster train.npy -k 20 --runs 5 --labels labels.npy\n"
                 "imsat cluster train.npy -k 10 --checkpoint state --resume -o "
                 "model.safetensors\n"
                 "imsat cluster images.idx.gz -k 10 --truth classes.idx.gz --preset reference",
     .groups = {&cluster_main, &cluster_output, &data_group, &features_group, &preprocessing_group,
                &cluster_network, &cluster_objective, &cluster_augmentation,
                &cluster_training, &cluster_restarts, &cluster_work, &help_group},
     .min_files = 1, .max_files = (size_t)-1, .learns = 1, .run = cli_train},
    {.name = "compare", .operands = "DATA...", .required = "-k K",
     .summary = "say which method to trust on DATA, without labels",
     .about = "Runs methods on at most 2000 rows, and on rows without clusters, and says whether "
              "there are clusters at all, which method to take and why. docs/choice.md says how "
              "to read the table.",
     .examples = "imsat compare table.csv -k 3 --standardize\n"
                 "imsat compare table.csv -k 2-12\n"
                 "imsat compare digits.csv.gz --label-column 64 -k 10 -o compare.json",
     .groups = {&compare_main, &compare_what, &compare_output, &data_group, &features_group,
                &preprocessing_group, &threads_group, &help_group},
     .min_files = 1, .max_files = (size_t)-1, .run = cli_compare},
    {.name = "hash", .operands = "DATA...", .required = "-b BITS",
     .summary = "learn binary codes of the rows of DATA",
     .about = "Trains a network that gives every row a code of BITS bits, without labels, such "
              "that rows that are alike have codes that differ in few bits. 'imsat predict' "
              "makes the codes of new rows.\n"
              "A bit is 1 where its probability is above 0.5. Codes are packed, eight bits a "
              "byte; the bits behind the last one are 0.\n"
              "The same data, options and seed give the same result, for any number of "
              "threads and across an interruption.",
     .examples = "imsat hash digits.csv.gz --label-column 64 -b 16 -o model.safetensors\n"
                 "imsat hash train.npy -b 64 --codes codes.npy\n"
                 "imsat hash train.npy -b 64 --checkpoint state --resume -o model.safetensors",
     .groups = {&hash_main, &hash_output, &data_group, &features_group, &preprocessing_group, &hash_network,
                &hash_objective, &hash_augmentation, &hash_training, &hash_restarts, &hash_work,
                &help_group},
     .min_files = 1, .max_files = (size_t)-1, .learns = 1, .task = IMSAT_TASK_HASH, .run = cli_train},
    {.name = "predict", .operands = "MODEL DATA...", .required = "[-o OUT]",
     .summary = "label or encode new rows with a trained model",
     .about = "Applies the preprocessing that the model keeps, so DATA is given as it was for "
              "training; columns of tables are found by their names, in any order, and others "
              "are ignored with a note. The result of a row does not depend on the other rows. "
              "A model of 'imsat cluster' gives labels, int32; one of 'imsat hash' packed codes, "
              "uint8 (n, BITS / 8 rounded up), or lines of 0 and 1 as text.\n"
              "Results are written as they are made: memory does not grow with the number of "
              "rows, and a file may be larger than memory. Ctrl-C leaves no file. In .csv, .tsv and "
              ".jsonl a code is a number for each bit, whatever --bit-order says.",
     .examples = "imsat predict model.safetensors new.csv > labels.txt\n"
                 "imsat predict hash.safetensors new.npy -o codes.npy --bit-order lsb\n"
                 "imsat predict model.safetensors new.npy --proba -o proba.csv",
     .groups = {&predict_output, &data_group, &threads_group, &help_group},
     .min_files = 2, .max_files = (size_t)-1, .run = cli_predict},
    {.name = "report", .operands = "MODEL DATA...", .required = "-o PAGE.html",
     .summary = "make a page to look at: what a model found in DATA",
     .about = "Writes one HTML file for any browser, which needs no network and no other file: "
              "what was found and how far to trust it, a map of the rows, of each cluster its "
              "typical, borderline and strange rows (as pictures, as texts, or by the columns in "
              "which it differs), sizes, classes if there is a truth, and of codes a search to "
              "try.\n"
              "Rows are images if the file says so, or --image does. Texts are shown if DATA are "
              "the texts. 'imsat cluster --report' and 'imsat hash --report' write the same page "
              "after training, with the curves of the training.",
     .examples = "imsat report model.safetensors digits.csv.gz --image 8x8 -o report.html\n"
                 "imsat report model.safetensors new.npy --truth classes.npy -o report.html",
     .groups = {&report_output, &data_group, &threads_group, &help_group},
     .min_files = 2, .max_files = (size_t)-1, .run = cli_page},
    {.name = "index", .operands = "CODES...", .required = "-o INDEX",
     .summary = "make an index of codes, for 'imsat search'",
     .about = "CODES are files of data ('imsat help info') of uint8, (rows, bytes), as "
              "numpy.packbits(x, axis=1) makes them, or of 0 and 1, a column for each bit; "
              "several are joined in order. The index is one file, which "
              "'imsat search' maps and shares between processes.\n"
              "--append adds to the end of the file, so it takes as long as there are codes to "
              "add; now and then it merges what was added, and writes the file anew. --delete "
              "always does. At any moment, also for those who search it, INDEX is the index "
              "before or after a change, whole. One process at a time changes it; others are "
              "told so, or wait with --wait.",
     .examples = "imsat index codes.npy -o codes.index\n"
                 "imsat index codes.npy --bits 12 --ids ids.txt -o codes.index\n"
                 "imsat index --append more.npy --wait -o codes.index\n"
                 "imsat index --delete old_ids.txt -o codes.index",
     .groups = {&index_main, &codes_group, &help_group}, .max_files = (size_t)-1,
     .run = cli_index},
    {.name = "search", .operands = "INDEX QUERIES...", .required = "[-n N | -r R]",
     .summary = "find the codes nearest to queries, exactly",
     .about = "QUERIES are files of codes as 'imsat index' reads them, or '-': lines of 0 and "
              "1 on the standard input. Distances are numbers of different bits. Answers are "
              "nearest first, equal distances by id, and the same for any method and number "
              "of threads.",
     .examples = "imsat search codes.index queries.npy -n 10 -o ids.npy --distances d.npy\n"
                 "imsat search codes.index queries.npy -r 2\n"
                 "echo 0110100110010110 | imsat search codes.index - -n 5",
     .groups = {&search_main, &search_output, &queries_group, &threads_group, &help_group},
     .min_files = 2, .max_files = (size_t)-1, .run = cli_search},
    {.name = "export", .operands = "CODES...", .required = "--to PROGRAM -o OUT",
     .summary = "write codes for FAISS, PostgreSQL or SQLite",
     .about = "Writes codes and ids in a form that another program loads, and prints how. "
              "FAISS and SQLite get the bytes of CODES as they are, PostgreSQL the bits from "
              "first to last. FAISS has whole bytes only: zero bits fill up the last one. Ctrl-C "
              "leaves no file.",
     .examples = "imsat export codes.npy --to faiss -o codes.faiss\n"
                 "imsat export codes.npy --ids ids.npy --to postgres -o codes.copy\n"
                 "imsat export codes.npy --to sqlite --table images -o codes.sql",
     .groups = {&export_main, &codes_group, &help_group}, .min_files = 1,
     .max_files = (size_t)-1, .run = cli_export},
    {.name = "eval cluster", .operands = "PREDICTED TRUTH...",
     .summary = "compare cluster labels with true labels",
     .about = "Both are labels, one a row: one column of any format of data ('imsat help info'). "
              "Several files of TRUTH are joined in order. Names of labels do not matter, "
              "only which rows are together.",
     .examples = "imsat eval cluster labels.npy classes.csv",
     .groups = {&json_group, &labels_group, &help_group}, .min_files = 2,
     .max_files = (size_t)-1, .run = cli_eval_cluster},
    {.name = "eval hash", .operands = "(CODES LABELS... --split Q |",
     .required = "--gallery CODES LABELS... --queries CODES LABELS...)",
     .summary = "score the search of codes by their classes",
     .about = "Every query is compared with every code of the gallery; a code is relevant if "
              "it has the query's class. Prints the mean average precision (mAP), the "
              "precision among the N nearest, and the precision within a radius.\n"
              "CODES is a file of uint8, a packed code a row, or of 0 and 1. LABELS are one column of "
              "any format of data ('imsat help info'); several are joined in order. Codes come either as "
              "a gallery and queries, or all together, and --split draws the queries.",
     .examples = "imsat eval hash codes.npy classes.idx.gz --split 100\n"
                 "imsat eval hash --gallery codes.npy classes.csv --queries new.npy "
                 "new_classes.csv\n"
                 "imsat eval hash codes.npy classes.csv --split 100 --bits 12 --ties expected "
                 "--json",
     .groups = {&eval_hash_main, &eval_hash_scores, &eval_hash_codes, &eval_hash_output,
                &threads_group, &help_group},
     .max_files = (size_t)-1, .run = cli_eval_hash},
    {.name = "help", .operands = "[COMMAND]", .summary = "explain a command",
     .about = "Prints the commands, the options of one command, or the whole as a manual "
              "page, Markdown or completions for a shell.",
     .examples = "imsat help cluster\n"
                 "imsat help --man > imsat.1\n"
                 "source <(imsat help --completion bash)",
     .groups = {&help_main, &help_group}, .max_files = 2, .run = cli_help},
};
const size_t cli_commands_count = sizeof cli_commands / sizeof cli_commands[0];
