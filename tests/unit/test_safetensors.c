/* SPDX-License-Identifier: MIT
 * safetensors files: what is written is read, the bytes are what the format asks for, and
 * every malformed file is refused with its path and the reason. */
#define _POSIX_C_SOURCE 200809L
#include "data/safetensors.h"

#include "core/alloc.h"
#include "data_files.h"
#include "failing_alloc.h"
#include "support.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const float WEIGHTS[6] = {1, -2, 3.5F, 0, 1e-30F, 6};
static const uint8_t BYTES[5] = {0, 255, 3, 4, 5};
static const double SCALAR = -0.125;
static const int64_t COUNTS[2] = {INT64_MIN, INT64_MAX};
static const int32_t LABELS[3] = {-1, 0, INT32_MAX};

/* Five tensors, one of each type; the odd number of bytes puts those after it off their
 * alignment. */
static imsat_status build(im_safetensors *file, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t weights[] = {2, 3}, bytes[] = {5, 1, 1}, counts[] = {2}, none[] = {4, 0};
    const size_t labels[] = {3};
    IM_TRY(im_safetensors_set(file, "zebra", "last \"quoted\" \\ \n", err));
    IM_TRY(im_safetensors_add(file, "w", IM_TENSOR_F32, WEIGHTS, 2, weights, err));
    IM_TRY(im_safetensors_add(file, "bytes", IM_TENSOR_U8, BYTES, 3, bytes, err));
    IM_TRY(im_safetensors_add(file, "a scalar", IM_TENSOR_F64, &SCALAR, 0, NULL, err));
    IM_TRY(im_safetensors_set(file, "apple", "M\xc3\xbcller", err));
    IM_TRY(im_safetensors_add(file, "empty", IM_TENSOR_F32, NULL, 2, none, err));
    IM_TRY(im_safetensors_add(file, "counts", IM_TENSOR_I64, COUNTS, 1, counts, err));
    IM_TRY(im_safetensors_add(file, "labels", IM_TENSOR_I32, LABELS, 1, labels, err));
cleanup:
    return st;
}

static void check_tensor(const im_safetensors *file, const char *name, im_tensor_type type,
                         size_t dims, const size_t *shape, const void *data, size_t bytes)
{
    imsat_error err;
    const im_tensor *tensor = NULL;
    assert_ok(im_safetensors_get(&tensor, file, "f", name, type, dims, shape, &err), &err);
    assert_true((uintptr_t)tensor->data % (type == IM_TENSOR_U8 ? 1 : 4) == 0);
    if (type == IM_TENSOR_F64 || type == IM_TENSOR_I64)
        assert_true((uintptr_t)tensor->data % 8 == 0);
    if (bytes)
        assert_memory_equal(tensor->data, data, bytes);
}

static void check_contents(const im_safetensors *file)
{
    const size_t weights[] = {2, 3}, bytes[] = {5, 1, 1}, counts[] = {2}, none[] = {4, 0};
    const size_t labels[] = {3};
    assert_int_equal(file->count, 6);
    check_tensor(file, "w", IM_TENSOR_F32, 2, weights, WEIGHTS, sizeof WEIGHTS);
    check_tensor(file, "bytes", IM_TENSOR_U8, 3, bytes, BYTES, sizeof BYTES);
    check_tensor(file, "a scalar", IM_TENSOR_F64, 0, NULL, &SCALAR, sizeof SCALAR);
    check_tensor(file, "empty", IM_TENSOR_F32, 2, none, NULL, 0);
    check_tensor(file, "counts", IM_TENSOR_I64, 1, counts, COUNTS, sizeof COUNTS);
    check_tensor(file, "labels", IM_TENSOR_I32, 1, labels, LABELS, sizeof LABELS);
    assert_int_equal(file->entries, 2);
    assert_string_equal(im_safetensors_value(file, "zebra"), "last \"quoted\" \\ \n");
    assert_string_equal(im_safetensors_value(file, "apple"), "M\xc3\xbcller");
    assert_null(im_safetensors_value(file, "pear"));
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    imsat_error err;
    im_safetensors file = {0}, back = {0};
    const char *path = in_folder("trip");
    assert_ok(build(&file, &err), &err);
    check_contents(&file);
    assert_ok(im_safetensors_write(&file, path, &err), &err);
    assert_ok(im_safetensors_read(&back, path, &err), &err);
    check_contents(&back);
    const char *by_offset[] = {"w", "bytes", "a scalar", "empty", "counts", "labels"};
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(back.tensors[i].name, by_offset[i]);
    assert_string_equal(back.keys[0], "apple");
    im_safetensors_clear(&back);
    im_safetensors_clear(&file);
    im_safetensors_clear(&file);
}

