/* SPDX-License-Identifier: MIT
 *
 * Damaged files against every reader: good files of each format are bent in random ways, and
 * each result must be read, or refused with a message that names it. To be run under the
 * address and undefined-behavior sanitizers.
 *
 *     fuzz_readers [MUTATIONS [SEED]]
 *
 * The same seed gives the same files. On failure the file stays and its path is printed. A
 * new kind of file is a function of seeds, a function that reads, and a line in `targets`.
 */
#define _POSIX_C_SOURCE 200809L
#include "data/csv.h"
#include "data/reader.h"
#include "imsat/search.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { ROOM = 1 << 13, PATH_ROOM = 256, MAX_DIM = ROOM };

typedef struct buffer {
    unsigned char bytes[ROOM];
    size_t size;
} buffer;

/* ---- random numbers (splitmix64) ----------------------------------------------- */

static uint64_t random_state;

static uint64_t random_bits(void)
{
    uint64_t z = (random_state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* A number below n; 0 for n = 0. */
static size_t random_below(size_t n)
{
    return n ? (size_t)(random_bits() % n) : 0;
}

/* ---- ways to bend a file --------------------------------------------------------- */

static void put(buffer *b, const void *bytes, size_t size)
{
    if (size > ROOM - b->size)
        size = ROOM - b->size;
    memcpy(b->bytes + b->size, bytes, size);
    b->size += size;
}

/* Replace `cut` bytes at `at` by others. */
static void replace(buffer *b, size_t at, size_t cut, const void *bytes, size_t size)
{
    buffer out = {.size = 0};
    put(&out, b->bytes, at);
    put(&out, bytes, size);
    put(&out, b->bytes + at + cut, b->size - at - cut);
    *b = out;
}

static void bend_bits(buffer *b, const buffer *other)
{
    (void)other;
    for (size_t i = 1 + random_below(4); i > 0 && b->size; i--)
        b->bytes[random_below(b->size)] ^= (unsigned char)(1U << random_below(8));
}

static void bend_bytes(buffer *b, const buffer *other)
{
    static const unsigned char odd[] = {0,   1,   0x7f, 0x80, 0xff, '\n',
                                        '"', ',', '-',  '\'', '9'};
    (void)other;
    for (size_t i = 1 + random_below(4); i > 0 && b->size; i--)
        b->bytes[random_below(b->size)] = odd[random_below(sizeof odd)];
}

static void bend_length(buffer *b, const buffer *other)
{
    (void)other;
    if (random_below(3))
        b->size = random_below(b->size);
    else
        put(b, "\0\0\0\0\0\0\0\0\0", 1 + random_below(9));
}

static void bend_splice(buffer *b, const buffer *other)
{
    const size_t from = random_below(other->size), at = random_below(b->size);
    const size_t size = random_below(other->size - from), cut = random_below(b->size - at);
    replace(b, at, random_below(2) ? cut : 0, other->bytes + from, size);
}

static void bend_repeat(buffer *b, const buffer *other)
{
    const buffer copy = *b;
    (void)other;
    bend_splice(b, &copy);
}

static void bend_numbers(buffer *b, const buffer *other)
{
    static const char *const texts[] = {"99999999999999999999",
                                        "18446744073709551615",
                                        "9223372036854775807",
                                        "4294967296",
                                        "-1",
                                        "0",
                                        "1e999",
                                        "1e300",
                                        "nan",
                                        "-inf",
                                        "1e-999",
                                        "(",
                                        "\"\"",
                                        "\"",
                                        "\xEF\xBB\xBF"};
    const char *text = texts[random_below(sizeof texts / sizeof *texts)];
    const size_t at = random_below(b->size);
    size_t cut = random_below(4);
    (void)other;
    if (cut > b->size - at)
        cut = b->size - at;
    replace(b, at, cut, text, strlen(text));
}

static void bend_words(buffer *b, const buffer *other)
{
    const uint32_t word = (uint32_t)random_bits() | (random_below(2) ? 0xffff0000U : 0);
    (void)other;
    if (b->size >= sizeof word) /* most sizes are in the first bytes */
        memcpy(b->bytes + random_below(b->size < 24 ? b->size - 3 : 20), &word, sizeof word);
}

static void bend(buffer *b, const buffer *other)
{
    static void (*const ways[])(buffer *, const buffer *) = {
        bend_bits,   bend_bytes,   bend_length, bend_splice,
        bend_repeat, bend_numbers, bend_words};
    for (size_t i = 1 + random_below(3); i > 0; i--)
        ways[random_below(sizeof ways / sizeof *ways)](b, other);
}

/* ---- good files ------------------------------------------------------------------- */

typedef struct seed_file {
    char name[32];
    buffer content;
} seed_file;

enum { MAX_SEEDS = 16 };

typedef struct seed_list {
    seed_file files[MAX_SEEDS];
    size_t count;
} seed_list;

static buffer *add_seed(seed_list *list, const char *name)
{
    seed_file *file = &list->files[list->count++];
    snprintf(file->name, sizeof file->name, "%s", name);
    file->content.size = 0;
    return &file->content;
}

static void add_npy(seed_list *list, int major, const char *header, size_t size)
{
    buffer *b = add_seed(list, "x.npy");
    const size_t length = strlen(header);
    const unsigned char prefix[] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', (unsigned char)major, 0, (unsigned char)length,
        0,    0,   0};
    put(b, prefix, major == 1 ? 10 : 12);
    put(b, header, length);
    for (size_t i = 0; i < size; i++)
        put(b, &(unsigned char){(unsigned char)(i % 4 == 3 ? 0x3f : i)}, 1);
}

static void add_text(seed_list *list, const char *name, const char *text)
{
    put(add_seed(list, name), text, strlen(text));
}

/* The last seed once more, gzipped. */
static void add_gzipped(seed_list *list, const char *name)
{
    buffer plain = list->files[list->count - 1].content;
    buffer *b = add_seed(list, name);
    z_stream stream = {.next_in = plain.bytes, .avail_in = (unsigned)plain.size};
    stream.next_out = b->bytes;
    stream.avail_out = ROOM;
    if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK ||
        deflate(&stream, Z_FINISH) != Z_STREAM_END)
        abort();
    b->size = stream.total_out;
    deflateEnd(&stream);
}

