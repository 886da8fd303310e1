/* SPDX-License-Identifier: MIT
 * The journal: what is appended comes back; cut at any byte it is what it was before or after
 * an append; changed in any byte it is refused. */
#define _POSIX_C_SOURCE 200809L
#include "search/journal.h"

#include "core/checksum.h"
#include "failing_alloc.h"
#include "support.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BITS = 70, WORDS = 2, BASE = 192, RECORDS = 3, MOST_ROWS = 13, ROOM = 4096, MARK = 64 };

static const im_journal_state BASE_STATE = {BITS, BASE, BASE, 5, 40};
static const size_t ROWS[RECORDS] = {4, 1, 8}; /* 96 bytes, 24, 192: two are filled up */
static const size_t ENDS[RECORDS + 1] = {0, 256, 448, 768};

static int64_t id_of(size_t row)
{
    return row == 6 ? -900 : 3 * (int64_t)row + 30; /* the first three are below the largest */
}

static uint64_t word_of(size_t row, size_t word)
{
    return (row + 1) * 0x9e3779b97f4a7c15 ^ (word ? 0x1234 : 0);
}

/* Append rows to a file that is open. */
static imsat_status append(im_journal_state *state, int fd, size_t first, size_t rows,
                           imsat_error *err)
{
    int64_t ids[MOST_ROWS];
    uint64_t codes[MOST_ROWS * WORDS];
    for (size_t i = 0; i < rows; i++) {
        ids[i] = id_of(first + i);
        for (size_t j = 0; j < WORDS; j++)
            codes[i * WORDS + j] = word_of(first + i, j);
    }
    return im_journal_append(state, fd, codes, ids, rows, "file", err);
}

static int open_file(const char *name)
{
    const int fd = open(in_folder(name), O_RDWR | O_CREAT, 0600);
    assert_true(fd >= 0);
    return fd;
}

/* A file of some bytes in place of a base, and the records behind; the journal is copied to
 * bytes (ROOM). Returns how large it is. */
static size_t make(unsigned char *bytes, const char *name)
{
    imsat_error err;
    unsigned char base[BASE];
    im_journal_state state = BASE_STATE;
    memset(base, 0xbb, sizeof base);
    write_file(in_folder(name), base, sizeof base);
    const int fd = open_file(name);
    for (size_t r = 0, row = 0; r < RECORDS; row += ROWS[r++]) {
        assert_ok(append(&state, fd, row, ROWS[r], &err), &err);
        assert_int_equal(state.end, BASE + ENDS[r + 1]);
    }
    assert_int_equal(state.rows, 5 + 13);
    assert_int_equal(state.largest, 66);
    unsigned char all[ROOM];
    const size_t size = read_file(in_folder(name), all, ROOM);
    assert_int_equal(size, state.end);
    assert_memory_equal(all, base, BASE);
    memcpy(bytes, all + BASE, size - BASE);
    close(fd);
    return size - BASE;
}

static void assert_rows(const im_journal *journal, const im_journal_state *state,
                        size_t records)
{
    size_t rows = 0;
    for (size_t r = 0; r < records; r++)
        rows += ROWS[r];
    assert_int_equal(journal->rows, rows);
    assert_int_equal(state->rows, 5 + rows);
    assert_int_equal(state->end, BASE + ENDS[records]);
    assert_int_equal(state->largest, records < 2 ? 40 : records == 2 ? 42 : 66);
    for (size_t i = 0; i < rows; i++) {
        assert_true(journal->ids[i] == id_of(i));
        for (size_t j = 0; j < WORDS; j++)
            assert_true(journal->codes[i * WORDS + j] == word_of(i, j));
    }
}

