/* SPDX-License-Identifier: MIT
 * See commands.h. */
#define _GNU_SOURCE
#include "commands.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATH_ROOM = 512, TIMINGS = 5 };

/* ---- the commands ----------------------------------------------------------------- */

#define TRAINING                                                                              \
    "--hidden", "12", "--epochs", "3", "--batch", "20", "--runs", "2", "--threads", "1", "-q"

static const char *const ask_index[] = {"search", "index", "../in/queries.npy",
                                        "-n",     "5",     NULL};

const command commands[] = {
    {"cluster",
     {"cluster", "../in/data.csv", "-k", "3", TRAINING, "--checkpoint", "state", "--resume",
      "-o", "model", "--labels", "labels.npy", "--proba", "proba.npy"},
     {{"model", "model.old", NULL},
      {"labels.npy", "old_labels.npy", NULL},
      {"proba.npy", "old_labels.npy", NULL}},
     "state"},
    {"hash",
     {"hash", "../in/data.csv", "--bits", "11", TRAINING, "--checkpoint", "state", "--resume",
      "-o", "model", "--codes", "codes.npy"},
     {{"model", "coder.old", NULL}, {"codes.npy", "old_codes.npy", NULL}},
     "state"},
    {"neighbors",
     {"neighbors", "../in/data.csv", "--threads", "1", "-o", "radius.npy"},
     {{"radius.npy", "old_labels.npy", NULL}},
     NULL},
    {"index",
     {"index", "../in/codes.npy", "-o", "index"},
     {{"index", "index.other", ask_index}},
     NULL},
    {"append", /* behind a journal, and an append that was cut short */
     {"index", "--append", "../in/more.npy", "-o", "index"},
     {{"index", "index.cut", ask_index}},
     NULL},
    {"merge", /* so many that base and journal are merged with them */
     {"index", "--append", "../in/codes.npy", "-o", "index"},
     {{"index", "index.grown", ask_index}},
     NULL},
    {"delete", /* from the base and from the journal */
     {"index", "--delete", "../in/ids.txt", "-o", "index"},
     {{"index", "index.grown", ask_index}},
     NULL},
    {"predict",
     {"predict", "../in/model.old", "../in/data.npy", "--threads", "1", "-o", "labels.npy"},
     {{"labels.npy", "old_labels.npy", NULL}},
     NULL},
    {"encode",
     {"predict", "../in/coder.old", "../in/data.npy", "--threads", "1", "-o", "codes.npy"},
     {{"codes.npy", "old_codes.npy", NULL}},
     NULL},
    {"export",
     {"export", "../in/more.npy", "--to", "sqlite", "-o", "codes.sql"},
     {{"codes.sql", "sql.old", NULL}},
     NULL},
    {"search",
     {"search", "../in/index.old", "../in/queries.npy", "-n", "9", "--threads", "1", "-o",
      "ids.npy", "--distances", "distances.npy"},
     {{"ids.npy", "old_labels.npy", NULL}, {"distances.npy", "old_labels.npy", NULL}},
     NULL},
    {"info", {"info", "../in/model.old"}, {{NULL, NULL, NULL}}, NULL},
};
const size_t commands_count = sizeof commands / sizeof *commands;

/* Commands that make what the others begin with, in ../in. */
static const char *const preparations[][COMMAND_WORDS] = {
    {"cluster", "data.csv", "-k", "3", TRAINING, "--seed", "7", "-o", "model.old", "--labels",
     "old_labels.npy"},
    {"hash", "data.csv", "--bits", "11", TRAINING, "--seed", "7", "-o", "coder.old", "--codes",
     "old_codes.npy"},
    {"index", "codes.npy", "-o", "index.old"},
    {"index", "more.npy", "-o", "index.other"},
    {"index", "codes.npy", "-o", "index.grown"},
    {"index", "--append", "few.npy", "-o", "index.grown"},
    {"index", "codes.npy", "-o", "index.cut"},
    {"index", "--append", "few.npy", "-o", "index.cut"},
    {"index", "--append", "queries.npy", "-o", "index.cut"},
    {"export", "queries.npy", "--to", "sqlite", "-o", "sql.old"},
};
enum { PREPARATIONS = sizeof preparations / sizeof *preparations };

/* ---- small things -------------------------------------------------------------------- */

static char program[PATH_ROOM], folder[PATH_ROOM];

const char *commands_folder(void)
{
    return folder;
}

void give_up(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vfprintf(stderr, format, values);
    va_end(values);
    fprintf(stderr, "\nthe files are in %s\n", folder);
    exit(EXIT_FAILURE);
}

static uint64_t random_state;