/* A file whose tensors are all aligned stays mapped. */
static void aligned_files_are_not_copied(void **state)
{
    (void)state;
    imsat_error err;
    im_safetensors file = {0}, back = {0};
    const size_t shape[] = {6};
    assert_ok(im_safetensors_add(&file, "w", IM_TENSOR_F32, WEIGHTS, 1, shape, &err), &err);
    assert_ok(im_safetensors_write(&file, in_folder("aligned"), &err), &err);
    assert_ok(im_safetensors_read(&back, in_folder("aligned"), &err), &err);
    assert_non_null(back.bytes.mapped);
    assert_true((uintptr_t)back.tensors[0].data % 64 == 0);
    assert_int_equal(back.entries, 0);
    im_safetensors_clear(&back);
    im_safetensors_clear(&file);
}

static void bytes_are_as_the_format_says(void **state)
{
    (void)state;
    imsat_error err;
    im_safetensors file = {0};
    char first[2048], second[2048];
    uint64_t length;
    assert_ok(build(&file, &err), &err);
    assert_ok(im_safetensors_write(&file, in_folder("one"), &err), &err);
    assert_ok(im_safetensors_write(&file, in_folder("two"), &err), &err);
    const size_t size = read_file(in_folder("one"), first, sizeof first);
    assert_int_equal(read_file(in_folder("two"), second, sizeof second), size);
    assert_memory_equal(first, second, size);

    length = 0;
    for (int i = 0; i < 8; i++)
        length |= (uint64_t)(unsigned char)first[i] << (8 * i);
    assert_true((8 + length) % 64 == 0 && length < size);
    static const char expected[] =
        "{\"__metadata__\":{\"zebra\":\"last \\\"quoted\\\" \\\\ "
        "\\n\",\"apple\":\"M\xc3\xbcller\"},"
        "\"w\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]},"
        "\"bytes\":{\"dtype\":\"U8\",\"shape\":[5,1,1],\"data_offsets\":[24,29]},"
        "\"a scalar\":{\"dtype\":\"F64\",\"shape\":[],\"data_offsets\":[29,37]},"
        "\"empty\":{\"dtype\":\"F32\",\"shape\":[4,0],\"data_offsets\":[37,37]},"
        "\"counts\":{\"dtype\":\"I64\",\"shape\":[2],\"data_offsets\":[37,53]},"
        "\"labels\":{\"dtype\":\"I32\",\"shape\":[3],\"data_offsets\":[53,65]}}";
    assert_memory_equal(first + 8, expected, sizeof expected - 1);
    for (size_t i = 8 + sizeof expected - 1; i < 8 + length; i++)
        assert_int_equal(first[i], ' ');
    const char *data = first + 8 + length;
    assert_int_equal(size, 8 + length + 65);
    assert_memory_equal(data, WEIGHTS, 24);
    assert_memory_equal(data + 24, BYTES, 5);
    assert_memory_equal(data + 29, &SCALAR, 8);
    assert_memory_equal(data + 37, COUNTS, 16);
    assert_memory_equal(data + 53, LABELS, 12);
    im_safetensors_clear(&file);
}

/* A file of `length`, header and `size` zero bytes of data. */
static const char *write_raw(uint64_t length, const char *header, size_t header_size,
                             size_t size)
{
    char bytes[4096] = {0};
    const char *path = in_folder("raw");
    assert_true(8 + header_size + size <= sizeof bytes);
    memcpy(bytes, &length, 8);
    memcpy(bytes + 8, header, header_size);
    write_file(path, bytes, 8 + header_size + size);
    return path;
}

static void refuse_raw(const char *path, const char *part)
{
    imsat_error err = {{0}};
    im_safetensors file = {.count = 77};
    assert_refused(im_safetensors_read(&file, path, &err), &err, IMSAT_EFORMAT, part);
    if (strncmp(err.message, path, strlen(path)) != 0)
        fail_msg("'%s' does not name the path", err.message);
    assert_int_equal(file.count, 77);
}

static void refuse(const char *header, size_t size, const char *part)
{
    const size_t length = strlen(header);
    refuse_raw(write_raw(length, header, length, size), part);
}

