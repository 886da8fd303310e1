/* SPDX-License-Identifier: MIT
 *
 * The program `imsat`: what its files share.
 *
 * table.c says once what the commands and their options are. Everything else reads it:
 * args.c parses a command line by it; help.c, man.c, markdown.c and completion.c print it.
 * A command is one entry of cli_commands and one function `run`.
 *
 * The program knows the library by its public headers alone.
 */
#ifndef IMSAT_CLI_H
#define IMSAT_CLI_H

#include "imsat/describe.h"
#include "imsat/features.h"
#include "imsat/output.h"
#include "imsat/report.h"
#include "imsat/search.h"

#include <stdio.h>

/* Exit codes. A run that a signal stopped exits with 128 + the signal's number. */
enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

/* ---- what a command line says ------------------------------------------------ */

/* Words of the command line. The array is owned, the words are argv's. */
typedef struct cli_list {
    const char **items;
    size_t count;
} cli_list;

typedef struct cli_option cli_option;

/* An option as it was given. */
typedef struct cli_given {
    const cli_option *option;
    const char *value; /* NULL for a flag, "no" for --no-flag */
    int by_letter;     /* given as -k, not as --clusters */
} cli_given;

/* Every option of every command has its place here. */
typedef struct cli_args {
    cli_given *given; /* owned: the options of the line, in order */
    size_t given_count;
    cli_list files;         /* what is not an option, in order */
    cli_list truth;         /* --truth, once or more */
    cli_list gallery;       /* --gallery: codes, then labels */
    cli_list queries;       /* --queries: the same */
    const char *output;     /* -o */
    const char *labels;     /* --labels */
    const char *codes_file; /* --codes */
    const char *proba_file; /* --proba of `cluster` and `hash` */
    const char *radius, *prior, *log;
    const char *join;       /* --join */
    const char *confidence; /* --confidence */
    const char *outliers;   /* --outliers */
    const char *page;       /* --report */
    const char *title;      /* --title */
    size_t map_rows;        /* --map-rows; 0: not given */
    size_t max_size;        /* --max-size; 0: not given */
    const char *curves;     /* --curves */
    int proba;              /* --proba of `predict` */
    int text;               /* --text of `predict` */
    int per_column;         /* --per-column */
    int format;             /* --format: of outputs of rows; 0: by their endings */
    int json, quiet, help;
    size_t max_unpacked; /* --max-unpacked; 0: not given */
    size_t memory;       /* --memory; 0: not given */
    int man, markdown;
    const char *completion;
    imsat_data_options data;
    imsat_table_options tables;
    imsat_text_options texts; /* its label column is that of `data` */
    int gist;                 /* --gist: 0: none; 1: gray; 2: color */
    int color;                /* --color of `features gist` */
    const char *documents;    /* --documents */
    const char *vocabulary;   /* --vocabulary */
    imsat_options options;    /* the preset's values, then what the line sets */
    imsat_codes_options codes;
    const char *ids;                  /* --ids */
    const char *delete_ids;           /* --delete */
    int append;                       /* --append */
    int wait;                         /* --wait */
    size_t nearest;                   /* -n; 0: not given */
    size_t radius_bits;               /* -r; IMSAT_ANY_DISTANCE: not given */
    const char *distances;            /* --distances */
    imsat_search_method way;          /* --method of `search` */
    int to;                           /* --to: an imsat_export_format, or -1 */
    const char *table;                /* --table */
    imsat_evaluate_hash_options hash; /* its threads are those of `options` */
    size_t split;                     /* --split; 0: none */
    const char *folder;    /* --to of `data fetch`, --from of `data prepare`, --data */
    const char *results;   /* -o of `reproduce`: a folder */
    const char *datasets;  /* --dataset of `reproduce` */
    size_t trials, epochs; /* of `reproduce`; 0: not given */
    size_t race;           /* --runs of `reproduce`; 0: not given */
    int racing;            /* --race of `reproduce` */
    int tables_form;       /* --tables of `reproduce`; 0: none, and from 1 a form */
    const char *form;      /* --features of `data prepare` */
    const char *mirror;    /* --mirror */
    size_t k_from, k_to;   /* -k 2-12; 0: one number was given, or none */
    int k_auto;            /* -k auto: no larger ones than rows allow */
    const char *methods;   /* --methods of `compare`, --method of `reproduce` */
    size_t budget;         /* --budget, in seconds; 0: not given */
    FILE *report; /* where the result is told: stdout, or stderr if an output is there */
} cli_args;

