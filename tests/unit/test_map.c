/* SPDX-License-Identifier: MIT
 * Mapped files that are lost while they are read, with and without the guard. Each test is a
 * process of its own, because a guard is for good. tsan: threads_may_meet_it_together,
 * threads_may_give_back_together. */
#define _GNU_SOURCE
#include "core/map.h"

#include "core/limit.h"
#include "failing_alloc.h"
#include "imsat/process.h"
#include "process.h"
#include "support.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096, PAGES = 6, SIZE = PAGES * PAGE - 100 };

static char name[300];

static void write_pages(void)
{
    static unsigned char bytes[SIZE];
    for (size_t i = 0; i < SIZE; i++)
        bytes[i] = (unsigned char)(1 + i / PAGE);
    write_file(name, bytes, SIZE);
}

static int make_name(void **state)
{
    folder_setup(state);
    snprintf(name, sizeof name, "%s", in_folder("mapped"));
    return 0;
}

/* Exits where a test would fail, since a child has no test. */
static void must(bool good, int line)
{
    if (!good) {
        fprintf(stderr, "test_map.c:%d: is not so\n", line);
        _exit(100);
    }
}
#define MUST(good) must(good, __LINE__)

static im_map *map_file(const char *path)
{
    im_map *map = NULL;
    const int fd = open(path, O_RDONLY);
    MUST(fd >= 0 && im_map_new(&map, fd, SIZE, path, NULL) == IMSAT_OK && close(fd) == 0);
    return map;
}

static void make_shorter(off_t size)
{
    MUST(truncate(name, size) == 0);
}

/* What a check says, or "" if it says nothing. */
static const char *complaint(const im_map *map)
{
    static imsat_error err;
    err.message[0] = '\0';
    const imsat_status st = im_map_check(map, SIZE, &err);
    MUST(st == (err.message[0] ? IMSAT_EIO : IMSAT_OK));
    return err.message;
}

/* ---- one file ------------------------------------------------------------------- */

static int read_what_is_gone(const void *guarded)
{
    if (guarded)
        imsat_guard_maps();
    im_map *map = map_file(name);
    const volatile unsigned char *data = im_map_data(map);
    MUST(data[3 * PAGE] == 4 && !*complaint(map) && !im_map_lost(map));
    make_shorter(PAGE);
    MUST(!im_map_lost(map)); /* nobody has looked */
    MUST(data[4 * PAGE] == 0);
    MUST(data[0] == 0 && data[SIZE - 1] == 0); /* all of it */
    MUST(im_map_lost(map));
    MUST(strstr(complaint(map), "became shorter while it was read: 4096 bytes are left of"));
    MUST(strstr(complaint(map), name));
    im_map_release(map, 0, SIZE);
    MUST(data[0] == 0);
    im_map_free(map);
    return 0;
}

static void it_survives_with_the_guard_only(void **state)
{
    (void)state;
    write_pages();
    assert_int_equal(process_run(read_what_is_gone, ""), 0);
    write_pages();
    assert_int_equal(process_run(read_what_is_gone, NULL), -SIGBUS);
}

/* Behind the end, the last page has zeros, and reading them is no fault. */
static int read_the_last_page(const void *unused)
{
    (void)unused;
    im_map *map = map_file(name);
    const volatile unsigned char *data = im_map_data(map);
    make_shorter(SIZE - 1);
    MUST(data[SIZE - 1] == 0 && !im_map_lost(map));
    MUST(strstr(complaint(map), "became shorter"));
    MUST(im_map_check(map, SIZE - 1, NULL) ==
         IMSAT_OK); /* who needs no more has lost nothing */
    make_shorter(SIZE);
    MUST(!*complaint(map));
    im_map_free(map);
    return 0;
}

static void a_missing_byte_is_noticed(void **state)
{
    (void)state;
    write_pages();
    assert_int_equal(process_run(read_the_last_page, NULL), 0);
}