static imsat_status parse(const unsigned char *bytes, size_t size, size_t records,
                          imsat_error *err)
{
    im_journal journal = {0};
    im_journal_state state = BASE_STATE;
    const imsat_status st = im_journal_parse(&journal, &state, bytes, size, "file", err);
    if (st == IMSAT_OK) {
        assert_rows(&journal, &state, records);
    } else {
        assert_null(journal.ids);
        assert_memory_equal(&state, &BASE_STATE, sizeof state);
    }
    im_journal_clear(&journal);
    return st;
}

static void assert_damaged(const unsigned char *bytes, size_t size)
{
    imsat_error err;
    assert_refused(parse(bytes, size, 0, &err), &err, IMSAT_EFORMAT, "is damaged; ");
}

static void what_is_appended_comes_back(void **state)
{
    (void)state;
    imsat_error err;
    unsigned char bytes[ROOM];
    const size_t size = make(bytes, "file");
    assert_int_equal(size, ENDS[RECORDS]);
    assert_ok(parse(bytes, size, RECORDS, &err), &err);
    const int fd = open_file("file");
    im_journal journal = {0};
    im_journal_state read = BASE_STATE, last = BASE_STATE;
    assert_ok(im_journal_read(&journal, &read, fd, "file", &err), &err);
    assert_rows(&journal, &read, RECORDS);
    im_journal_clear(&journal);
    assert_true(im_journal_last(&last, fd));
    assert_memory_equal(&last, &read, sizeof last);
    close(fd);
}

/* docs/formats.md has this layout. */
static void bytes_are_as_documented(void **state)
{
    (void)state;
    unsigned char bytes[ROOM];
    make(bytes, "file");
    const unsigned char *head = bytes + ENDS[1], *end = bytes + ENDS[2] - MARK;
    static const unsigned char numbers[40] = {1, 0, 0,    0, BITS, 0, 0, 0, 1, 0, 0,  0, 0, 0,
                                              0, 0, BASE, 0, 0,    0, 0, 0, 0, 0, 10, 0, 0, 0,
                                              0, 0, 0,    0, 42,   0, 0, 0, 0, 0, 0,  0};
    const uint64_t payload = im_checksum_of(head + MARK, MARK);
    const uint64_t sums[2] = {im_checksum_of(head, 56), im_checksum_of(end, 56)};
    assert_memory_equal(head, "imsatadd", 8);
    assert_memory_equal(end, "imsatend", 8);
    assert_memory_equal(head + 8, numbers, sizeof numbers);
    assert_memory_equal(end + 8, numbers, sizeof numbers);
    assert_memory_equal(head + 48, &payload, 8);
    assert_memory_equal(end + 48, &payload, 8);
    assert_memory_equal(head + 56, &sums[0], 8);
    assert_memory_equal(end + 56, &sums[1], 8);
    const uint64_t row[3] = {42, word_of(4, 0), word_of(4, 1)};
    assert_memory_equal(head + MARK, row, sizeof row);
    for (size_t i = sizeof row; i < MARK; i++)
        assert_int_equal(head[MARK + i], 0);
}

static size_t records_within(size_t size)
{
    size_t records = 0;
    while (records < RECORDS && ENDS[records + 1] <= size)
        records++;
    return records;
}

static void a_cut_journal_is_what_it_was_before(void **state)
{
    (void)state;
    imsat_error err;
    unsigned char bytes[ROOM];
    const size_t size = make(bytes, "file");
    for (size_t cut = 0; cut <= size; cut++)
        assert_ok(parse(bytes, cut, records_within(cut), &err), &err);
}

/* Before the last 8 bytes are written there are zeros, and not all of the rest need be on the
 * disk. */
static void what_was_not_finished_is_not_there(void **state)
{
    (void)state;
    imsat_error err;
    unsigned char bytes[ROOM];
    const size_t size = make(bytes, "file");
    memset(bytes + size - 8, 0, 8);
    assert_ok(parse(bytes, size, RECORDS - 1, &err), &err);
    for (size_t at = ENDS[2]; at < size; at += 8) {
        unsigned char partly[ROOM];
        memcpy(partly, bytes, size);
        memset(partly + at, 0, 8);
        assert_ok(parse(partly, size, RECORDS - 1, &err), &err);
        memset(partly + ENDS[2], 0, at - ENDS[2]);
        assert_ok(parse(partly, size, RECORDS - 1, &err), &err);
    }
}