void cli_args_clear(cli_args *args);

/* ---- the table --------------------------------------------------------------- */

/* Put value into args. value is NULL for a flag, "no" for a toggle that was negated.
 * Returns 0, or -1 and what is wrong with the value: "not a number". */
typedef int cli_setter(cli_args *args, const cli_option *option, const char *value,
                       imsat_error *why);

/* What the program does with a file that an option names. The names of inputs and outputs are
 * text or a list in cli_args, at the option's offset. */
typedef enum cli_file {
    CLI_NO_FILE,
    CLI_FOLDER, /* the command looks after what it puts there */
    CLI_INPUT,
    CLI_OUTPUT, /* is replaced by a whole file, or written to if it is a stream */
    CLI_ROWS,   /* the same, of rows, in one of the formats of results */
    CLI_LOG,    /* is written to in place, line by line */
    CLI_STATE   /* is replaced again and again, and read */
} cli_file;

/* Word i that the option accepts; NULL past the last. */
typedef const char *cli_choice(size_t i);

struct cli_option {
    const imsat_option *library; /* the library's row of it, or NULL */
    imsat_task task;             /* and whose defaults help shows */
    const char *name;            /* without the dashes */
    char letter;                 /* or 0 */
    const char *argument;        /* how help names the value; NULL: a flag */
    cli_setter *set;
    size_t offset;        /* of the setter's target in cli_args */
    int toggle;           /* a flag that has a --no- form too */
    int early;            /* the preset and the method: set before all other options */
    int many;             /* takes all words up to the next option */
    const char *help;     /* one sentence, no full stop */
    const char *fallback; /* the default in words; NULL: none, or as printed by
                             cli_option_default() from the default preset */
    cli_file file;        /* what its value is; shells complete names of files */
    cli_choice *choice;   /* shells complete these words; may be NULL */
    const char *noun;     /* what a choice is called: "bit order" */
};

/* A group is a list in table.c, or is filled from the library's table when the program starts:
 * a section of it, as far as a method uses it, or the options named. It may be empty. */
typedef struct cli_group {
    const char *title;
    const cli_option *options;
    size_t count;
    int from_section; /* not 0: the options of `section` for `task`, and its title */
    imsat_section section;
    imsat_task task;
    const char *library; /* or these names, between blanks */
} cli_group;

enum { CLI_MAX_GROUPS = 14, CLI_LISTING_ROOM = 768 };

/* What there is of something: entry i has a name, which is returned, and a text. NULL past the
 * last. */
typedef struct cli_listing {
    const char *title;
    const char *(*entry)(size_t i, char text[CLI_LISTING_ROOM]);
} cli_listing;

extern const cli_listing cli_formats_listing;     /* help.c */
extern const cli_listing cli_sets_listing;        /* cmd_data.c */
extern const cli_listing cli_forms_listing;       /* cmd_prepare.c */
extern const cli_listing cli_experiments_listing; /* cmd_reproduce.c */

typedef struct cli_command cli_command;
struct cli_command {
    const char *name;                  /* one word, or two: "eval cluster" */
    const char *operands;              /* "DATA..." */
    const char *required;              /* options that the synopsis shows: "-k K" */
    const char *summary;               /* one line */
    const char *about;                 /* a paragraph or more, '\n' between paragraphs */
    const char *examples;              /* lines */
    cli_group *groups[CLI_MAX_GROUPS]; /* NULL after the last */
    size_t min_files, max_files;
    const cli_listing *listing; /* what help lists behind the options, or NULL */
    cli_choice *words;          /* what the operand is one of, or NULL: names of files */
    int last_output;            /* not 0: the last operand is an output */
    int learns;      /* trains a method: options that the method does not use are refused */
    imsat_task task; /* whose defaults the options start from */
    int (*run)(const cli_command *command, cli_args *args); /* returns the exit code */
};

extern const cli_command cli_commands[]; /* in the order of the pipeline */
extern const size_t cli_commands_count;

/* What holds for the outputs, and for the inputs, of all commands, for help. */
extern const char cli_output_rule[];
extern const char cli_input_rule[];