/* As after an error of the disk: the file has its size, but a read has failed. */
static int read_in_between(const void *unused)
{
    (void)unused;
    imsat_guard_maps();
    im_map *map = map_file(name);
    const volatile unsigned char *data = im_map_data(map);
    make_shorter(0);
    MUST(data[SIZE - 1] == 0);
    make_shorter(SIZE);
    MUST(strstr(complaint(map), "a part of it could not be read"));
    MUST(unlink(name) == 0);
    MUST(strstr(complaint(map), "a part of it could not be read"));
    im_map_free(map);
    write_pages();
    map = map_file(name); /* a new one has nothing to do with it */
    MUST(!im_map_lost(map) && !*complaint(map));
    im_map_free(map);
    return 0;
}

static void what_was_lost_stays_lost(void **state)
{
    (void)state;
    write_pages();
    assert_int_equal(process_run(read_in_between, NULL), 0);
}

/* Another file under the same name, as a rename makes it, is none of our business. */
static int read_what_was_replaced(const void *unused)
{
    (void)unused;
    im_map *map = map_file(name);
    MUST(unlink(name) == 0);
    write_file(name, "short", 5);
    MUST(!*complaint(map));
    MUST(im_map_data(map)[5 * PAGE] == 6);
    im_map_free(map);
    return 0;
}

static void a_replaced_file_is_not_lost(void **state)
{
    (void)state;
    write_pages();
    assert_int_equal(process_run(read_what_was_replaced, NULL), 0);
}

/* ---- many ------------------------------------------------------------------------ */

enum { MAPS = 300 }; /* more than the first parts of the table hold */

static int map_many(const void *unused)
{
    (void)unused;
    static im_map *maps[MAPS];
    char other[320];
    snprintf(other, sizeof other, "%s2", name);
    imsat_guard_maps();
    imsat_guard_maps();
    MUST(link(name, other) == 0);
    write_pages();
    for (size_t round = 0; round < 3; round++) { /* places are used again */
        for (size_t i = 0; i < MAPS; i++)
            maps[i] = map_file(name);
        make_shorter(PAGE);
        for (size_t i = 7; i < MAPS; i += 2) {
            MUST(((const volatile unsigned char *)im_map_data(maps[i]))[2 * PAGE] == 0);
            MUST(im_map_lost(maps[i]) && !im_map_lost(maps[i - 1]));
        }
        for (size_t i = 0; i < MAPS; i++)
            im_map_free(maps[i]);
        write_pages();
    }
    MUST(unlink(other) == 0);
    return 0;
}

static void each_has_its_place(void **state)
{
    (void)state;
    write_pages();
    assert_int_equal(process_run(map_many, NULL), 0);
}

enum { THREADS = 4 };

static void *touch(void *data)
{
    const volatile unsigned char *bytes = data;
    unsigned sum = 0;
    for (size_t i = 0; i < PAGES; i++)
        sum += bytes[(PAGES - 1 - i) * PAGE];
    return (void *)(uintptr_t)sum;
}

static int touch_together(const void *unused)
{
    (void)unused;
    imsat_guard_maps();
    for (int round = 0; round < 200; round++) {
        pthread_t threads[THREADS];
        im_map *map = map_file(name);
        void *data = (void *)(uintptr_t)im_map_data(map);
        make_shorter(0);
        for (int i = 0; i < THREADS; i++)
            MUST(pthread_create(&threads[i], NULL, touch, data) == 0);
        for (int i = 0; i < THREADS; i++) {
            void *sum;
            MUST(pthread_join(threads[i], &sum) == 0 && !sum);
        }
        MUST(im_map_lost(map));
        im_map_free(map);
        write_pages();
    }
    return 0;
}

static void threads_may_meet_it_together(void **state)
{
    (void)state;
    write_pages();
    assert_int_equal(process_run(touch_together, NULL), 0);
}

/* ---- signals of others -------------------------------------------------------------- */

static char *strange; /* a mapping that is not the library's */

/* Ours may come before the guard, and hears of what is not its business. */
static void own_handler(int number, siginfo_t *info, void *context)
{
    (void)context;
    _exit(number == SIGBUS && info->si_addr == strange + PAGE ? 17 : 18);
}