static void lengths_are_checked(void **state)
{
    (void)state;
    const char *path = in_folder("short");
    write_file(path, "\1\0\0\0\0\0\0", 7);
    refuse_raw(path, "7 bytes are too few");
    write_file(path, "", 0);
    refuse_raw(path, "empty");
    refuse_raw(write_raw(3, "{}", 2, 0), "header of 3 bytes");
    refuse_raw(write_raw(UINT64_MAX, "{}", 2, 0), "header of 18446744073709551615 bytes");
    refuse_raw(write_raw(100000001, "{}", 2, 9), "header of 100000001 bytes");
    refuse_raw(write_raw(0, "{}", 2, 0), "not a JSON object");
    /* A header over the limit, in a file that is long enough (and sparse). */
    const uint64_t length = 100000001;
    write_file(path, &length, sizeof length);
    assert_int_equal(truncate(path, 100001000), 0);
    refuse_raw(path, "header of 100000001 bytes");
}

static void headers_must_be_objects(void **state)
{
    (void)state;
    refuse("[]", 0, "not a JSON object");
    refuse(" {}", 0, "not a JSON object");
    refuse("{", 0, "header, byte");
    refuse("{} x", 0, "header, byte");
    refuse("{\"a\":}", 0, "header, byte");
    refuse("{\"\xff\":1}", 0, "decode byte 0xff");
    refuse("{\"a\\u0000b\":1}", 0, "header, byte");
    refuse("{\"a\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[0,1]},"
           "\"a\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[0,1]}}",
           1, "duplicate");
    char deep[3000];
    memset(deep, '[', sizeof deep);
    memcpy(deep, "{\"a\":", 5);
    deep[sizeof deep - 1] = 0;
    refuse(deep, 0, "depth");
}

static void metadata_must_be_text(void **state)
{
    (void)state;
    refuse("{\"__metadata__\":[]}", 0, "__metadata__ is not an object");
    refuse("{\"__metadata__\":\"text\"}", 0, "__metadata__ is not an object");
    refuse("{\"__metadata__\":{\"a\":\"b\",\"k\":10}}", 0, "metadata 'k' is not a string");
    refuse("{\"__metadata__\":{\"k\":{}}}", 0, "metadata 'k' is not a string");
    /* What a file says must not steer the terminal that shows it. */
    refuse("{\"__metadata__\":{\"\\u001b[31m\":1}}", 0, "metadata '?[31m' is not");
}

#define TENSOR(dtype, shape, offsets)                                                         \
    "{\"t\":{\"dtype\":" dtype ",\"shape\":" shape ",\"data_offsets\":" offsets "}}"

static void tensors_are_checked(void **state)
{
    (void)state;
    refuse("{\"t\":[]}", 0, "tensor 't' must have");
    refuse("{\"t\":{\"dtype\":\"U8\",\"shape\":[]}}", 0, "tensor 't' must have");
    refuse("{\"t\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1],\"x\":1}}", 1,
           "tensor 't' must have");
    refuse(TENSOR("\"F8_E5M2\"", "[2]", "[0,2]"), 2, "dtype 'F8_E5M2'");
    refuse(TENSOR("7", "[1]", "[0,2]"), 2, "dtype");
    refuse(TENSOR("\"U8\"", "3", "[0,3]"), 3, "shape must be an array");
    refuse(TENSOR("\"U8\"", "[1,1,1,1,1]", "[0,1]"), 1, "at most 4");
    refuse(TENSOR("\"U8\"", "[-1]", "[0,1]"), 1, "dimension 0");
    refuse(TENSOR("\"U8\"", "[1,2.0]", "[0,2]"), 2, "dimension 1");
    refuse(TENSOR("\"U8\"", "[1,\"2\"]", "[0,2]"), 2, "dimension 1");
    refuse(TENSOR("\"U8\"", "[9223372036854775808]", "[0,1]"), 1, "too big integer");
    refuse(TENSOR("\"F32\"", "[4611686018427387904,4]", "[0,0]"), 0, "what its shape needs");
    refuse(TENSOR("\"F32\"", "[3]", "[0,11]"), 11, "11 bytes, which is not");
    refuse(TENSOR("\"U8\"", "[1]", "[0]"), 1, "two offsets");
    refuse(TENSOR("\"U8\"", "[1]", "[0,1,1]"), 1, "two offsets");
    refuse(TENSOR("\"U8\"", "[1]", "{}"), 1, "two offsets");
    refuse(TENSOR("\"U8\"", "[1]", "[-1,0]"), 1, "two offsets");
    refuse(TENSOR("\"U8\"", "[1]", "[0,1e0]"), 1, "two offsets");
    refuse(TENSOR("\"U8\"", "[1]", "[1,0]"), 1, "from 1 to 0");
    refuse(TENSOR("\"U8\"", "[3]", "[0,3]"), 2, "outside the 2 bytes");
}

