/* SPDX-License-Identifier: MIT
 *
 * JSON lines and tables of texts, by their first byte: what is accepted hands over a document
 * and a label each, and no more bytes than the file has. */
#include "features/documents.h"

#include "fuzz.h"

#include <string.h>

enum { MOST = 2048 };

static void begin(void)
{
    fuzz_seed_text(
        "{\"text\": \"one \\u00e9\", \"y\": 1}\n{\"y\": \"b\", \"text\": \"two\"}\n");
    fuzz_seed_text("{\"text\": \"\", \"y\": true, \"z\": [1, {\"a\": null}]}");
    fuzz_seed_text("text,y\none,1\n\"two, \"\"quoted\"\"\nlines\",2\r\n\n,3\n");
    fuzz_seed_text("y\ttext\na\tb c d\n");
}

/* What was handed over. */
typedef struct visit {
    size_t documents, bytes;
} visit;

static imsat_status take(void *context, const char *text, size_t size, imsat_error *err)
{
    visit *v = context;
    volatile unsigned char sum = 0;
    (void)err;
    for (size_t i = 0; i < size; i++) /* the sanitizer sees each */
        sum = (unsigned char)(sum + (unsigned char)text[i]);
    v->documents++;
    v->bytes += size;
    return IMSAT_OK;
}

static bool run(const uint8_t *input, size_t size)
{
    const char *path = "fuzzed.csv";
    imsat_error err = {{0}};
    im_label_list labels = {0};
    im_member_labels by_folder = {.list = &labels};
    visit v = {0};
    const im_documents documents = {path, NULL, "y", &by_folder, take, &v};
    im_bytes bytes = {.data = input, .size = size};
    if (size == 0)
        return false;
    const imsat_status st = im_documents_are_json(&bytes)
                                ? im_documents_json(&documents, &bytes, &err)
                                : im_documents_table(&documents, &bytes, &err);
    REQUIRE(v.bytes <= size, "%zu bytes of texts in %zu", v.bytes, size);
    REQUIRE(labels.count == v.documents, "%zu labels of %zu texts", labels.count, v.documents);
    im_label_list_clear(&labels);
    if (st != IMSAT_OK)
        fuzz_refused(st, &err, path);
    return st == IMSAT_OK;
}

static size_t mutate(uint8_t *input, size_t size, size_t room)
{
    static const char *const words[] = {"{\"text\": \"x\", \"y\": 2}",
                                        "{\"text\": \"\\ud800\"}", "\"a\"\"b\",\"c\nd\"", "\"",
                                        "text,y"};
    if (fuzz_below(4) == 0)
        return fuzz_put_line(input, size, room,
                             words[fuzz_below(sizeof words / sizeof *words)]);
    return LLVMFuzzerMutate(input, size, room);
}

const fuzz_target fuzz_this = {"documents", MOST, begin, run, mutate};
