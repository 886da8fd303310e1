/* SPDX-License-Identifier: MIT
 *
 * The commands and their options, said once. The parser, the help, the man page, the
 * completions and docs/cli.md are all made from this page and table_groups.h.
 *
 * What the library has a table of (imsat_option_at), the options of training, is not written
 * here: these groups are filled from that table when the program starts.
 */
#include "table_groups.h"

/* A table reads better as one. */
/* clang-format off */

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
    {.name = "reproduce", .operands = "WHAT",
     .summary = "run an experiment of the paper, and print its table with ours beside it",
     .about = "WHAT is one of the experiments below. It prepares data as 'imsat data prepare' does, "
              "trains every method of the table under the preset reference, scores it, and prints "
              "for each cell the paper's figure and ours: mean and deviation over the trials, and "
              "how many of the paper's deviations lie between. DIR then has table.txt, table.md, "
              "table.csv and table.json, and figure.svg of omniglot, sweep and toy. Codes are scored by the "
              "paper's mAP, the rule of ties trapezoid, and by that of equal distances as one "
              "rank.\n"
              "A cell that is finished is a file in DIR, and one that is not has a checkpoint there: "
              "stopped at any moment, the same command goes on, and ends with the same table. The "
              "model of dae-kmeans stays there, too: dec on the same data and seed takes its "
              "auto-encoder.",
     .examples = "imsat reproduce toy\n"
                 "imsat reproduce clustering --dataset mnist --data data -o tables\n"
                 "imsat reproduce hash16 --dataset mnist --method imsat-vat,deep-rim --trials 3\n"
                 "imsat reproduce sweep --dataset digits --data data",
     .groups = {&reproduce_main, &reproduce_output, &threads_group, &help_group}, .max_files = 1,
     .listing = &cli_experiments_listing, .words = cli_experiment_choice,
     .run = cli_reproduce},
    {.name = "features tfidf", .operands = "TEXTS...", .required = "-o OUT",
     .summary = "make rows of texts: the weights of their words",
     .about = "TEXTS are folders or tar archives with a text a file, the names of the folders "
              "being labels; JSON lines; CSV or TSV files with a header; or files with a text a "
              "line. Words are runs of two or more letters and digits, in lower case. The rows "
              "are tf-idf as scikit-learn's TfidfVectorizer has it, each of length 1 unless "
              "--keep-length is given.\n"
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
              "which it differs), sizes, classes if there is a truth, the curves of the training, "
              "and of codes a search to try.\n"
              "Rows are images if the file says so, or --image does. Texts are shown if DATA are "
              "the texts. 'imsat cluster --report' and 'imsat hash --report' write the same page "
              "after training.",
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
