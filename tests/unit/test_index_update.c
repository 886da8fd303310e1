/* SPDX-License-Identifier: MIT
 * Index files that change: what an append costs and leaves behind, whatever cuts it short;
 * that the answers are those of one index; that of several writers none is lost. */
#define _POSIX_C_SOURCE 200809L
#include "search/index_file.h"

#include "codes.h"
#include "core/alloc.h"
#include "core/lock.h"
#include "data_files.h"
#include "failing_alloc.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BITS = 45, WIDTH = 6, BASE = 400, ROWS = 480, QUERIES = 31, ROOM = 1 << 17 };

static codes_case whole; /* ROWS codes with ids; tests append from BASE on */

static int whole_make(void **state)
{
    codes_case_make(&whole, CODES_CLUSTERED, ROWS, QUERIES, BITS);
    return folder_setup(state);
}

static int whole_clear(void **state)
{
    codes_case_clear(&whole);
    return folder_teardown(state);
}

static imsat_codes part(size_t first, size_t end)
{
    return (imsat_codes){whole.codes.bytes + first * WIDTH, end - first, BITS};
}

static imsat_index *index_of(size_t first, size_t end)
{
    imsat_error err;
    imsat_index *index = NULL;
    const imsat_codes codes = part(first, end);
    assert_ok(imsat_index_new(&index, &codes, whole.ids + first, &err), &err);
    return index;
}

/* A file with the first rows, all in the base. */
static const char *make_file(size_t rows)
{
    imsat_error err;
    imsat_index *index = index_of(0, rows);
    assert_ok(imsat_index_save(index, in_folder("index"), &err), &err);
    imsat_index_free(index);
    return in_folder("index");
}

/* Append rows first .. end - 1 to the file. */
static imsat_status append(imsat_index_info *after, const char *path, size_t first, size_t end,
                           imsat_error *err)
{
    const imsat_codes codes = part(first, end);
    const imsat_index_change change = {.codes = &codes, .ids = whole.ids + first};
    return imsat_index_update(after, path, &change, err);
}

static void must_append(const char *path, size_t first, size_t end, size_t journal)
{
    imsat_error err;
    imsat_index_info info;
    assert_ok(append(&info, path, first, end, &err), &err);
    assert_int_equal(info.rows, end);
    assert_int_equal(info.journal_rows, journal);
    assert_int_equal(info.bits, BITS);
}

/* Fail unless the file is opened with these rows, `journal` of them appended. */
static void assert_holds(const char *path, size_t rows, size_t journal)
{
    imsat_error err;
    imsat_index *index = NULL, *merged = NULL, *expected = index_of(0, rows);
    imsat_index_info info;
    assert_ok(imsat_index_open(&index, path, &err), &err);
    assert_int_equal(imsat_index_rows(index), rows);
    assert_int_equal(imsat_index_journal_rows(index), journal);
    assert_ok(imsat_index_delete(&merged, index, NULL, 0, &err), &err);
    assert_memory_equal(merged->ids, expected->ids, rows * sizeof *merged->ids);
    assert_memory_equal(merged->first, expected->first,
                        (merged->distinct + 1) * sizeof *merged->first);
    assert_memory_equal(merged->codes, expected->codes,
                        merged->distinct * sizeof *merged->codes);
    assert_ok(imsat_index_peek(&info, path, &err), &err);
    assert_true(info.rows == rows && info.journal_rows == journal && info.bits == BITS);
    imsat_index_free(merged);
    imsat_index_free(index);
    imsat_index_free(expected);
}

/* ---- what an append does ------------------------------------------------------- */

static void codes_go_behind_the_end(void **state)
{
    (void)state;
    static unsigned char before[ROOM], after[ROOM];
    const char *path = make_file(BASE);
    struct stat old, new;
    const size_t size = read_file(path, before, ROOM);
    assert_int_equal(stat(path, &old), 0);
    must_append(path, BASE, BASE + 5, 5); /* 80 bytes, filled up to 128, and two marks */
    assert_int_equal(read_file(path, after, ROOM), size + 256);
    assert_memory_equal(after, before, size);
    assert_int_equal(stat(path, &new), 0);
    assert_true(old.st_ino == new.st_ino);
    must_append(path, BASE + 5, BASE + 30, 30);
    assert_holds(path, BASE + 30, 30);
}