/* 2^53 + 1 has no double; an offset read through one would be shown as 2^53. */
static void large_offsets_are_exact(void **state)
{
    (void)state;
    refuse(TENSOR("\"U8\"", "[9007199254740993]", "[0,9007199254740993]"), 1,
           "from 0 to 9007199254740993, outside");
    refuse(TENSOR("\"U8\"", "[1]", "[9223372036854775806,9223372036854775807]"), 1,
           "from 9223372036854775806 to 9223372036854775807, outside");
}

#define PAIR(first, second)                                                                   \
    "{\"a\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":" first "},"                     \
    "\"b\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":" second "}}"

static void tensors_tile_the_data(void **state)
{
    (void)state;
    imsat_error err;
    im_safetensors file = {0};
    const char *good = PAIR("[2,5]", "[0,2]");
    const char *path = write_raw(strlen(good), good, strlen(good), 5);
    assert_ok(im_safetensors_read(&file, path, &err), &err);
    assert_string_equal(file.tensors[0].name, "b");
    im_safetensors_clear(&file);
    refuse(PAIR("[0,3]", "[2,4]"), 4,
           "tensor 'b' starts at 2, but the one before it ends at 3");
    refuse(PAIR("[0,3]", "[4,6]"), 6, "tensor 'b' starts at 4");
    refuse(PAIR("[1,4]", "[4,6]"), 6, "tensor 'a' starts at 1");
    refuse(PAIR("[0,3]", "[0,2]"), 3, "starts at 0");
    refuse(PAIR("[0,3]", "[3,5]"), 9, "4 bytes follow the last tensor");
    refuse("{}", 1, "1 bytes follow");
}

/* Whoever asks where the tensors end may have other bytes behind them. */
static void other_bytes_may_follow(void **state)
{
    (void)state;
    imsat_error err;
    im_bytes bytes = {0};
    im_safetensors file = {0};
    size_t end = 0;
    const char *good = PAIR("[2,5]", "[0,2]");
    for (size_t more = 0; more < 3; more++) {
        const char *path = write_raw(strlen(good), good, strlen(good), 5 + more);
        assert_ok(im_bytes_open(&bytes, path, &err), &err);
        assert_ok(im_safetensors_parse(&file, &end, &bytes, path, &err), &err);
        assert_null(bytes.data);
        assert_int_equal(end, 8 + strlen(good) + 5);
        assert_int_equal(file.bytes.size, end + more);
        im_safetensors_clear(&file);
    }
    const char *path = write_raw(strlen(good), good, strlen(good), 4);
    assert_ok(im_bytes_open(&bytes, path, &err), &err);
    assert_refused(im_safetensors_parse(&file, &end, &bytes, path, &err), &err, IMSAT_EFORMAT,
                   "outside the 4 bytes");
    assert_null(bytes.data);
}

/* Others pad to 8 or not at all; a header of odd length moves every tensor. */
static void unaligned_files_are_copied(void **state)
{
    (void)state;
    imsat_error err;
    im_safetensors file = {0};
    const double value = 2.5;
    char bytes[256], header[] = TENSOR("\"F64\"", "[1]", "[0,8]") "  ";
    for (size_t length = sizeof header - 3; length < sizeof header; length++) {
        const uint64_t prefix = length;
        memcpy(bytes, &prefix, 8);
        memcpy(bytes + 8, header, length);
        memcpy(bytes + 8 + length, &value, 8);
        write_file(in_folder("odd"), bytes, 16 + length);
        assert_ok(im_safetensors_read(&file, in_folder("odd"), &err), &err);
        assert_true((uintptr_t)file.tensors[0].data % 8 == 0);
        assert_true(*(const double *)file.tensors[0].data == 2.5);
        assert_true((file.bytes.mapped != NULL) == (length % 8 == 0));
        im_safetensors_clear(&file);
    }
}

