/* SPDX-License-Identifier: MIT
 *
 * Files in memory. A program linked with -Wl,--wrap=im_bytes_open and the other names below
 * calls these functions in place of those of src/core/: the library reads what was put here,
 * each time in a block of memory that ends where the file ends, and writes to here.
 */
#define _POSIX_C_SOURCE 200809L
#include "core/bytes.h"
#include "core/path.h"
#include "core/writer.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

/* Of the type of the function that it stands for, or it does not compile. */
#define WRAPPED(name) extern __typeof__(name) __wrap_##name

enum { FILES = 4, NAME_ROOM = 32, WRITE_ROOM = 1 << 20, MOST_FOREIGN = 64 };

typedef struct memory_file {
    char path[NAME_ROOM]; /* empty: there is none */
    const uint8_t *bytes;
    size_t size;
} memory_file;

static memory_file files[FILES];
static uint8_t written[FILES][WRITE_ROOM]; /* what the library has written to each */

static memory_file *find(const char *path)
{
    for (size_t i = 0; i < FILES; i++)
        if (strcmp(files[i].path, path) == 0)
            return &files[i];
    return NULL;
}

/* The file of this path, new if need be. */
static memory_file *place(const char *path)
{
    memory_file *file = find(path);
    if (!file) {
        file = find("");
        REQUIRE(file && strlen(path) < NAME_ROOM, "no room for a file '%s'", path);
        memcpy(file->path, path, strlen(path) + 1);
    }
    return file;
}

void fuzz_file_put(const char *path, const void *bytes, size_t size)
{
    memory_file *file = place(path);
    file->bytes = bytes;
    file->size = size;
}

const uint8_t *fuzz_file_get(const char *path, size_t *size)
{
    const memory_file *file = find(path);
    if (!file)
        return NULL;
    *size = file->size;
    return file->bytes;
}

void fuzz_files_clear(void)
{
    for (size_t i = 0; i < FILES; i++)
        files[i] = (memory_file){.size = 0};
}

/* ---- in place of src/core/bytes.c and path.c ------------------------------------ */

WRAPPED(im_bytes_open);
WRAPPED(im_bytes_open_kept);
WRAPPED(im_path_exists);
void __wrap_im_free(void *block); /* core/alloc.h would poison free() */
void __real_im_free(void *block);

/* Blocks that im_alloc() does not know. */
static void *foreign[MOST_FOREIGN];

static void **find_foreign(const void *block)
{
    for (size_t i = 0; i < MOST_FOREIGN; i++)
        if (foreign[i] == block)
            return &foreign[i];
    return NULL;
}

void __wrap_im_free(void *block)
{
    void **place = block ? find_foreign(block) : NULL;
    if (!place) {
        __real_im_free(block);
        return;
    }
    *place = NULL;
    free(block);
}

/* Not by im_alloc(), which rounds sizes up and keeps a count behind: the block has to end with
 * the file. */
static void *copy_of(const memory_file *file)
{
    void *copy = NULL, **place = find_foreign(NULL);
    REQUIRE(place && posix_memalign(&copy, 64, file->size) == 0, "no memory for a file");
    memcpy(copy, file->bytes, file->size);
    *place = copy;
    return copy;
}

imsat_status __wrap_im_bytes_open(im_bytes *out, const char *path, imsat_error *err)
{
    const memory_file *file = find(path);
    if (!file)
        return im_fail(err, IMSAT_EIO, "%s: is not in memory", path);
    if (file->size == 0)
        return im_fail(err, IMSAT_EFORMAT, "%s: the file is empty", path);
    void *copy = copy_of(file);
    *out = (im_bytes){.data = copy, .size = file->size, .heap = copy};
    return IMSAT_OK;
}

/* There is no file to keep open; what is not mapped is not read by it either. */
imsat_status __wrap_im_bytes_open_kept(im_bytes *out, int *fd, const char *path,
                                       imsat_error *err)
{
    *fd = -1;
    return __wrap_im_bytes_open(out, path, err);
}

bool __wrap_im_path_exists(const char *path)
{
    return find(path) != NULL;
}

/* ---- in place of src/core/writer.c ------------------------------------------------ */

WRAPPED(im_writer_open);
WRAPPED(im_writer_open_over);
WRAPPED(im_writer_put);
WRAPPED(im_writer_over);
WRAPPED(im_writer_commit);
WRAPPED(im_writer_clear);

/* The one file that is being written: the library never writes two at a time in a target. */
static struct {
    im_writer *writer;
    memory_file *file;
    uint8_t *bytes;
    size_t size;
} writing;

imsat_status __wrap_im_writer_open(im_writer *writer, const char *path, imsat_error *err)
{
    (void)err;
    REQUIRE(!writing.writer, "%s: another file is being written", path);
    memory_file *file = place(path);
    writing.writer = writer;
    writing.file = file;
    writing.bytes = written[file - files];
    writing.size = 0;
    return IMSAT_OK;
}

imsat_status __wrap_im_writer_open_over(im_writer *writer, const char *path, imsat_error *err)
{
    return __wrap_im_writer_open(writer, path, err);
}

imsat_status __wrap_im_writer_put(im_writer *writer, const void *data, size_t size,
                                  imsat_error *err)
{
    (void)err;
    REQUIRE(writer == writing.writer && size <= WRITE_ROOM - writing.size,
            "%s: more than %d bytes are written, or after the end", writing.file->path,
            WRITE_ROOM);
    if (size)
        memcpy(writing.bytes + writing.size, data, size);
    writing.size += size;
    return IMSAT_OK;
}

imsat_status __wrap_im_writer_over(im_writer *writer, const void *data, size_t size,
                                   imsat_error *err)
{
    (void)err;
    REQUIRE(writer == writing.writer && size <= writing.size, "a header behind the end");
    memcpy(writing.bytes, data, size);
    return IMSAT_OK;
}

imsat_status __wrap_im_writer_commit(im_writer *writer, imsat_error *err)
{
    (void)err;
    REQUIRE(writer == writing.writer, "a commit of a file that is not written");
    writing.file->bytes = writing.bytes;
    writing.file->size = writing.size;
    writing.writer = NULL;
    return IMSAT_OK;
}

void __wrap_im_writer_clear(im_writer *writer)
{
    if (writing.writer && writing.writer == writer)
        writing.writer = NULL;
}