/* The commands' functions. */
int cli_train(const cli_command *command, cli_args *args); /* cluster and hash */
int cli_predict(const cli_command *command, cli_args *args);
int cli_page(const cli_command *command, cli_args *args);
int cli_compare(const cli_command *command, cli_args *args);
int cli_eval_cluster(const cli_command *command, cli_args *args);
int cli_eval_hash(const cli_command *command, cli_args *args);
int cli_neighbors(const cli_command *command, cli_args *args);
int cli_index(const cli_command *command, cli_args *args);
int cli_search(const cli_command *command, cli_args *args);
int cli_export(const cli_command *command, cli_args *args);
int cli_data_fetch(const cli_command *command, cli_args *args);
int cli_data_prepare(const cli_command *command, cli_args *args);
int cli_reproduce(const cli_command *command, cli_args *args);
int cli_features_tfidf(const cli_command *command, cli_args *args);
int cli_features_gist(const cli_command *command, cli_args *args);
int cli_features_resize(const cli_command *command, cli_args *args);
int cli_convert(const cli_command *command, cli_args *args);
int cli_info(const cli_command *command, cli_args *args);
int cli_info_data(const cli_command *command, const cli_args *args, const char *path);
int cli_help(const cli_command *command, cli_args *args);

/* ---- setters (set.c) --------------------------------------------------------- */

cli_setter cli_set_flag, cli_set_text, cli_set_list, cli_set_count, cli_set_size, cli_set_seed,
    cli_set_image, cli_set_nearest, cli_set_bits, cli_set_choice, cli_set_shell;
cli_choice cli_shell_choice, cli_order_choice, cli_search_choice, cli_export_choice,
    cli_ties_choice, cli_empty_choice, cli_gist_choice, cli_missing_choice,
    cli_categories_choice, cli_format_choice, cli_output_choice, cli_experiment_choice,
    cli_table_form_choice;

/* A whole number from text; 0, or -1 and what is wrong with it. */
int cli_read_count(size_t *out, const char *text, imsat_error *why);

/* The default that help shows for an option, or NULL. May be written to buffer. */
const char *cli_option_default(const cli_option *option, char *buffer, size_t size);

/* ---- the library's options (library.c) ---------------------------------------- */

/* Fill the groups of all commands that are made from the library's table. */
void cli_library_fill(void);

/* The method that has no use for the option, or NULL if it has. */
const char *cli_library_unused(const cli_option *option, const imsat_options *options);

/* ---- data (inputs.c, cmd_data.c) ----------------------------------------------- */

/* Tell what was noted on data as it was read. */
void cli_notes(const cli_command *command, const cli_args *args, const imsat_data *data);

/* Open the operands of a line: as rows of numbers, or as texts, if that is what they hold;
 * with
 * --gist, what is made of images. */
imsat_status cli_data_open(const cli_command *command, const cli_args *args, imsat_data **out,
                           imsat_error *err);

/* Say so if columns of a table differ in scale by far, and nothing was asked for that would
 * make them alike. Returns the exit code. */
int cli_note_scales(const cli_command *command, const cli_args *args, const imsat_data *data);

/* The true labels of the data: of --truth, or of its own labels. */
typedef struct cli_truth {
    const int32_t *labels;    /* (n); NULL: there are none */
    const char *const *words; /* what the labels 0, 1, ... are called, or NULL */
    int32_t *read;            /* those of --truth */
    char **read_words;
} cli_truth;

/* Read --truth, to a zeroed struct. Returns the exit code. */
int cli_truth_read(cli_truth *truth, const cli_command *command, const cli_args *args,
                   const imsat_data *data);
void cli_truth_clear(cli_truth *truth);

/* Open them as texts, whatever they look like. */
imsat_status cli_texts_open(const cli_command *command, const cli_args *args, imsat_data **out,
                            imsat_error *err);

/* Check that the operand is a data set of the paper. Returns the exit code. */
int cli_sets_check(const cli_command *command, const cli_args *args);

/* How many different labels there are, and in *largest, which may be NULL, how many rows have
 * the one that most have. 0 if there are none, or no memory. */
size_t cli_count_classes(const int32_t *labels, size_t n, size_t *largest);

/* ---- parsing (args.c, suggest.c) --------------------------------------------- */

/* Find the command that argv[0..] begins with; *words receives how many words it took. On
 * failure says why on stderr and returns NULL. */
const cli_command *cli_find_command(int argc, const char *const *argv, int *words);