/* splitmix64 */
double draw(void)
{
    uint64_t z = (random_state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static text read_whole(const char *path)
{
    text out = {0};
    struct stat info;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return out;
    if (fstat(file, &info) != 0 || !(out.bytes = malloc((size_t)info.st_size + 1)) ||
        read(file, out.bytes, (size_t)info.st_size) != info.st_size)
        give_up("%s: cannot be read", path);
    out.size = (size_t)info.st_size;
    out.bytes[out.size] = '\0';
    close(file);
    return out;
}

static void write_whole(const char *path, const void *bytes, size_t size)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0 || write(file, bytes, size) != (ssize_t)size || close(file) != 0)
        give_up("%s: cannot be written", path);
}

static bool same(text a, text b)
{
    return a.bytes && b.bytes && a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
}

/* ---- processes ------------------------------------------------------------------------ */

pid_t command_start(const char *const *words, void (*before)(void))
{
    char *argv[COMMAND_WORDS + 2] = {program};
    for (size_t i = 0; i < COMMAND_WORDS && words[i]; i++)
        argv[i + 1] = (char *)(uintptr_t)words[i];
    const pid_t process = fork();
    if (process < 0)
        give_up("no process for %s", words[0]);
    if (process == 0) {
        const int said = open("../said", O_WRONLY | O_CREAT | O_TRUNC, 0644);
        if (said < 0 || dup2(said, STDOUT_FILENO) < 0 || dup2(said, STDERR_FILENO) < 0)
            _exit(126);
        close(said);
        if (before)
            before();
        execv(program, argv);
        _exit(127);
    }
    return process;
}

int command_wait(pid_t process)
{
    int status = 0;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            give_up("a process is lost");
    return status;
}

text command_said(void)
{
    return read_whole("../said");
}