/* What a fourth of the base does not hold is merged, and the file is as one made at once. */
static void a_large_journal_is_merged(void **state)
{
    (void)state;
    static unsigned char merged[ROOM], made[ROOM];
    const char *path = make_file(300);
    must_append(path, 300, 370, 70);
    must_append(path, 370, 375, 75);
    must_append(path, 375, 376, 0);
    assert_holds(path, 376, 0);
    const size_t size = read_file(path, merged, ROOM);
    make_file(376);
    assert_int_equal(read_file(path, made, ROOM), size);
    assert_memory_equal(merged, made, size);
    must_append(path, 376, ROWS, 0); /* too much for a journal at once */
    assert_holds(path, ROWS, 0);
}

static void an_empty_index_is_appended_to(void **state)
{
    (void)state;
    imsat_error err;
    imsat_index_info info;
    const imsat_codes codes = part(0, 3), none = part(0, 0);
    imsat_index *index = NULL;
    assert_ok(imsat_index_new(&index, &none, NULL, &err), &err);
    assert_ok(imsat_index_save(index, in_folder("index"), &err), &err);
    imsat_index_free(index);
    const imsat_index_change nothing = {0}, no_codes = {.codes = &none};
    assert_ok(imsat_index_update(&info, in_folder("index"), &nothing, &err), &err);
    assert_ok(imsat_index_update(NULL, in_folder("index"), &no_codes, &err), &err);
    assert_int_equal(info.rows, 0);
    const imsat_index_change change = {.codes = &codes};
    assert_ok(imsat_index_update(&info, in_folder("index"), &change, &err), &err);
    assert_int_equal(info.rows, 3);
    assert_ok(imsat_index_open(&index, in_folder("index"), &err), &err);
    assert_int_equal(im_index_largest(index), 2);
    imsat_index_free(index);
}

/* Base and journal, asked in every way, beside a loop over all codes. */
static void answers_are_those_of_one_index(void **state)
{
    (void)state;
    imsat_error err;
    static const size_t asked[][2] = {{1, IMSAT_ANY_DISTANCE},
                                      {10, IMSAT_ANY_DISTANCE},
                                      {ROWS, IMSAT_ANY_DISTANCE},
                                      {9, 3},
                                      {0, 0},
                                      {0, 4}};
    const char *path = make_file(BASE);
    for (size_t row = BASE; row < ROWS; row += 16)
        must_append(path, row, row + 16, row + 16 - BASE);
    imsat_index *index = NULL;
    assert_ok(imsat_index_open(&index, path, &err), &err);
    assert_int_equal(imsat_index_journal_rows(index), ROWS - BASE);
    for (size_t a = 0; a < sizeof asked / sizeof *asked; a++)
        for (int m = 0; m < IMSAT_SEARCH_METHODS; m++) {
            imsat_hits hits;
            const imsat_search_options opt = {asked[a][0], asked[a][1], (imsat_search_method)m,
                                              1 + m % 2};
            assert_ok(imsat_search(&hits, index, &whole.queries, &opt, &err), &err);
            assert_hits(&hits, &whole, opt.count, opt.radius);
            imsat_hits_clear(&hits);
        }
    imsat_index_free(index);
}

/* An index stays what it was when it was opened. */
static void an_open_index_does_not_change(void **state)
{
    (void)state;
    imsat_error err;
    imsat_index *index = NULL;
    imsat_hits hits;
    const char *path = make_file(BASE);
    must_append(path, BASE, BASE + 20, 20);
    assert_ok(imsat_index_open(&index, path, &err), &err);
    must_append(path, BASE + 20, BASE + 40, 40);
    const imsat_index_change gone = {.delete_ids = whole.ids, .delete_count = BASE};
    assert_ok(imsat_index_update(NULL, path, &gone, &err), &err);
    const imsat_search_options opt = {.count = ROWS, .radius = IMSAT_ANY_DISTANCE};
    const imsat_codes query = part(0, 1);
    assert_ok(imsat_search(&hits, index, &query, &opt, &err), &err);
    assert_int_equal(hits.start[1], BASE + 20);
    imsat_hits_clear(&hits);
    imsat_index_free(index);
}

/* ---- ids --------------------------------------------------------------------------- */

static imsat_status append_ids(const char *path, const int64_t *ids, size_t count,
                               imsat_error *err)
{
    const imsat_codes codes = part(0, count);
    const imsat_index_change change = {.codes = &codes, .ids = ids};
    return imsat_index_update(NULL, path, &change, err);
}