/* Fill args from the words after the command. Returns CLI_OK, or CLI_USAGE after a message. */
int cli_parse(cli_args *args, const cli_command *command, int argc, char **argv);

/* The choice nearest to word by edit distance, or NULL if none is near. */
const char *cli_nearest(const char *word, const char *const *choices, size_t count);

/* The choice called word: its number, or -1 and a message that offers the nearest. */
int cli_find_choice(cli_choice *choice, const char *word, const char *noun, imsat_error *why);

/* ---- printing the table ------------------------------------------------------ */

void cli_print_commands(FILE *out);
void cli_print_help(FILE *out, const cli_command *command);
void cli_print_man(FILE *out);
void cli_print_markdown(FILE *out);
void cli_print_completion(FILE *out, const char *shell);

/* "imsat cluster DATA... -k K [options]" */
void cli_print_synopsis(FILE *out, const cli_command *command);

/* "-k, --clusters K" or "--[no-]center" */
void cli_option_title(char *buffer, size_t size, const cli_option *option);

/* Visit the words that an option accepts with one line on each; NULL where there is none. */
const char *cli_choice_summary(const cli_option *option, size_t i);

/* ---- messages (message.c) ---------------------------------------------------- */

/* "imsat cluster: ..." on stderr. command may be NULL. */
__attribute__((format(printf, 2, 3))) void cli_say(const cli_command *command,
                                                   const char *format, ...);

/* The same, with a line that names the help; returns CLI_USAGE. */
__attribute__((format(printf, 2, 3))) int cli_usage(const cli_command *command,
                                                    const char *format, ...);

/* Write a message to why and return -1. */
__attribute__((format(printf, 2, 3))) int cli_refuse(imsat_error *why, const char *format,
                                                     ...);

/* Say what the library said; returns CLI_FAILED. */
int cli_failed(const cli_command *command, const imsat_error *err);

/* Flush stdout; CLI_FAILED with a message if what was printed did not get out. A reader
 * that closed the pipe early is no failure. */
int cli_flush(const cli_command *command);

/* ---- signals (signals.c) ----------------------------------------------------- */

/* From here on the first SIGINT, SIGTERM or SIGHUP is only noted; a second one kills. A SIGHUP
 * that is ignored, as under nohup, stays so. */
void cli_signals_catch(void);

/* The signal that was noted, or 0. */
int cli_signal_caught(void);

/* What a person calls it. */
const char *cli_signal_name(void);

/* ---- progress (progress.c) --------------------------------------------------- */

typedef struct cli_progress {
    FILE *log; /* one JSON line an epoch; NULL: none */
    imsat_task task;
    const char *method;
    int log_error;    /* errno of the first line that could not be written */
    int quiet;        /* nothing on stderr */
    int race;         /* of several runs one is trained to the end */
    const char *lead; /* what a work of many trainings is at: it begins each line, and where
                         there is no terminal a line comes each minute. NULL: one training */
    double told;      /* when the last such line came */
    int terminal;     /* one line, rewritten; otherwise a line per stage and run */
    double stage_start, run_start, drawn; /* seconds, of a clock that never goes back */
    double share_start;        /* of the stage that was done when it started: after --resume */
    size_t drawn_columns;      /* of the line that is on the terminal now */
    imsat_progress last;       /* the latest call */
    imsat_progress epoch;      /* the latest call that ended an epoch, */
    double terms[IMSAT_TERMS]; /* and its terms */
    int seen;                  /* whether there was a call */
} cli_progress;

/* Set up, and have options call it. */
void cli_progress_start(cli_progress *progress, imsat_options *options, int quiet);

/* Whether training was reached, so that there is a state to save. */
int cli_progress_trained(const cli_progress *progress);

/* Seconds of a clock that only runs forward. */
double cli_seconds(void);

/* Erase the line, or say how the last stage ended. `whole`: it was not cut short. */
void cli_progress_finish(cli_progress *progress, int whole);

/* ---- JSON (json.c) ----------------------------------------------------------- */

/* An object that is being filled. Failures are kept until cli_json_print(). */
typedef struct cli_json cli_json;

cli_json *cli_json_new(void);
void cli_json_free(cli_json *object);
void cli_json_text(cli_json *object, const char *name, const char *value);
void cli_json_number(cli_json *object, const char *name, double value);
void cli_json_count(cli_json *object, const char *name, uint64_t value);
void cli_json_counts(cli_json *object, const char *name, const size_t *values, size_t n);
void cli_json_ids(cli_json *object, const char *name, const int64_t *values, size_t n);
void cli_json_distances(cli_json *object, const char *name, const int32_t *values, size_t n);