static void an_empty_header_is_a_file_of_nothing(void **state)
{
    (void)state;
    imsat_error err;
    im_safetensors file = {0};
    assert_ok(im_safetensors_write(&file, in_folder("nothing"), &err), &err);
    assert_ok(im_safetensors_read(&file, in_folder("nothing"), &err), &err);
    assert_int_equal(file.count + file.entries, 0);
    im_safetensors_clear(&file);
}

static void wrong_building_is_refused(void **state)
{
    (void)state;
    imsat_error err;
    im_safetensors file = {0};
    const size_t shape[5] = {1, 1, 1, 1, 1}, huge[2] = {SIZE_MAX / 2, 3};
    assert_ok(im_safetensors_add(&file, "t", IM_TENSOR_U8, BYTES, 1, shape, &err), &err);
    assert_refused(im_safetensors_add(&file, "t", IM_TENSOR_U8, BYTES, 1, shape, &err), &err,
                   IMSAT_EINVAL, "'t' is there already");
    assert_refused(im_safetensors_add(&file, "d", IM_TENSOR_U8, BYTES, 5, shape, &err), &err,
                   IMSAT_EINVAL, "'d' has 5 dimensions");
    assert_refused(im_safetensors_add(&file, "h", IM_TENSOR_U8, BYTES, 2, huge, &err), &err,
                   IMSAT_EINVAL, "too many elements");
    assert_refused(
        im_safetensors_add(&file, "__metadata__", IM_TENSOR_U8, BYTES, 1, shape, &err), &err,
        IMSAT_EINVAL, "cannot be the name");
    assert_refused(im_safetensors_set(&file, "k", "\xff", &err), &err, IMSAT_EINVAL,
                   "'k' is not UTF-8");
    assert_int_equal(file.count, 1);
    assert_ok(im_safetensors_set(&file, "k", "old", &err), &err);
    assert_ok(im_safetensors_set(&file, "k", "new", &err), &err);
    assert_int_equal(file.entries, 1);
    assert_string_equal(im_safetensors_value(&file, "k"), "new");
    im_safetensors_clear(&file);
}

static void get_wants_the_exact_type_and_shape(void **state)
{
    (void)state;
    imsat_error err;
    im_safetensors file = {0};
    const im_tensor *tensor = NULL;
    const size_t shape[] = {2, 3}, turned[] = {3, 2};
    assert_ok(build(&file, &err), &err);
    assert_refused(im_safetensors_get(&tensor, &file, "m", "v", IM_TENSOR_F32, 2, shape, &err),
                   &err, IMSAT_EFORMAT, "m: tensor 'v' is missing");
    assert_refused(
        im_safetensors_get(&tensor, &file, "m", "w", IM_TENSOR_F32, 2, turned, &err), &err,
        IMSAT_EFORMAT, "m: tensor 'w' is F32 (2, 3), and must be F32 (3, 2)");
    assert_refused(im_safetensors_get(&tensor, &file, "m", "w", IM_TENSOR_F32, 1, shape, &err),
                   &err, IMSAT_EFORMAT, "must be F32 (2)");
    assert_refused(im_safetensors_get(&tensor, &file, "m", "w", IM_TENSOR_I32, 2, shape, &err),
                   &err, IMSAT_EFORMAT, "must be I32 (2, 3)");
    assert_null(tensor);
    im_safetensors_clear(&file);
}

/* The child may write 4096 bytes of any file; the signal of the next byte kills it. */
static void write_and_be_killed(const char *path)
{
    static const double zero[4096];
    im_safetensors file = {0};
    const size_t shape[] = {4096};
    const struct rlimit limit = {4096, 4096};
    signal(SIGXFSZ, SIG_DFL);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0 ||
        im_safetensors_add(&file, "new", IM_TENSOR_F64, zero, 1, shape, NULL) != IMSAT_OK ||
        im_safetensors_write(&file, path, NULL) != IMSAT_OK)
        _exit(1);
    _exit(0);
}

static void a_killed_writer_leaves_the_old_file(void **state)
{
    (void)state;
    imsat_error err;
    im_safetensors file = {0}, back = {0};
    const char *path = in_folder("kept");
    int status = 0;
    assert_ok(build(&file, &err), &err);
    assert_ok(im_safetensors_write(&file, path, &err), &err);
    const size_t entries = folder_count();
    const pid_t child = fork();
    if (child == 0)
        write_and_be_killed(path);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGXFSZ);
    assert_int_equal(folder_count(), entries + 1); /* it did write: half a temporary file */
    assert_ok(im_safetensors_read(&back, path, &err), &err);
    check_contents(&back);
    im_safetensors_clear(&back);
    im_safetensors_clear(&file);
}