static void plain_handler(int number)
{
    _exit(number == SIGBUS ? 19 : 20);
}

typedef struct foreign {
    void (*plain)(int);                         /* of SIGBUS, before the guard */
    void (*informed)(int, siginfo_t *, void *); /* or this one */
    bool sent;                                  /* the signal is sent, and no fault */
} foreign;

static int fault_elsewhere(const void *context)
{
    const foreign *f = context;
    struct sigaction before = {.sa_handler = f->plain};
    if (f->informed) {
        before.sa_flags = SA_SIGINFO;
        before.sa_sigaction = f->informed;
    }
    MUST(sigaction(SIGBUS, &before, NULL) == 0);
    imsat_guard_maps();
    im_map *map = map_file(name);
    const int fd = open(name, O_RDONLY);
    strange = mmap(NULL, SIZE, PROT_READ, MAP_PRIVATE, fd, 0);
    MUST(strange != MAP_FAILED);
    make_shorter(PAGE);
    if (f->sent)
        MUST(raise(SIGBUS) == 0);
    else
        (void)*(volatile char *)(strange + PAGE);
    im_map_free(map);
    return 21; /* gone on */
}

static void other_signals_are_passed_on(void **state)
{
    (void)state;
    const struct {
        foreign f;
        int code;
    } cases[] = {
        {{.informed = own_handler}, 17},
        {{.plain = plain_handler}, 19},
        {{.plain = plain_handler, .sent = true}, 19},
        {{.plain = SIG_DFL}, -SIGBUS},
        {{.plain = SIG_DFL, .sent = true}, -SIGBUS},
        {{.plain = SIG_IGN}, -SIGBUS}, /* a fault cannot be ignored */
        {{.plain = SIG_IGN, .sent = true}, 21},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_pages();
        const int code = process_run(fault_elsewhere, &cases[i].f);
        if (code != cases[i].code)
            fail_msg("case %zu ends with %d, not %d", i, code, cases[i].code);
    }
}

/* ---- memory -------------------------------------------------------------------------- */

static imsat_status attempt(void *context, imsat_error *err)
{
    im_map *map = NULL;
    const int fd = open(context, O_RDONLY);
    const imsat_status st = im_map_new(&map, fd, SIZE, context, err);
    assert_int_equal(close(fd), 0);
    assert_true((st == IMSAT_OK) == (map != NULL));
    im_map_free(map);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    write_pages();
    assert_int_equal(fail_each(attempt, name), 2);
    im_map_free(NULL);
}

/* ---- within a limit on memory ------------------------------------------------------ */

/* A limit that leaves less for pages than the file has, so that it is read. */
static int read_beside_the_map(const void *context)
{
    unsigned char bytes[2 * PAGE];
    (void)context;
    im_map *touched = map_file(name);
    im_limit_set(4 * SIZE - 4, 0);
    im_map *map = map_file(name);
    MUST(!im_map_is_read(touched)); /* it was there before the limit */
    MUST(im_map_is_read(map));
    im_map_read(map, bytes, PAGE - 10, sizeof bytes);
    MUST(memcmp(bytes, im_map_data(map) + PAGE - 10, sizeof bytes) == 0);
    MUST(bytes[9] == 1 && bytes[10] == 2 && !im_map_lost(map));
    im_map_free(touched);
    MUST(im_map_is_read(map));
    im_limit_set(8 * SIZE, 0);
    MUST(!im_map_is_read(map)); /* all of it is within the limit */
    make_shorter(2 * PAGE + 7);
    im_map_read(map, bytes, 2 * PAGE, 2 * PAGE);
    MUST(bytes[6] == 3 && bytes[7] == 0 && bytes[2 * PAGE - 1] == 0);
    MUST(im_map_lost(map) && strstr(complaint(map), "became shorter"));
    im_map_free(map);
    return 0;
}

static void it_is_read_within_a_limit(void **state)
{
    (void)state;
    write_pages();
    assert_int_equal(process_run(read_beside_the_map, NULL), 0);
}