/* The terms (IMSAT_TERMS) that a method's objective has for a task, each under its name, and
 * the weight mu, if it has one. */
void cli_json_terms(cli_json *object, const char *method, imsat_task task, const double *term,
                    double mu);

/* Print numbers with 17 digits, so that they read back to the same bits, not with 10. */
void cli_json_exact(cli_json *object);

/* Move child, which is freed, into object: as a member, or at the end of a list. */
void cli_json_member(cli_json *object, const char *name, cli_json *child);
void cli_json_append(cli_json *object, const char *name, cli_json *child);
void cli_json_append_text(cli_json *object, const char *name, const char *value);

/* Print the object on one line; 0, or -1 if memory ran out on the way or the stream failed. */
int cli_json_line(FILE *out, const cli_json *object);

/* Print the object as the report, over several lines, and free it. Returns the exit code,
 * after a message if memory ran out; whether it got out is for cli_flush() to say. */
int cli_json_finish(const cli_command *command, const cli_args *args, cli_json *object);

/* ---- columns of tables (columns.c) ---------------------------------------------- */

/* A column of data for a message: its name, or its number from 0. Returns text. */
enum { CLI_NAME_ROOM = 64 };
const char *cli_column_name(char text[CLI_NAME_ROOM], const imsat_data *data, size_t column);

/* What a model keeps of the tables that it was trained on; nothing if it was on none. */
void cli_columns_print(const imsat_model *model);
void cli_columns_json(cli_json *object, const imsat_model *model);

/* ---- scores and reports (score.c, report.c) ----------------------------------- */

void cli_score_print(FILE *out, const imsat_cluster_score *score);
void cli_score_json(cli_json *object, const imsat_cluster_score *score);

/* What `cluster` or `hash` learned, for the report. */
typedef struct cli_outcome {
    const cli_args *args;
    const imsat_data *data;
    const imsat_model *model;
    const imsat_result *result;
    cli_truth truth;             /* of clusters */
    imsat_cluster_score *scores; /* (runs) against truth, or NULL */
    size_t *sizes;  /* (runs, k) points in each cluster; (runs, bits) points with a bit set */
    int log_failed; /* lines of the log are missing */
    int structure;  /* 0: the rows have no more clusters than rows without any; else unknown,
                       or they have */
    double information, without; /* how well they are separated, and how well such rows are */
} cli_outcome;

/* How many outputs the network has: clusters or bits. */
size_t cli_outputs(const imsat_options *options);

void cli_report_print(FILE *out, const cli_outcome *outcome);
cli_json *cli_report_json(const cli_outcome *outcome);

/* On stderr: what in the outcome a person should not trust, and what to do. */
void cli_report_warn(const cli_command *command, const cli_outcome *outcome);

/* ---- the number of clusters (choose.c) ------------------------------------------- */

enum { CLI_BUDGET = 120 }; /* seconds, unless --budget says otherwise */

/* The seconds of the budget. */
double cli_budget(const cli_args *args);

/* If the line gives a range of k, choose one: tells how, on `out`, and sets options.k, which
 * stays 0 if none stands out. Returns the exit code. */
int cli_choose_k(FILE *out, const cli_command *command, cli_args *args,
                 const imsat_data *data);

/* ---- prediction (cmd_predict.c) ------------------------------------------------ */

/* What is asked of a prediction. */
typedef struct cli_wish {
    int proba;             /* probabilities; else labels or codes, as the model is */
    imsat_bit_order order; /* of packed codes */
    const char *format;    /* of the file; NULL: by its ending */
    const imsat_options
        *options; /* threads; progress, if not NULL, is called and may stop it */
} cli_wish;

/* Write codes (rows, bytes) that are at hand, as the wish says. */
imsat_status cli_codes_file(const char *path, cli_wish wish, const uint8_t *codes, size_t rows,
                            size_t bits, imsat_error *err);

/* Write the wish for all rows to a file, as it is made; if it fails, nothing is left. */
imsat_status cli_predict_file(const char *path, cli_wish wish, const imsat_model *model,
                              const imsat_data *data, imsat_error *err);

/* ---- what is said of each row (confidence.c, join.c) ------------------------------ */

