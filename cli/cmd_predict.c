/* SPDX-License-Identifier: MIT
 *
 * imsat predict MODEL DATA... : labels, codes or probabilities, to a file of rows or
 * as text.
 *
 * Results are written as they are made, so memory does not grow with the number of rows. A
 * signal stops between two pieces; a file that was begun is then removed.
 */
#include "cli.h"

/* Where results go. */
typedef struct sink {
    cli_wish wish;
    size_t rows, outputs; /* of the data; of the model: clusters or bits */
    imsat_output *file;   /* NULL: text on stdout */
    int bits_apart;       /* it has a column for each bit, not packed codes */
    imsat_status status;  /* of writing to file, and why it failed */
    imsat_error why;
} sink;

/* One label a line. */
static void print_labels(const int32_t *labels, size_t n)
{
    for (size_t i = 0; i < n && !ferror(stdout); i++)
        printf("%d\n", (int)labels[i]);
}

/* One code a line, its first bit first. */
static void print_codes(const uint8_t *codes, size_t n, size_t bits)
{
    const size_t bytes = imsat_code_bytes(bits);
    char line[IMSAT_MAX_BITS + 1];
    for (size_t i = 0; i < n && !ferror(stdout); i++) {
        for (size_t d = 0; d < bits; d++)
            line[d] = codes[i * bytes + d / 8] & (0x80U >> d % 8) ? '1' : '0';
        line[bits] = '\0';
        puts(line);
    }
}

/* CSV with 9 digits, enough to read back the same floats. */
static void print_proba(const float *proba, size_t n, size_t k)
{
    for (size_t i = 0; i < n && !ferror(stdout); i++)
        for (size_t j = 0; j < k; j++)
            printf("%.9g%c", (double)proba[i * k + j], j + 1 < k ? ',' : '\n');
}

static void print_piece(const sink *s, const imsat_piece *piece)
{
    if (s->wish.proba)
        print_proba(piece->proba, piece->count, s->outputs);
    else if (piece->codes)
        print_codes(piece->codes, piece->count, s->outputs);
    else
        print_labels(piece->labels, piece->count);
}

static uint8_t reversed(uint8_t byte)
{
    uint8_t out = 0;
    for (int i = 0; i < 8; i++)
        out = (uint8_t)(out << 1 | (byte >> i & 1));
    return out;
}

/* Some codes as the file has them: their bits, or each byte as it is or turned round. */
static void convert_codes(uint8_t *out, const sink *s, const uint8_t *codes, size_t rows)
{
    const size_t bytes = imsat_code_bytes(s->outputs);
    if (!s->bits_apart)
        for (size_t i = 0; i < rows * bytes; i++)
            out[i] = s->wish.order == IMSAT_MSB_FIRST ? codes[i] : reversed(codes[i]);
    else
        for (size_t i = 0; i < rows; i++)
            for (size_t d = 0; d < s->outputs; d++)
                out[i * s->outputs + d] = codes[i * bytes + d / 8] >> (7 - d % 8) & 1;
}

/* Codes, a buffer at a time. */
static imsat_status append_codes(sink *s, const imsat_piece *piece)
{
    enum { ROWS = 64 };
    uint8_t buffer[ROWS * IMSAT_MAX_BITS];
    const void *values = buffer;
    imsat_status st = IMSAT_OK;
    for (size_t first = 0; first < piece->count && st == IMSAT_OK; first += ROWS) {
        const size_t rows = piece->count - first < ROWS ? piece->count - first : ROWS;
        convert_codes(buffer, s, piece->codes + first * imsat_code_bytes(s->outputs), rows);
        st = imsat_output_append(s->file, &values, rows, &s->why);
    }
    return st;
}

static imsat_status append_piece(sink *s, const imsat_piece *piece)
{
    if (!s->wish.proba && piece->codes)
        return append_codes(s, piece);
    const void *values = s->wish.proba ? (const void *)piece->proba : piece->labels;
    return imsat_output_append(s->file, &values, piece->count, &s->why);
}

static int take(void *user, const imsat_piece *piece)
{
    sink *s = user;
    const imsat_options *options = s->wish.options;
    const imsat_progress now = {.stage = "predict",
                                .fraction =
                                    (double)(piece->first + piece->count) / (double)s->rows};
    if (s->file)
        s->status = append_piece(s, piece);
    else
        print_piece(s, piece);
    return s->status != IMSAT_OK || (!s->file && ferror(stdout)) ||
           (options->progress && options->progress(options->progress_user, &now));
}

static sink make_sink(cli_wish wish, const imsat_model *model, const imsat_data *data)
{
    return (sink){.wish = wish,
                  .rows = imsat_data_rows(data),
                  .outputs = imsat_model_task(model) == IMSAT_TASK_HASH
                                 ? imsat_model_bits(model)
                                 : imsat_model_clusters(model)};
}

static imsat_status run(sink *s, const imsat_model *model, const imsat_data *data,
                        imsat_error *err)
{
    const imsat_status st =
        imsat_predict_stream(model, data, take, s, (int)s->wish.options->threads, err);
    if (s->status == IMSAT_OK)
        return st;
    *err = s->why;
    return s->status;
}

/* The file of codes is packed if it is an array, and has a column for each bit if it is text.
 */
