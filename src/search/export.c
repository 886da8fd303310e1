/* SPDX-License-Identifier: MIT
 *
 * Codes for other programs.
 *
 * FAISS. The file that faiss.read_index_binary() reads, little-endian: the header "IBxF",
 * i32 bits, i32 bytes of a code, i64 codes, u8 1 (trained), i32 1 (the metric), then u64
 * number of bytes, and the codes. Ids other than 0, 1, 2, ... make it an IndexBinaryIDMap2:
 * the same header under the name "IBM2", that whole file, u64 number of ids, the ids. FAISS
 * knows whole bytes only, so bits are rounded up; the added ones are 0 and change no distance.
 *
 * PostgreSQL. Text for COPY: the id, a tab, the bits as 0 and 1, the first one first.
 *
 * SQLite. A script of SQL, not a database: it needs no library here, `sqlite3 FILE < SCRIPT`
 * loads it within one transaction, and other databases take it with small changes.
 */
#include "core/alloc.h"
#include "core/writer.h"
#include "data/codes.h"
#include "search/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "the numbers of a FAISS file are written as they lie in memory");

enum {
    ROWS_AT_A_TIME = 500,            /* of one INSERT; SQLite caps its length */
    LINE_ROOM = 64 + IMSAT_MAX_BITS, /* an id, and a code as bits or hexadecimal */
    CODE_ROOM = IMSAT_MAX_BITS / 8,
    NAME_MOST = 63,      /* letters of a table's name: PostgreSQL cuts longer ones */
    TOLD_EVERY = 1 << 12 /* rows: some milliseconds */
};

typedef struct job {
    const imsat_codes *codes;
    const int64_t *ids; /* NULL: 0, 1, 2, ... */
    const char *table;
    imsat_bit_order order;
    im_writer writer;
    imsat_progress_fn progress; /* or NULL */
    void *user;
} job;

static int64_t id_of(const job *j, size_t row)
{
    return j->ids ? j->ids[row] : (int64_t)row;
}

/* Code `row` in the bit order asked for. */
static void code_of(uint8_t code[CODE_ROOM], const job *j, size_t row)
{
    const size_t bytes = imsat_code_bytes(j->codes->bits);
    memcpy(code, j->codes->bytes + row * bytes, bytes);
    for (size_t b = 0; j->order == IMSAT_LSB_FIRST && b < bytes; b++)
        code[b] = im_codes_reverse(code[b]);
}

/* Tell now and then that so many rows are written; IMSAT_ESTOPPED if the caller has enough. */
static imsat_status tell(const job *j, size_t rows, imsat_error *err)
{
    const size_t all = j->codes->rows;
    const imsat_progress now = {.stage = "export",
                                .fraction = all ? (double)rows / (double)all : 1};
    if (!j->progress || (rows % TOLD_EVERY && rows < all) || !j->progress(j->user, &now))
        return IMSAT_OK;
    return im_fail(err, IMSAT_ESTOPPED, "stopped after row %zu of %zu", rows, all);
}

/* ---- FAISS ----------------------------------------------------------------- */

static imsat_status put_faiss_header(job *j, const char *name, int32_t code_bytes,
                                     imsat_error *err)
{
    unsigned char header[25];
    const int32_t bits = 8 * (int32_t)imsat_code_bytes(j->codes->bits), metric = 1;
    const int64_t count = (int64_t)j->codes->rows;
    memcpy(header, name, 4);
    memcpy(header + 4, &bits, 4);
    memcpy(header + 8, &code_bytes, 4);
    memcpy(header + 12, &count, 8);
    header[20] = 1;
    memcpy(header + 21, &metric, 4);
    return im_writer_put(&j->writer, header, sizeof header, err);
}

static bool counts_from_zero(const job *j)
{
    size_t i = 0;
    while (i < j->codes->rows && id_of(j, i) == (int64_t)i)
        i++;
    return i == j->codes->rows;
}

static imsat_status export_faiss(job *j, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t width = imsat_code_bytes(j->codes->bits);
    const uint64_t rows = j->codes->rows, bytes = rows * width;
    const bool has_ids = !counts_from_zero(j);
    uint8_t code[CODE_ROOM];
    if (has_ids)
        IM_TRY(put_faiss_header(j, "IBM2", 0, err));
    IM_TRY(put_faiss_header(j, "IBxF", (int32_t)width, err));
    IM_TRY(im_writer_put(&j->writer, &bytes, sizeof bytes, err));
    for (size_t i = 0; i < rows; i++) {
        code_of(code, j, i);
        IM_TRY(im_writer_put(&j->writer, code, width, err));
        IM_TRY(tell(j, i + 1, err));
    }
    if (has_ids) {
        IM_TRY(im_writer_put(&j->writer, &rows, sizeof rows, err));
        IM_TRY(im_writer_put(&j->writer, j->ids, rows * sizeof *j->ids, err));
    }

cleanup:
    return st;
}

/* ---- PostgreSQL ------------------------------------------------------------ */