/* Refuse a name of --join that says no format for it. Returns the exit code. */
int cli_join_check(const cli_command *command, const cli_args *args);

/* Whether --join, --confidence or --outliers is given. */
int cli_confidence_asked(const cli_args *args);

/* Refuse a model that cannot tell. Returns the exit code. */
int cli_confidence_check(const cli_command *command, const cli_args *args,
                         const imsat_model *model);

/* Write these files: what the model says of the rows of data, and of --join also the rows as
 * they were read from the paths. options: threads, and progress, which may be NULL, and may
 * stop it. */
imsat_status cli_confidence_write(const cli_command *command, const cli_args *args,
                                  const imsat_model *model, const imsat_data *data,
                                  const char *const *paths, size_t npaths,
                                  const imsat_options *options, imsat_error *err);

/* ---- the page of a report (cmd_report.c) ----------------------------------------- */

/* Write the page: what the model says of data, which was read from these files. `about` has
 * truth, seed, threads and progress. */
imsat_status cli_page_file(const char *path, const cli_args *args, const imsat_model *model,
                           const imsat_data *data, cli_list files, imsat_report_options about,
                           imsat_error *err);

/* ---- codes (codes.c) ------------------------------------------------------------- */

/* Read the ids of `rows` codes; path NULL: *ids stays as it is. Freed with imsat_free(). */
imsat_status cli_ids_read(int64_t **ids, const char *path, size_t rows, imsat_error *err);

/* Read codes of so many bits from a stream, a line of 0 and 1 each. codes->bytes is freed with
 * free(). */
imsat_status cli_codes_parse(imsat_codes *codes, FILE *in, size_t bits, imsat_error *err);

/* ---- data that is written (cmd_convert.c) ---------------------------------------- */

/* Refuse names that say no format, of data or of what goes with it, before any work. Returns
 * the exit code. */
int cli_data_check(const cli_command *command, const cli_args *args, const char *path);

/* Write data, and its labels if --labels asks for them; st says whether there is data, and err
 * why not. Says what went wrong. Returns the exit code. */
int cli_data_save(const cli_command *command, cli_args *args, const char *path,
                  const imsat_data *data, imsat_status st, imsat_error *err);

/* The same, and report it. data is freed. */
int cli_data_finish(const cli_command *command, cli_args *args, const char *path,
                    imsat_data *data, imsat_status st, imsat_error *err);

/* ---- files of a line (files.c) -------------------------------------------------- */

/* Refuse an output that is an input or another output, by whatever name, and one that cannot
 * be written. Touches nothing. Sets args->report. Returns the exit code. */
int cli_files_check(const cli_command *command, cli_args *args);

/* Refuse a file for results, `role` on the line, whose name says no format for them, unless
 * `format` is one. Returns the exit code. */
int cli_rows_check(const cli_command *command, const char *role, const char *path,
                   const char *format);

/* ---- streams (streams.c) --------------------------------------------------------- */

/* Open the standard streams that are closed, so that no file of ours takes their place and
 * gets what is printed; to use them fails as before. Returns the exit code. */
int cli_streams_fill(void);

/* The names by which the library knows the standard streams, which the line calls '-'. */
#define CLI_STDOUT "/dev/stdout"
#define CLI_STDIN  "/dev/stdin"

/* The name of the stream if the word for a file is '-'; else the word. */
const char *cli_stream_name(const char *word, cli_file use);

/* Whether the name is that of the standard output. */
int cli_is_stdout(const char *path);

/* Whether what is written to the name goes on at once: a pipe, a device, an open descriptor.
 */
int cli_is_stream(const char *path);

/* Open a file or a stream to be written to in place; NULL: errno says why not. */
FILE *cli_stream_open(const char *path, int append);

/* What a command that was stopped says of -o: a file is not there, a stream has got a part. */
const char *cli_stopped_output(const cli_args *args);

/* ---- outputs (output.c) ------------------------------------------------------- */

/* The name of the format that the line asks for; NULL: that of a file's ending. */
const char *cli_rows_format(const cli_args *args);

/* Write one column that is at hand; `format` NULL: by the ending. */
imsat_status cli_column_write(const char *path, const char *format, imsat_output_column column,
                              const void *values, size_t rows, imsat_error *err);

/* Write model, labels or codes, and probabilities, all that can be; the exit code. */
int cli_outputs_write(const cli_command *command, const cli_outcome *outcome);

#endif