static imsat_status create(sink *s, const char *path, int codes, imsat_error *err)
{
    const imsat_output_format *format = NULL;
    imsat_output_column column = {"label", IMSAT_NPY_INT32, 0};
    const imsat_status st = imsat_output_format_find(&format, path, s->wish.format, err);
    if (st != IMSAT_OK)
        return st;
    s->bits_apart = format->text;
    if (s->wish.proba)
        column = (imsat_output_column){"p", IMSAT_NPY_FLOAT32, s->outputs};
    else if (codes && s->bits_apart)
        column = (imsat_output_column){"bit", IMSAT_NPY_UINT8, s->outputs};
    else if (codes)
        column = (imsat_output_column){"code", IMSAT_NPY_UINT8, imsat_code_bytes(s->outputs)};
    return imsat_output_create(&s->file, path, format->name, &column, 1, s->rows, err);
}

imsat_status cli_predict_file(const char *path, cli_wish wish, const imsat_model *model,
                              const imsat_data *data, imsat_error *err)
{
    sink s = make_sink(wish, model, data);
    imsat_status st = create(&s, path, imsat_model_task(model) == IMSAT_TASK_HASH, err);
    if (st == IMSAT_OK)
        st = run(&s, model, data, err);
    if (st == IMSAT_OK)
        st = imsat_output_commit(s.file, err);
    imsat_output_free(s.file);
    return st;
}

imsat_status cli_codes_file(const char *path, cli_wish wish, const uint8_t *codes, size_t rows,
                            size_t bits, imsat_error *err)
{
    sink s = {.wish = wish, .rows = rows, .outputs = bits};
    const imsat_piece all = {.count = rows, .codes = codes};
    imsat_status st = create(&s, path, 1, err);
    if (st == IMSAT_OK && append_codes(&s, &all) != IMSAT_OK) {
        *err = s.why;
        st = IMSAT_EIO;
    }
    if (st == IMSAT_OK)
        st = imsat_output_commit(s.file, err);
    imsat_output_free(s.file);
    return st;
}

static imsat_status predict_text(cli_wish wish, const imsat_model *model,
                                 const imsat_data *data, imsat_error *err)
{
    sink s = make_sink(wish, model, data);
    const imsat_status st = run(&s, model, data, err);
    /* Whether a reader is gone or stdout failed is for cli_flush() to say. */
    return st == IMSAT_ESTOPPED && ferror(stdout) ? IMSAT_OK : st;
}

static int predict(const cli_command *command, cli_args *args, const imsat_model *model,
                   const imsat_data *data)
{
    imsat_options *options = &args->options;
    const cli_wish wish = {args->proba, args->codes.order, cli_rows_format(args), options};
    cli_progress progress;
    imsat_error err;
    if (args->codes.order != IMSAT_MSB_FIRST && imsat_model_task(model) != IMSAT_TASK_HASH)
        return cli_usage(command, "--bit-order is for codes, but the model has clusters");
    const int code = cli_confidence_check(command, args, model);
    if (code != CLI_OK)
        return code;
    const int asked = cli_confidence_asked(args);
    cli_progress_start(&progress, options,
                       !args->output && !asked); /* text is progress enough */
    progress.quiet = 1; /* a line on a terminal, and nothing elsewhere */
    cli_signals_catch();
    imsat_status st = IMSAT_OK;
    if (args->output)
        st = cli_predict_file(args->output, wish, model, data, &err);
    else if (!asked || args->text)
        st = predict_text(wish, model, data, &err);
    if (st == IMSAT_OK && asked)
        st = cli_confidence_write(command, args, model, data, args->files.items + 1,
                                  args->files.count - 1, options, &err);
    cli_progress_finish(&progress, st == IMSAT_OK);
    if (st == IMSAT_ESTOPPED && cli_signal_caught()) {
        cli_say(command, "stopped by %s%s", cli_signal_name(), cli_stopped_output(args));
        return 128 + cli_signal_caught();
    }
    return st == IMSAT_OK ? CLI_OK : cli_failed(command, &err);
}

/* As the model had its rows. */
static imsat_status open_rows(imsat_data **out, const imsat_model *model, const cli_args *args,
                              imsat_error *err)
{
    imsat_table_options tables = args->tables;
    tables.size = sizeof tables;
    return imsat_model_open_table(out, model, args->files.items + 1, args->files.count - 1,
                                  &args->data, &tables, args->texts.text_column, err);
}

int cli_predict(const cli_command *command, cli_args *args)
{
    imsat_model *model = NULL;
    imsat_data *data = NULL;
    imsat_error err;

    if (args->text && args->output)
        return cli_usage(command, "--text goes to stdout and -o to a file; give one");
    if (cli_join_check(command, args) != CLI_OK)
        return CLI_USAGE;
    imsat_status st = imsat_model_load(&model, args->files.items[0], &err);
    if (st == IMSAT_OK)
        st = open_rows(&data, model, args, &err);
    if (st == IMSAT_OK)
        cli_notes(command, args, data);
    if (st == IMSAT_OK)
        st = imsat_data_widen(data, imsat_model_dim(model), &err);
    const int code =
        st == IMSAT_OK ? predict(command, args, model, data) : cli_failed(command, &err);
    imsat_data_free(data);
    imsat_model_free(model);
    return code;
}