static imsat_status export_postgres(job *j, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t bits = j->codes->bits, width = imsat_code_bytes(bits);
    char line[LINE_ROOM];
    for (size_t i = 0; i < j->codes->rows; i++) {
        const uint8_t *code = j->codes->bytes + i * width;
        size_t used = (size_t)snprintf(line, sizeof line, "%" PRId64 "\t", id_of(j, i));
        for (size_t b = 0; b < bits; b++)
            line[used++] = (char)('0' + (code[b / 8] >> (7 - b % 8) & 1));
        line[used++] = '\n';
        IM_TRY(im_writer_put(&j->writer, line, used, err));
        IM_TRY(tell(j, i + 1, err));
    }

cleanup:
    return st;
}

/* ---- SQLite ---------------------------------------------------------------- */

static imsat_status put_text(job *j, const char *text, imsat_error *err)
{
    return im_writer_put(&j->writer, text, strlen(text), err);
}

static imsat_status export_sqlite(job *j, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t rows = j->codes->rows, width = imsat_code_bytes(j->codes->bits);
    static const char HEX[] = "0123456789abcdef";
    char line[LINE_ROOM];
    uint8_t code[CODE_ROOM];
    snprintf(line, sizeof line,
             "BEGIN;\nCREATE TABLE \"%s\" (id INTEGER PRIMARY KEY, code BLOB NOT NULL);\n",
             j->table);
    IM_TRY(put_text(j, line, err));
    for (size_t i = 0; i < rows; i++) {
        if (i % ROWS_AT_A_TIME == 0) {
            snprintf(line, sizeof line, "INSERT INTO \"%s\" VALUES\n", j->table);
            IM_TRY(put_text(j, line, err));
        }
        const bool last = i + 1 == rows || (i + 1) % ROWS_AT_A_TIME == 0;
        size_t used = (size_t)snprintf(line, sizeof line, "(%" PRId64 ",x'", id_of(j, i));
        code_of(code, j, i);
        for (size_t b = 0; b < width; b++) {
            line[used++] = HEX[code[b] >> 4];
            line[used++] = HEX[code[b] & 15];
        }
        snprintf(line + used, sizeof line - used, "')%s\n", last ? ";" : ",");
        IM_TRY(put_text(j, line, err));
        IM_TRY(tell(j, i + 1, err));
    }
    IM_TRY(put_text(j, "COMMIT;\n", err));

cleanup:
    return st;
}

/* ---- all ------------------------------------------------------------------- */

static const struct {
    const char *name;
    imsat_status (*run)(job *j, imsat_error *err);
} FORMATS[] = {
    [IMSAT_EXPORT_FAISS] = {"faiss", export_faiss},
    [IMSAT_EXPORT_POSTGRES] = {"postgres", export_postgres},
    [IMSAT_EXPORT_SQLITE] = {"sqlite", export_sqlite},
};

const char *imsat_export_format_name(imsat_export_format format)
{
    return (unsigned)format < IMSAT_EXPORT_FORMATS ? FORMATS[format].name : NULL;
}

/* Names that need no escapes between quotes, in any database. */
static bool is_name(const char *table)
{
    const size_t length = strlen(table);
    return length > 0 && length <= NAME_MOST && (*table < '0' || *table > '9') &&
           strspn(table, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
               length;
}

static imsat_status check(const imsat_codes *codes, const imsat_export_options *options,
                          imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    if ((unsigned)options->format >= IMSAT_EXPORT_FORMATS ||
        (unsigned)options->order >= IMSAT_BIT_ORDERS)
        return im_fail(err, IMSAT_EINVAL, "%d or %d is not a format or a bit order",
                       (int)options->format, (int)options->order);
    if (options->table && !is_name(options->table))
        return im_fail(err, IMSAT_EINVAL,
                       "'%.80s' cannot be the name of a table: letters, digits and '_', at "
                       "most %d, no digit first",
                       options->table, NAME_MOST);
    IM_TRY(im_words_check(codes, "the codes", err));
    if (options->ids)
        IM_TRY(im_ids_check(options->ids, codes->rows, "the list of ids", IMSAT_EINVAL, err));

cleanup:
    return st;
}

imsat_status imsat_codes_export(const char *path, const imsat_codes *codes,
                                const imsat_export_options *options, imsat_error *err)
{
    IM_REQUIRE_PATH(path);
    IM_REQUIRE(codes);
    IM_REQUIRE(options);
    return imsat_codes_export_watched(path, codes, options, NULL, NULL, err);
}

imsat_status imsat_codes_export_watched(const char *path, const imsat_codes *codes,
                                        const imsat_export_options *options,
                                        imsat_progress_fn progress, void *user,
                                        imsat_error *err)
{
    IM_REQUIRE_PATH(path);
    IM_REQUIRE(codes);
    IM_REQUIRE(options);
    imsat_status st = IMSAT_OK;
    job j = {.codes = codes,
             .ids = options->ids,
             .table = options->table ? options->table : IMSAT_EXPORT_TABLE,
             .order = options->order,
             .progress = progress,
             .user = user};
    IM_TRY(check(codes, options, err));
    IM_TRY(im_writer_open(&j.writer, path, err));
    IM_TRY(FORMATS[options->format].run(&j, err));
    IM_TRY(im_writer_commit(&j.writer, err));

cleanup:
    im_writer_clear(&j.writer);
    return st;
}