enum { LARGE = 96 << 20, STEP = 1000, PAGES_SHARE = 8 << 20 };

/* Pages of this file that are with this process, as the system has it, in bytes. */
static size_t resident_pages(const char *path)
{
    char line[512];
    bool here = false;
    size_t kib = 0;
    FILE *file = fopen("/proc/self/smaps", "r");
    MUST(file != NULL);
    while (fgets(line, sizeof line, file)) {
        if (strstr(line, path))
            here = true;
        if (here && sscanf(line, "Rss: %zu kB", &kib) == 1)
            break;
    }
    fclose(file);
    return kib << 10;
}

static int touch_in_order(const void *path)
{
    im_map *map = NULL;
    size_t most = 0, sum = 0;
    const int fd = open(path, O_RDONLY);
    im_limit_set((size_t)4 * PAGES_SHARE, 0);
    MUST(im_map_new(&map, fd, LARGE, path, NULL) == IMSAT_OK);
    for (size_t at = 0; at + STEP <= LARGE; at += STEP) {
        for (size_t i = 0; i < STEP; i++)
            sum += im_map_data(map)[at + i];
        im_map_touched(im_map_data(map) + at, STEP);
        if (at / STEP % 1024 == 0) {
            const size_t now = resident_pages(path);
            most = now > most ? now : most;
        }
    }
    MUST(sum == 0 && most > 0 && most <= PAGES_SHARE + (2 << 20));
    im_map_free(map);
    close(fd);
    return 0;
}

static void pages_are_given_back_within_a_limit(void **state)
{
    (void)state;
    const char *path = in_folder("large");
    write_file(path, "", 0);
    assert_int_equal(truncate(path, LARGE), 0);
    assert_int_equal(process_run(touch_in_order, path), 0);
}

typedef struct walker {
    const im_map *map;
    pthread_t thread;
    bool good;
} walker;

/* Other mappings come and go while pages of all are given back. */
static void *walk(void *context)
{
    walker *w = context;
    w->good = true;
    for (size_t round = 0; round < 40; round++) {
        im_map *other = map_file(name);
        for (size_t at = 0; at < (size_t)LARGE; at += 3 << 20) {
            w->good &= im_map_data(w->map)[at] == 0;
            im_map_touched(im_map_data(w->map) + at, 1);
            w->good &= im_map_data(other)[PAGE] == 2;
        }
        im_map_free(other);
    }
    return NULL;
}

static int walk_together(const void *path)
{
    im_map *map = NULL;
    walker walkers[3];
    const int fd = open(path, O_RDONLY);
    im_limit_set((size_t)4 * PAGES_SHARE, 0);
    MUST(im_map_new(&map, fd, LARGE, path, NULL) == IMSAT_OK);
    for (size_t i = 0; i < 3; i++) {
        walkers[i].map = map;
        MUST(pthread_create(&walkers[i].thread, NULL, walk, &walkers[i]) == 0);
    }
    for (size_t i = 0; i < 3; i++)
        MUST(pthread_join(walkers[i].thread, NULL) == 0 && walkers[i].good);
    im_map_free(map);
    close(fd);
    return 0;
}

static void threads_may_give_back_together(void **state)
{
    (void)state;
    const char *path = in_folder("large");
    write_pages();
    write_file(path, "", 0);
    assert_int_equal(truncate(path, LARGE), 0);
    assert_int_equal(process_run(walk_together, path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_survives_with_the_guard_only),
        cmocka_unit_test(a_missing_byte_is_noticed),
        cmocka_unit_test(what_was_lost_stays_lost),
        cmocka_unit_test(a_replaced_file_is_not_lost),
        cmocka_unit_test(each_has_its_place),
        cmocka_unit_test(threads_may_meet_it_together),
        cmocka_unit_test(other_signals_are_passed_on),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(it_is_read_within_a_limit),
        cmocka_unit_test(pages_are_given_back_within_a_limit),
        cmocka_unit_test(threads_may_give_back_together),
    };
    return cmocka_run_group_tests_name("map", tests, make_name, folder_teardown);
}