static void ids_go_on_from_the_largest(void **state)
{
    (void)state;
    imsat_error err;
    const char *path = make_file(BASE);
    imsat_index *index = NULL;
    assert_ok(append_ids(path, NULL, 3, &err), &err);
    assert_ok(append_ids(path, (int64_t[]){INT64_MAX - 9, -100000}, 2, &err), &err);
    assert_ok(append_ids(path, NULL, 4, &err), &err);
    assert_ok(imsat_index_open(&index, path, &err), &err);
    assert_int_equal(imsat_index_journal_rows(index), 9);
    assert_int_equal(im_index_largest(index), INT64_MAX - 5);
    imsat_index_free(index);
    assert_refused(append_ids(path, NULL, 6, &err), &err, IMSAT_EINVAL,
                   "behind the id 9223372036854775802 there are none for 6 codes");
    assert_ok(append_ids(path, NULL, 5, &err), &err);
}

static void an_id_is_taken_once(void **state)
{
    (void)state;
    imsat_error err;
    static unsigned char before[ROOM], after[ROOM];
    const char *path = make_file(BASE);
    must_append(path, BASE, BASE + 10, 10);
    const size_t size = read_file(path, before, ROOM);
    assert_refused(append_ids(path, (int64_t[]){90000, whole.ids[7]}, 2, &err), &err,
                   IMSAT_EINVAL, ", given for row 1, is in the index already");
    assert_refused(append_ids(path, (int64_t[]){whole.ids[BASE + 9]}, 1, &err), &err,
                   IMSAT_EINVAL, ", given for row 0, is in the index already");
    assert_refused(append_ids(path, (int64_t[]){90000, 90001, 90000}, 3, &err), &err,
                   IMSAT_EINVAL, "the id 90000 is given twice, for rows 0 and 2");
    assert_refused(append_ids(path, (int64_t[]){90000, -1}, 2, &err), &err, IMSAT_EINVAL,
                   "the id of row 1 is -1");
    assert_int_equal(read_file(path, after, ROOM), size);
    assert_memory_equal(before, after, size);
    assert_ok(append_ids(path, (int64_t[]){whole.ids[7] + 1, 90000}, 2, &err), &err);
}

/* ---- deleting ----------------------------------------------------------------------- */

static void rows_of_both_parts_are_deleted(void **state)
{
    (void)state;
    imsat_error err;
    imsat_index_info info;
    const char *path = make_file(BASE);
    must_append(path, BASE, BASE + 50, 50);
    const int64_t gone[] = {whole.ids[BASE + 3], whole.ids[12]},
                  none[] = {whole.ids[ROWS - 1]};
    const imsat_index_change missing = {.delete_ids = none, .delete_count = 1};
    assert_refused(imsat_index_update(&info, path, &missing, &err), &err, IMSAT_EMISMATCH,
                   "is not in the index, so it cannot be deleted");
    assert_holds(path, BASE + 50, 50);
    const imsat_index_change change = {.delete_ids = gone, .delete_count = 2};
    assert_ok(imsat_index_update(&info, path, &change, &err), &err);
    assert_true(info.rows == BASE + 48 && info.journal_rows == 0);
    const imsat_codes codes = {whole.codes.bytes + 12 * WIDTH, 1, BITS};
    const int64_t next[] = {whole.ids[13]};
    const imsat_index_change both = {next, 1, &codes, next}; /* another code for an id */
    assert_ok(imsat_index_update(&info, path, &both, &err), &err);
    assert_int_equal(info.rows, BASE + 48);
}

/* ---- what is cut short or damaged ----------------------------------------------------- */

/* The bytes of a file with two appends; *first and *second are where they begin. */
static size_t appended_bytes(unsigned char *bytes, size_t *first, size_t *second)
{
    const char *path = make_file(BASE);
    *first = read_file(path, bytes, ROOM);
    must_append(path, BASE, BASE + 9, 9);
    *second = read_file(path, bytes, ROOM);
    must_append(path, BASE + 9, BASE + 14, 14);
    return read_file(path, bytes, ROOM);
}