static void unwritable_and_missing_files(void **state)
{
    (void)state;
    imsat_error err;
    im_safetensors file = {0};
    assert_refused(im_safetensors_write(&file, in_folder("no/such/folder"), &err), &err,
                   IMSAT_EIO, "no/such/folder: cannot be written");
    assert_refused(im_safetensors_read(&file, in_folder("absent"), &err), &err, IMSAT_EIO,
                   "absent: No such file");
}

static imsat_status attempt_build(void *context, imsat_error *err)
{
    (void)context;
    im_safetensors file = {0};
    const imsat_status st = build(&file, err);
    if (st == IMSAT_OK)
        check_contents(&file);
    im_safetensors_clear(&file);
    return st;
}

static imsat_status attempt_write(void *context, imsat_error *err)
{
    return im_safetensors_write(context, in_folder("scarce"), err);
}

static imsat_status attempt_read(void *context, imsat_error *err)
{
    im_safetensors file = {.count = 77};
    const imsat_status st = im_safetensors_read(&file, context, err);
    if (st == IMSAT_OK) {
        check_contents(&file);
        im_safetensors_clear(&file);
    } else {
        assert_int_equal(file.count, 77);
    }
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    imsat_error err;
    im_safetensors file = {0};
    char path[512];
    assert_int_equal(fail_each(attempt_build, NULL), 6 + 4 + 4 + 4);
    assert_ok(build(&file, &err), &err);
    assert_int_equal(fail_each(attempt_write, &file), 3);
    snprintf(path, sizeof path, "%s", in_folder("scarce"));
    assert_int_equal(fail_each(attempt_read, path), 2 + 1 + 6 + 2 + 4 + 1);
    im_safetensors_clear(&file);
}

/* Compressed, the file is read up to the end of the last tensor; a header may be longer than
 * the first bytes that are looked at. */
static void compressed_files_are_read(void **state)
{
    (void)state;
    enum { LENGTH = 100000, SIZE = 8 + LENGTH + 5 };
    static char bytes[SIZE + 1];
    imsat_error err;
    im_safetensors file = {0};
    const uint64_t length = LENGTH;
    memcpy(bytes, &length, 8);
    memset(bytes + 8, ' ', LENGTH);
    memcpy(bytes + 8, PAIR("[2,5]", "[0,2]"), strlen(PAIR("[2,5]", "[0,2]")));
    memcpy(bytes + 8 + LENGTH, "bbaaa", 5);
    assert_ok(im_safetensors_read(&file, file_gzip("x", bytes, SIZE), &err), &err);
    assert_string_equal(file.tensors[0].name, "b");
    assert_memory_equal(file.tensors[1].data, "aaa", 3);
    im_safetensors_clear(&file);
    assert_refused(im_safetensors_read(&file, file_gzip("x", bytes, SIZE + 1), &err), &err,
                   IMSAT_EFORMAT, "more bytes follow the last tensor");
    assert_refused(im_safetensors_read(&file, file_gzip("x", bytes, SIZE - 1), &err), &err,
                   IMSAT_EFORMAT, "tensor 'a' lies from 2 to 5, outside the 4 bytes");
    assert_refused(im_safetensors_read(&file, file_gzip("x", bytes, 8 + LENGTH - 1), &err),
                   &err, IMSAT_EFORMAT, "header of 100000 bytes, more than the file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(aligned_files_are_not_copied),
        cmocka_unit_test(bytes_are_as_the_format_says),
        cmocka_unit_test(lengths_are_checked),
        cmocka_unit_test(headers_must_be_objects),
        cmocka_unit_test(metadata_must_be_text),
        cmocka_unit_test(tensors_are_checked),
        cmocka_unit_test(large_offsets_are_exact),
        cmocka_unit_test(tensors_tile_the_data),
        cmocka_unit_test(other_bytes_may_follow),
        cmocka_unit_test(unaligned_files_are_copied),
        cmocka_unit_test(an_empty_header_is_a_file_of_nothing),
        cmocka_unit_test(wrong_building_is_refused),
        cmocka_unit_test(get_wants_the_exact_type_and_shape),
        cmocka_unit_test(a_killed_writer_leaves_the_old_file),
        cmocka_unit_test(unwritable_and_missing_files),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(compressed_files_are_read),
    };
    return cmocka_run_group_tests_name("safetensors", tests, folder_setup, folder_teardown);
}