static void a_change_in_any_byte_is_found(void **state)
{
    (void)state;
    unsigned char bytes[ROOM];
    const size_t size = make(bytes, "file");
    for (size_t i = 0; i < size; i++)
        for (size_t bit = 0; bit < 8; bit += 1 + i % 3) {
            bytes[i] ^= (unsigned char)(1U << bit);
            assert_damaged(bytes, size);
            bytes[i] ^= (unsigned char)(1U << bit);
        }
}

/* Damage is not taken for an append that was cut short because there is one behind it. */
static void damage_before_a_cut_append_is_found(void **state)
{
    (void)state;
    unsigned char bytes[ROOM];
    make(bytes, "file");
    for (size_t cut = ENDS[2] + 1; cut < ENDS[3]; cut += 37)
        for (size_t i = 0; i < ENDS[2]; i += 5) {
            bytes[i] ^= 0x10;
            assert_damaged(bytes, cut);
            bytes[i] ^= 0x10;
        }
}

static void the_damaged_place_is_named(void **state)
{
    (void)state;
    imsat_error err;
    unsigned char bytes[ROOM];
    const size_t size = make(bytes, "file");
    bytes[ENDS[1] + 70] ^= 1;
    assert_refused(parse(bytes, size, 0, &err), &err, IMSAT_EFORMAT,
                   "file: append 2 since the index was made or merged, at byte 448, is "
                   "damaged; make the index again from its codes, or cut the file to 448 "
                   "bytes");
    assert_ok(parse(bytes, ENDS[1], 1, &err), &err); /* what the message advises */
}

/* Set a number in both marks of a record, with checksums that are right. */
static void forge(unsigned char *bytes, size_t record, size_t field, const void *value,
                  size_t size)
{
    unsigned char *marks[] = {bytes + ENDS[record], bytes + ENDS[record + 1] - MARK};
    for (size_t i = 0; i < 2; i++) {
        memcpy(marks[i] + field, value, size);
        const uint64_t sum = im_checksum_of(marks[i], 56);
        memcpy(marks[i] + 56, &sum, 8);
    }
}

static void numbers_are_checked_behind_the_checksum(void **state)
{
    (void)state;
    imsat_error err;
    unsigned char bytes[ROOM], forged[ROOM];
    const size_t size = make(bytes, "file");
    static const struct {
        size_t field, size;
        uint64_t value;
    } wrong[] = {{8, 4, 2},
                 {12, 4, 69},
                 {12, 4, 0},
                 {16, 8, 0},
                 {16, 8, UINT64_MAX},
                 {24, 8, 191},
                 {32, 8, 11},
                 {32, 8, UINT64_MAX},
                 {40, 8, 43},
                 {40, 8, 41},
                 {16, 8, UINT64_MAX / 24}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        memcpy(forged, bytes, size);
        forge(forged, 1, wrong[i].field, &wrong[i].value, wrong[i].size);
        assert_damaged(forged, size);
    }
    memcpy(forged, bytes, size);
    forge(forged, 1, 40, &(int64_t){42}, 8); /* as it was */
    assert_ok(parse(forged, size, RECORDS, &err), &err);
}

/* Of an index without rows, the largest id is that of what is appended, though it be below -1.
 */
static void ids_below_zero_may_be_the_largest(void **state)
{
    (void)state;
    imsat_error err;
    im_journal journal = {0};
    const im_journal_state empty = {64, 0, 0, 0, -1};
    im_journal_state now = empty;
    const uint64_t codes[2] = {1, 2};
    const int fd = open_file("empty");
    assert_ok(im_journal_append(&now, fd, codes, (int64_t[]){-9, -4}, 2, "e", &err), &err);
    assert_int_equal(now.largest, -4);
    now = empty;
    assert_ok(im_journal_read(&journal, &now, fd, "e", &err), &err);
    assert_int_equal(now.largest, -4);
    im_journal_clear(&journal);
    close(fd);
}