static void cut_at_any_byte_it_is_old_or_new(void **state)
{
    (void)state;
    static unsigned char bytes[ROOM];
    size_t first, second;
    const size_t size = appended_bytes(bytes, &first, &second);
    for (size_t cut = first; cut <= size; cut++) {
        const size_t journal = cut < second ? 0 : cut < size ? 9 : 14;
        const char *path = file_put("cut", bytes, cut);
        assert_holds(path, BASE + journal, journal);
        must_append(path, BASE + journal, BASE + 20, 20);
        assert_holds(path, BASE + 20, 20);
    }
}

static void damage_of_any_byte_is_refused(void **state)
{
    (void)state;
    imsat_error err;
    imsat_index *index = NULL;
    static unsigned char bytes[ROOM];
    size_t first, second;
    const size_t size = appended_bytes(bytes, &first, &second);
    for (size_t i = first; i < size; i++) {
        bytes[i] ^= (unsigned char)(1U << i % 8);
        const char *path = file_put("damaged", bytes, size);
        assert_refused(imsat_index_open(&index, path, &err), &err, IMSAT_EFORMAT,
                       "is damaged");
        assert_null(index);
        bytes[i] ^= (unsigned char)(1U << i % 8);
    }
}

/* An append reads the marks of the last record only. If they are damaged, it is refused, not
 * taken for the rest of one that was cut short. */
static void nothing_is_appended_to_damaged_marks(void **state)
{
    (void)state;
    imsat_error err;
    imsat_index_info info;
    static unsigned char bytes[ROOM], after[ROOM];
    size_t first, second;
    const size_t size = appended_bytes(bytes, &first, &second);
    for (size_t i = second; i < size; i++) {
        if (i == second + 64)
            i = size - 64;
        bytes[i] ^= 2;
        const char *path = file_put("damaged", bytes, size);
        assert_refused(append(NULL, path, BASE + 14, BASE + 15, &err), &err, IMSAT_EFORMAT,
                       "is damaged");
        assert_refused(imsat_index_peek(&info, path, &err), &err, IMSAT_EFORMAT, "is damaged");
        assert_int_equal(read_file(path, after, ROOM), size);
        assert_memory_equal(after, bytes, size);
        bytes[i] ^= 2;
    }
}

/* ---- failures -------------------------------------------------------------------------- */

static void what_is_no_index_is_refused(void **state)
{
    (void)state;
    imsat_error err;
    imsat_index_info info = {.rows = 77};
    const imsat_codes codes = {whole.codes.bytes, 2, 48};
    const imsat_index_change other = {.codes = &codes}, nothing = {0};
    const imsat_index_change none = {.delete_count = 1};
    const char *path = make_file(BASE);
    assert_refused(imsat_index_update(&info, path, &other, &err), &err, IMSAT_EMISMATCH,
                   "codes of 48 bits cannot be added to an index of 45 bits");
    assert_refused(imsat_index_update(&info, path, &none, &err), &err, IMSAT_EINVAL,
                   "1 ids are to be deleted, but none are given");
    assert_refused(imsat_index_update(&info, in_folder("none"), &nothing, &err), &err,
                   IMSAT_EIO, "none: No such file");
    assert_refused(imsat_index_peek(&info, in_folder("none"), &err), &err, IMSAT_EIO,
                   "none: No such file");
    const char *text = file_text("text", "not an index, but long enough to be one");
    assert_refused(imsat_index_update(&info, text, &nothing, &err), &err, IMSAT_EFORMAT,
                   "it is not an index");
    assert_refused(imsat_index_peek(&info, text, &err), &err, IMSAT_EFORMAT,
                   "it is not an index");
    assert_int_equal(info.rows, 77);
}

/* A compressed index cannot be appended to, so it is written anew. */
static void a_compressed_file_is_written_anew(void **state)
{
    (void)state;
    imsat_error err;
    imsat_index_info info;
    static unsigned char bytes[ROOM];
    size_t first, second;
    const size_t size = appended_bytes(bytes, &first, &second);
    const char *path = file_gzip("zipped", bytes, size);
    assert_ok(imsat_index_peek(&info, path, &err), &err);
    assert_true(info.rows == BASE + 14 && info.journal_rows == 14);
    must_append(path, BASE + 14, BASE + 15, 0);
    assert_holds(path, BASE + 15, 0);
}