bool command_try(const char *const *words)
{
    const int status = command_wait(command_start(words, NULL));
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void command_run(const char *const *words)
{
    if (!command_try(words))
        give_up("%s: fails: %s", words[0], command_said().bytes);
}

/* ---- files of a command ------------------------------------------------------------------
 */

/* What an output is now; no bytes if that cannot be found out. */
static text look_at(const output *out)
{
    if (!out->ask)
        return read_whole(out->name);
    return command_try(out->ask) ? command_said() : (text){0};
}

void command_restore(const command *c)
{
    for (size_t i = 0; i < COMMAND_OUTPUTS && c->outputs[i].name; i++) {
        char from[PATH_ROOM];
        snprintf(from, sizeof from, "../in/%s", c->outputs[i].old);
        const text old = read_whole(from);
        unlink(c->outputs[i].name);
        write_whole(c->outputs[i].name, old.bytes, old.size);
        free(old.bytes);
    }
}

/* Call a function for each file of the folder; how many there are. */
static size_t for_each_file(const char *path, void (*call)(const char *name))
{
    size_t count = 0;
    const struct dirent *entry;
    DIR *list = opendir(path);
    if (!list)
        give_up("%s: cannot be listed", path);
    while ((entry = readdir(list)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        count++;
        if (call)
            call(entry->d_name);
    }
    closedir(list);
    return count;
}

static void remove_file(const char *name)
{
    if (unlink(name) != 0)
        give_up("%s: cannot be removed", name);
}

static void say_name(const char *name)
{
    fprintf(stderr, "%s ", name);
}

void command_begin(const command *c)
{
    for_each_file(".", remove_file);
    command_restore(c);
}

size_t command_leftovers(const command *c, bool say)
{
    size_t expected = 0;
    for (size_t i = 0; i < COMMAND_OUTPUTS && c->outputs[i].name; i++)
        expected += access(c->outputs[i].name, F_OK) == 0;
    if (c->state)
        expected += access(c->state, F_OK) == 0;
    return for_each_file(".", say ? say_name : NULL) - expected;
}

/* ---- what is found out ---------------------------------------------------------------- */

double seconds_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void command_learn(knowledge *k, const command *c)
{
    command_begin(c);
    for (size_t i = 0; i < COMMAND_OUTPUTS && c->outputs[i].name; i++)
        k->old[i] = look_at(&c->outputs[i]);
    for (size_t t = 0; t < TIMINGS; t++) {
        command_begin(c);
        const double started = seconds_now();
        command_run(c->words);
        const double seconds = seconds_now() - started;
        k->seconds = t == 0 || seconds < k->seconds ? seconds : k->seconds;
    }
    for (size_t i = 0; i < COMMAND_OUTPUTS && c->outputs[i].name; i++) {
        k->new[i] = look_at(&c->outputs[i]);
        if (!k->old[i].bytes || !k->new[i].bytes)
            give_up("%s: %s cannot be read", c->name, c->outputs[i].name);
        if (same(k->old[i], k->new[i]))
            give_up("%s: %s is the same before and after", c->name, c->outputs[i].name);
    }
}

output_state command_output(const command *c, const knowledge *k, size_t i)
{
    const text found = look_at(&c->outputs[i]);
    const output_state state = same(found, k->new[i])   ? OUTPUT_NEW
                               : same(found, k->old[i]) ? OUTPUT_OLD
                                                        : OUTPUT_LOST;
    free(found.bytes);
    return state;
}

/* ---- the inputs ----------------------------------------------------------------------------
 */

/* The first 128 bytes of an .npy file. */
static void put_header(FILE *array, const char *type, size_t rows, size_t columns)
{
    char words[100];
    snprintf(words, sizeof words,
             "{'descr': '%s', 'fortran_order': False, 'shape': (%zu, %zu), }", type, rows,
             columns);
    fwrite("\x93NUMPY\1\0v\0", 1, 10, array);
    fprintf(array, "%-117s\n", words);
}

/* Rows around three centers: some as text, and many as .npy. */
static void make_rows(void)
{
    enum { FEW = 200, MANY = 40000, DIM = 4 };
    FILE *table = fopen("data.csv", "w"), *array = fopen("data.npy", "w");
    if (!table || !array)
        give_up("no inputs");
    put_header(array, "<f4", MANY, DIM);
    for (size_t i = 0; i < MANY * DIM; i++) {
        const float x = (float)(i / DIM % 3 == i % DIM ? 5 + draw() : draw());
        fwrite(&x, sizeof x, 1, array);
        if (i < FEW * DIM)
            fprintf(table, "%.4f%c", (double)x, (i + 1) % DIM ? ',' : '\n');
    }
    if (fclose(table) != 0 || fclose(array) != 0)
        give_up("no inputs");
}

/* Random codes of 64 bits. */
static void make_codes(const char *name, size_t rows)
{
    FILE *array = fopen(name, "w");
    if (!array)
        give_up("no inputs");
    put_header(array, "|u1", rows, 8);
    for (size_t i = 0; i < 8 * rows; i++)
        fputc((int)(256 * draw()), array);
    if (fclose(array) != 0)
        give_up("no inputs");
}

static void make_ids(const char *name, int count)
{
    FILE *ids = fopen(name, "w");
    for (int i = 0; ids && i < count; i++)
        fprintf(ids, "%d\n", 2 * i);
    if (!ids || fclose(ids) != 0)
        give_up("no inputs");
}

/* Take the last bytes of an index away, which leaves an append that is not there. */
static void cut_off(const char *name, off_t bytes)
{
    struct stat info;
    if (stat(name, &info) != 0 || truncate(name, info.st_size - bytes) != 0)
        give_up("%s: cannot be cut", name);
}

static void find_program(void)
{
    const char *build = getenv("IMSAT_BUILD");
    char relative[PATH_ROOM];
    snprintf(relative, sizeof relative, "%s/imsat", build ? build : "build");
    char *found = realpath(relative, NULL);
    snprintf(program, sizeof program, "%s", found ? found : relative);
    free(found);
}

/* In memory if the system has that: no test here is about the disk. */
static void make_folder(void)
{
    const char *top = getenv("TMPDIR");
    if (!top)
        top = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(folder, sizeof folder, "%s/imsat-kill-XXXXXX", top);
    if (!mkdtemp(folder) || chdir(folder) != 0 || mkdir("in", 0755) != 0 ||
        mkdir("work", 0755) != 0)
        give_up("no folder");
}

void commands_begin(unsigned long long seed)
{
    random_state = seed;
    find_program();
    make_folder();
    if (chdir("in") != 0)
        give_up("no folder");
    make_rows();
    make_codes("codes.npy", 20000);
    make_codes("more.npy", 3000);
    make_codes("few.npy", 1000);
    make_codes("queries.npy", 20);
    make_ids("ids.txt", 10200);
    for (size_t i = 0; i < PREPARATIONS; i++)
        command_run(preparations[i]);
    cut_off("index.cut", 10);
    if (chdir("../work") != 0)
        give_up("no folder");
}

void commands_end(void)
{
    static const char *const inside[] = {"../in", "../work"};
    for (size_t i = 0; i < 2; i++)
        if (chdir(inside[i]) == 0)
            for_each_file(".", remove_file);
    if (chdir("..") != 0 || unlink("said") != 0 || rmdir("in") != 0 || rmdir("work") != 0 ||
        rmdir(folder) != 0)
        give_up("the folder is not empty");
}