static void seeds_of_data(seed_list *list)
{
    static const unsigned char images[] = {0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0,
                                           1, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6};
    static const unsigned char doubles[] = {0,    0, 0x0E, 1, 0, 0, 0, 1,
                                            0x40, 0, 0,    0, 0, 0, 0, 0};
    add_npy(list, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (5, 3), }\n", 60);
    add_npy(list, 2, "{'shape': (3, 5), 'fortran_order': True, 'descr': '>f8'}", 120);
    add_npy(list, 3, "{'descr': '<f2', 'fortran_order': False, 'shape': (2, 3, 2, 1)}", 24);
    add_npy(list, 1, "{'descr': '<i8', 'fortran_order': False, 'shape': (7,)}", 56);
    add_gzipped(list, "x.npy.gz");
    add_npy(list, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (5", 0); /* and ends */
    put(add_seed(list, "x-idx3-ubyte"), images, sizeof images);
    put(add_seed(list, "x.idx"), doubles, sizeof doubles);
    add_text(list, "x.csv", "1,2,3\n4,5.5,-6e2\n7,8,9\n");
    add_text(list, "x.csv", "a,\"b \"\"c\"\"\",label\r\n0.1,2,ox\r\n3,4e-3,\"a, b\"\r\n");
    add_gzipped(list, "x.csv.gz");
    add_text(list, "x.tsv", "# by hand\n1\t2\tx\n\n3\t4\ty\n");
    add_text(list, "x.txt", "1.234567890123456789e+00 2\n3 -4\n");
    add_text(list, "y.csv", "label\ncat\ndog\n7\ncat\n");
    add_text(list, "y.csv", "3\n1\n2\n");
}

static void seeds_of_codes(seed_list *list)
{
    add_npy(list, 1, "{'descr': '|u1', 'fortran_order': False, 'shape': (5, 3), }\n", 15);
    add_gzipped(list, "x.npy.gz");
    add_npy(list, 1, "{'descr': '|u1', 'fortran_order': True, 'shape': (5, 3), }\n", 15);
    add_npy(list, 1, "{'descr': '>i8', 'fortran_order': False, 'shape': (7,)}", 56);
    add_npy(list, 1, "{'descr': '<u2', 'fortran_order': False, 'shape': (7, 1)}", 14);
    add_text(list, "x.txt", "1\n-20\n9223372036854775807\r\n\n4");
}

/* ---- what must hold ----------------------------------------------------------------- */

static bool refused_well(imsat_status status, const imsat_error *err, const char *path)
{
    return status > IMSAT_OK && status < IMSAT_ESTOPPED && strstr(err->message, path);
}

static bool all_finite(const imsat_data *data)
{
    static float row[MAX_DIM];
    for (size_t i = 0; i < imsat_data_rows(data); i++) {
        if (imsat_data_dim(data) > MAX_DIM ||
            imsat_data_read(data, i, 1, row, NULL) != IMSAT_OK)
            return false;
        for (size_t j = 0; j < imsat_data_dim(data); j++)
            if (!isfinite(row[j]))
                return false;
    }
    return imsat_data_rows(data) > 0 && imsat_data_describe(data, 0);
}

static bool open_data(const char *path, const char *label_column)
{
    const imsat_data_options options = {.label_column = label_column};
    imsat_error err = {{0}};
    imsat_data *data = NULL;
    const imsat_status st = imsat_data_open(&data, &path, 1, &options, &err);
    const bool good = st == IMSAT_OK ? all_finite(data) : refused_well(st, &err, path);
    imsat_data_free(data);
    return good;
}

static bool read_labels(const char *path)
{
    imsat_error err = {{0}};
    int32_t *labels = NULL;
    size_t n = 0;
    const imsat_status st = imsat_labels_read(&labels, &n, &path, 1, &err);
    const bool good = st == IMSAT_OK ? labels && n > 0 : refused_well(st, &err, path);
    imsat_free(labels);
    return good;
}

static bool read_vector(const char *path)
{
    imsat_error err = {{0}};
    double *values = NULL;
    size_t n = 0;
    const imsat_status st = imsat_vector_read(&values, &n, path, &err);
    const bool good = st == IMSAT_OK ? values && n > 0 : refused_well(st, &err, path);
    imsat_free(values);
    return good;
}

/* The readers once more, on a heap block of exactly the file's size: behind the end of a
 * mapped file there are zeros up to the end of the page, which hide a read too far. */
static void read_exactly(const char *path, const buffer *content)
{
    static float row[MAX_DIM];
    unsigned char *copy = malloc(content->size);
    im_label_list labels = {0};
    im_block block = {0};
    im_bytes bytes = {.data = copy, .size = content->size};
    const im_read_request request = {.path = path, .label_column = "0", .labels = &labels};
    const im_reader *reader = NULL;
    if (!copy)
        abort();
    memcpy(copy, content->bytes, content->size);
    if (im_reader_find(&reader, path, &bytes, NULL) == IMSAT_OK &&
        reader->read(&block, &bytes, &request, NULL) == IMSAT_OK && block.dim <= MAX_DIM)
        for (size_t i = 0; i < block.rows; i++) {
            const im_elements elements = im_block_row(&block, i);
            im_elements_float(row, &elements);
        }
    im_block_clear(&block);
    bytes = (im_bytes){.data = copy, .size = content->size};
    const bool listed =
        reader == &im_csv_reader && im_csv_labels(&labels, &bytes, path, NULL) == IMSAT_OK;
    if (listed && labels.count == 0)
        abort(); /* no label, and not refused */
    im_label_list_clear(&labels);
    free(copy);
}

static bool check_data(const char *path, const buffer *content)
{
    if (content->size > 0)
        read_exactly(path, content);
    return open_data(path, NULL) && open_data(path, "-1") && open_data(path, "label") &&
           read_labels(path) && read_vector(path);
}

/* Codes that were read have nothing behind their last bit. */
static bool check_codes(const char *path, const buffer *content)
{
    static const imsat_codes_options options[] = {{0, IMSAT_MSB_FIRST}, {21, IMSAT_LSB_FIRST}};
    bool good = true;
    (void)content;
    for (size_t i = 0; i < 2; i++) {
        imsat_codes codes = {0};
        imsat_error err = {{0}};
        const imsat_status st = imsat_codes_read(&codes, &path, 1, &options[i], &err);
        if (st != IMSAT_OK) {
            good = good && refused_well(st, &err, path);
            continue;
        }
        const size_t width = imsat_code_bytes(codes.bits);
        for (size_t r = 1; i == 1 && r <= codes.rows; r++)
            good = good && (codes.bytes[r * width - 1] & 7) == 0;
        imsat_codes_clear(&codes);
    }
    return good;
}

static bool check_ids(const char *path, const buffer *content)
{
    int64_t *ids = NULL;
    size_t n = 0;
    imsat_error err = {{0}};
    const imsat_status st = imsat_ids_read(&ids, &n, path, &err);
    (void)content;
    imsat_free(ids);
    return st == IMSAT_OK ? n > 0 : refused_well(st, &err, path);
}

/* ---- the run ------------------------------------------------------------------------- */

static const struct target {
    const char *name;
    void (*seeds)(seed_list *list);
    bool (*check)(const char *path, const buffer *content);
} targets[] = {{"data and labels", seeds_of_data, check_data},
               {"codes", seeds_of_codes, check_codes},
               {"ids", seeds_of_codes, check_ids}};

static bool try_bytes(const struct target *target, const char *path, const buffer *content)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(content->bytes, 1, content->size, file) != content->size ||
        fclose(file) != 0) {
        perror(path);
        return false;
    }
    if (!target->check(path, content)) {
        printf("%s: neither read nor refused as it must be\n", path);
        return false;
    }
    unlink(path);
    return true;
}

static bool run_target(const struct target *target, const char *folder, size_t mutations)
{
    static seed_list list;
    char path[PATH_ROOM];
    list.count = 0;
    target->seeds(&list);
    printf("%s: %zu files, %zu mutations\n", target->name, list.count, mutations);
    for (size_t i = 0; i < list.count + mutations; i++) {
        const seed_file *file = &list.files[i % list.count];
        buffer content = file->content;
        if (i >= list.count) /* the first time each is tried as it is */
            bend(&content, &list.files[random_below(list.count)].content);
        snprintf(path, sizeof path, "%s/%s", folder, file->name);
        if (!try_bytes(target, path, &content))
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    const size_t mutations = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) : 3000;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    char folder[] = "/tmp/imsat-fuzz-XXXXXX";
    if (!mkdtemp(folder)) {
        perror(folder);
        return EXIT_FAILURE;
    }
    random_state = seed;
    printf("seed %" PRIu64 "\n", seed);
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (!run_target(&targets[i], folder, mutations))
            return EXIT_FAILURE;
    return rmdir(folder) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
