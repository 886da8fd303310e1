/* SPDX-License-Identifier: MIT
 *
 * Codes and ids as the commands read them: queries as lines of 0 and 1, ids that must be as
 * many as the codes.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <stdlib.h>
#include <string.h>

imsat_status cli_ids_read(int64_t **ids, const char *path, size_t rows, imsat_error *err)
{
    int64_t *read = NULL;
    size_t count = 0;
    if (!path)
        return IMSAT_OK;
    const imsat_status st = imsat_ids_read(&read, &count, path, err);
    if (st != IMSAT_OK)
        return st;
    if (count != rows) {
        cli_refuse(err, "%s has %zu ids, but there are %zu codes", path, count, rows);
        imsat_free(read);
        return IMSAT_EMISMATCH;
    }
    *ids = read;
    return IMSAT_OK;
}

/* Room for one more row, twice as much whenever it is used up. */
static int reserve(imsat_codes *codes, size_t *room)
{
    if (codes->rows < *room)
        return 0;
    const size_t grown = *room ? 2 * *room : 64;
    uint8_t *bytes = realloc(codes->bytes, grown * imsat_code_bytes(codes->bits));
    if (!bytes)
        return -1;
    codes->bytes = bytes;
    *room = grown;
    return 0;
}

/* Append a line of exactly codes->bits letters, all 0 or 1. */
static int add_line(imsat_codes *codes, const char *line, size_t length, imsat_error *why)
{
    const size_t width = imsat_code_bytes(codes->bits);
    uint8_t *code = codes->bytes + codes->rows * width;
    const size_t digits = strspn(line, "01");
    if (digits < length)
        return cli_refuse(why, "letter %zu is neither 0 nor 1", digits + 1);
    if (length != codes->bits)
        return cli_refuse(why, "%zu bits, but the index has codes of %zu", length,
                          codes->bits);
    memset(code, 0, width);
    for (size_t b = 0; b < length; b++)
        if (line[b] == '1')
            code[b / 8] |= (uint8_t)(0x80 >> b % 8);
    codes->rows++;
    return 0;
}

/* Without what ends it. */
static size_t line_length(const char *line, size_t length)
{
    while (length && strchr("\r\n \t", line[length - 1]))
        length--;
    return length;
}

imsat_status cli_codes_parse(imsat_codes *codes, FILE *in, size_t bits, imsat_error *err)
{
    char *line = NULL;
    size_t line_room = 0, room = 0, number = 0;
    ssize_t got;
    imsat_error why;
    imsat_status st = IMSAT_OK;
    imsat_codes read = {.bits = bits};
    while (st == IMSAT_OK && (got = getline(&line, &line_room, in)) >= 0) {
        const size_t length = line_length(line, (size_t)got);
        number++;
        line[length] = '\0';
        if (length == 0)
            continue;
        if (reserve(&read, &room)) {
            cli_refuse(err, "standard input: no memory for %zu codes", read.rows + 1);
            st = IMSAT_ENOMEM;
        } else if (add_line(&read, line, length, &why)) {
            cli_refuse(err, "standard input, line %zu: %.200s", number, why.message);
            st = IMSAT_EFORMAT;
        }
    }
    if (st == IMSAT_OK && read.rows == 0) {
        cli_refuse(err, "standard input: holds no codes; a code is a line of 0 and 1");
        st = IMSAT_EFORMAT;
    }
    free(line);
    if (st == IMSAT_OK)
        *codes = read;
    else
        free(read.bytes);
    return st;
}
