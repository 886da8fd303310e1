/* SPDX-License-Identifier: MIT
 * Lines of JSON as data, with and without a member of labels, and as labels. What is accepted
 * is JSON for another reader of it, too; rows that were read are printed and read again. */
#include "rows.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static void begin(void)
{
    fuzz_seed_text("{\"a\":1,\"b\":2.5}\n{\"b\":-3e2,\"a\":0.125}\n");
    fuzz_seed_text("{\"x\":[1,2,3],\"label\":0}\r\n{\"x\":[4,5,6],\"label\":1}\r\n");
    fuzz_seed_text("[1,2]\n\n[3,[4]]\n");
    fuzz_seed_text("{\"label\": \"a \\\"b\\\" \\u00e9\\ud83d\\ude00\\n\", \"n\": 1}\n");
    fuzz_seed_text(
        "{\"on\":true,\"day\":\"2020-02-29\"}\n{\"day\":\"1999-12-31\",\"on\":false}");
    fuzz_seed_text("\xEF\xBB\xBF {\"label\":true}\n{\"label\":-0.5}\n");
}

/* Whether the other reader can be asked: it wants UTF-8, and has numbers of its own range and
 * no words for those that are not finite. */
static bool is_plain(const uint8_t *input, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const bool digit = i > 0 && input[i - 1] >= '0' && input[i - 1] <= '9';
        if (input[i] >= 0x80 || strchr(digit ? "NIeE" : "NI", input[i]))
            return false;
    }
    return true;
}

static void check_json(const uint8_t *input, size_t size)
{
    const size_t flags = JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL;
    const char *text = (const char *)input, *end = text + size;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *stop = newline ? newline : end;
        const char *at = text;
        while (at < stop && strchr(" \t\r", *at))
            at++;
        if (at < stop) {
            json_t *value = json_loadb(at, (size_t)(stop - at), flags, NULL);
            REQUIRE(value, "what is accepted is not JSON");
            json_decref(value);
        }
        text = newline ? newline + 1 : end;
    }
}

/* Nine digits are enough to read back the same float. */
static void check_printed(const fuzz_rows *r)
{
    static char text[24 * ROWS_MOST];
    static fuzz_rows again;
    size_t used = 0;
    for (size_t i = 0; i < r->rows * r->dim; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%.9g%s",
                                 i % r->dim ? "" : "[", (double)r->x[i],
                                 (i + 1) % r->dim ? "," : "]\n");
    fuzz_file_put("printed.jsonl", text, used);
    REQUIRE(rows_read(&again, "printed.jsonl", used, NULL), "what was printed is refused");
    REQUIRE(again.rows == r->rows && again.dim == r->dim &&
                memcmp(again.x, r->x, r->rows * r->dim * sizeof *r->x) == 0,
            "what is printed is not what is read");
}

static bool read_labels(void)
{
    const char *path = "x.jsonl";
    int32_t *labels = NULL;
    size_t n = 0;
    imsat_error err;
    const imsat_status st = imsat_labels_read(&labels, &n, &path, 1, &err);
    if (st != IMSAT_OK)
        fuzz_refused(st, &err, path);
    imsat_free(labels);
    return st == IMSAT_OK;
}

static bool run(const uint8_t *input, size_t size)
{
    static const char *const columns[] = {NULL, "-1", "label"};
    static fuzz_rows r;
    bool accepted = false;
    fuzz_file_put("x.jsonl", input, size);
    for (size_t i = 0; i < 3; i++)
        if (rows_read(&r, "x.jsonl", size, columns[i])) {
            accepted = true;
            REQUIRE(r.has_labels == (columns[i] != NULL), "labels that were not asked for");
            if (r.rows * r.dim <= 64)
                check_printed(&r);
        }
    fuzz_file_put("x.jsonl", input, size);
    accepted |= read_labels();
    if (accepted && is_plain(input, size))
        check_json(input, size);
    return accepted;
}

const fuzz_target fuzz_this = {"jsonl", ROWS_MOST / 2, begin, run, NULL};