static void a_busy_file_is_left_alone(void **state)
{
    (void)state;
    imsat_error err;
    const char *path = make_file(BASE);
    int lock = -1;
    assert_ok(im_lock_take(&lock, path, IM_LOCK_CHANGE, &err), &err);
    assert_refused(append(NULL, path, BASE, BASE + 1, &err), &err, IMSAT_EBUSY,
                   "index: is being changed by another process; try again");
    assert_holds(path, BASE, 0); /* readers are not kept waiting */
    im_lock_drop(lock);
    must_append(path, BASE, BASE + 1, 1);
}

/* In a process that may not write beyond `limit` bytes: 0 if the append is refused for that.
 */
static int append_within(const char *path, size_t first, size_t end, size_t limit)
{
    imsat_error err;
    const struct rlimit most = {limit, limit};
    signal(SIGXFSZ, SIG_IGN);
    return setrlimit(RLIMIT_FSIZE, &most) != 0 ||
           append(NULL, path, first, end, &err) != IMSAT_EIO ||
           !strstr(err.message, "File too large");
}

/* In the middle of a record, and of the temporary file of a merge. */
static void a_full_disk_leaves_the_old_index(void **state)
{
    (void)state;
    static unsigned char before[ROOM], after[ROOM];
    static const size_t rows[][2] = {{BASE, 5}, {BASE, 80}, {300, 76}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t first = rows[i][0], end = first + rows[i][1];
        const char *path = make_file(first);
        const size_t size = read_file(path, before, ROOM), files = folder_count();
        for (size_t limit = i < 2 ? size : 4096; limit <= size + 255; limit += 51) {
            int status = -1;
            const pid_t child = fork();
            assert_true(child >= 0);
            if (child == 0)
                _exit(append_within(path, first, end, limit));
            assert_int_equal(waitpid(child, &status, 0), child);
            assert_int_equal(status, 0);
            assert_int_equal(read_file(path, after, ROOM), size);
            assert_memory_equal(before, after, size);
            assert_int_equal(folder_count(), files);
        }
    }
}

typedef struct attempt {
    unsigned char bytes[ROOM];
    size_t size;
    imsat_index_change change;
} attempt;

/* After a failure the file has the bytes that it had. */
static imsat_status try_update(void *context, imsat_error *err)
{
    static unsigned char after[ROOM];
    const attempt *a = context;
    imsat_index_info info = {.rows = 77};
    write_file(in_folder("index"), a->bytes, a->size);
    const imsat_status st = imsat_index_update(&info, in_folder("index"), &a->change, err);
    if (st != IMSAT_OK) {
        assert_int_equal(info.rows, 77);
        assert_int_equal(read_file(in_folder("index"), after, ROOM), a->size);
        assert_memory_equal(after, a->bytes, a->size);
    }
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static attempt a;
    size_t first, second;
    a.size = appended_bytes(a.bytes, &first, &second);
    const imsat_codes some = part(BASE + 14, BASE + 17), many = part(BASE + 14, ROWS);
    const int64_t low[] = {-70001, -70002, -70003}; /* they are looked for in both parts */
    a.change = (imsat_index_change){.codes = &some};
    assert_true(fail_each(try_update, &a) > 20);
    a.change.ids = low;
    assert_true(fail_each(try_update, &a) > 25);
    a.size--; /* the last append is not finished */
    assert_true(fail_each(try_update, &a) > 25);
    a.change = (imsat_index_change){whole.ids, 3, &many, whole.ids + BASE + 14};
    assert_true(fail_each(try_update, &a) > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_go_behind_the_end),
        cmocka_unit_test(a_large_journal_is_merged),
        cmocka_unit_test(an_empty_index_is_appended_to),
        cmocka_unit_test(answers_are_those_of_one_index),
        cmocka_unit_test(an_open_index_does_not_change),
        cmocka_unit_test(ids_go_on_from_the_largest),
        cmocka_unit_test(an_id_is_taken_once),
        cmocka_unit_test(rows_of_both_parts_are_deleted),
        cmocka_unit_test(cut_at_any_byte_it_is_old_or_new),
        cmocka_unit_test(damage_of_any_byte_is_refused),
        cmocka_unit_test(nothing_is_appended_to_damaged_marks),
        cmocka_unit_test(what_is_no_index_is_refused),
        cmocka_unit_test(a_compressed_file_is_written_anew),
        cmocka_unit_test(a_busy_file_is_left_alone),
        cmocka_unit_test(a_full_disk_leaves_the_old_index),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, whole_make, whole_clear);
}