/* Whatever an append left behind, the next one takes its place. */
static void the_next_append_cuts_off_the_rest(void **state)
{
    (void)state;
    imsat_error err;
    unsigned char bytes[ROOM], after[ROOM];
    const size_t size = make(bytes, "file");
    for (size_t cut = ENDS[2]; cut < size; cut += cut < size - 70 ? 23 : 1) {
        const int fd = open_file("file");
        im_journal journal = {0};
        im_journal_state now = BASE_STATE, last = BASE_STATE;
        assert_int_equal(ftruncate(fd, (off_t)(BASE + cut)), 0);
        assert_int_equal(im_journal_last(&last, fd), cut == ENDS[2]);
        if (cut > ENDS[2])
            assert_memory_equal(&last, &BASE_STATE, sizeof last);
        assert_ok(im_journal_read(&journal, &now, fd, "file", &err), &err);
        assert_rows(&journal, &now, 2);
        im_journal_clear(&journal);
        assert_ok(append(&now, fd, 5, 8, &err), &err);
        assert_int_equal(read_file(in_folder("file"), after, ROOM), BASE + size);
        assert_memory_equal(after + BASE, bytes, size);
        close(fd);
    }
}

/* The disk is full in the middle of a record, whose first byte or last does not fit. */
static void a_full_disk_leaves_the_old_journal(void **state)
{
    (void)state;
    unsigned char bytes[ROOM], after[ROOM];
    const size_t size = make(bytes, "file");
    static const size_t more[] = {0, 1, 63, 64, 200, 319};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            imsat_error err;
            const struct rlimit limit = {BASE + size + more[i], BASE + size + more[i]};
            im_journal_state now = BASE_STATE;
            const int fd = open(in_folder("file"), O_RDWR);
            signal(SIGXFSZ, SIG_IGN);
            _exit(setrlimit(RLIMIT_FSIZE, &limit) != 0 || !im_journal_last(&now, fd) ||
                  append(&now, fd, 20, 8, &err) != IMSAT_EIO ||
                  !strstr(err.message, "file: File too large"));
        }
        int status = -1;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        assert_int_equal(read_file(in_folder("file"), after, ROOM), BASE + size);
        assert_memory_equal(after + BASE, bytes, size);
    }
}

static imsat_status append_and_read(void *context, imsat_error *err)
{
    (void)context;
    im_journal journal = {0};
    im_journal_state now = BASE_STATE;
    const int fd = open_file("file");
    assert_int_equal(ftruncate(fd, BASE), 0);
    imsat_status st = append(&now, fd, 0, 4, err);
    if (st == IMSAT_OK) {
        now = BASE_STATE;
        st = im_journal_read(&journal, &now, fd, "file", err);
    }
    if (st == IMSAT_OK)
        assert_rows(&journal, &now, 1);
    im_journal_clear(&journal);
    close(fd);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_int_equal(fail_each(append_and_read, NULL), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_appended_comes_back),
        cmocka_unit_test(bytes_are_as_documented),
        cmocka_unit_test(a_cut_journal_is_what_it_was_before),
        cmocka_unit_test(what_was_not_finished_is_not_there),
        cmocka_unit_test(a_change_in_any_byte_is_found),
        cmocka_unit_test(damage_before_a_cut_append_is_found),
        cmocka_unit_test(the_damaged_place_is_named),
        cmocka_unit_test(numbers_are_checked_behind_the_checksum),
        cmocka_unit_test(ids_below_zero_may_be_the_largest),
        cmocka_unit_test(the_next_append_cuts_off_the_rest),
        cmocka_unit_test(a_full_disk_leaves_the_old_journal),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
