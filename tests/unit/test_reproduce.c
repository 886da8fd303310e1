/* SPDX-License-Identifier: MIT
 *
 * Experiments on tiny data: that all cells are made, that a reproduction which is stopped or
 * killed goes on and ends with the same tables, and what is refused. */
#define _POSIX_C_SOURCE 200809L

#include "imsat/reproduce.h"

#include "core/feature.h"
#include "core/rng.h"
#include "imsat/build.h"
#include "pictures.h"
#include "process.h"
#include "support.h"
#include "xml.h"
#include "zips.h"

#include <dirent.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROWS = 60, DIM = 64, CLASSES = 3, ROOM = 1 << 17 };

/* digits.csv.gz, which is found to be plain CSV: blobs of 64 columns. */
static void write_digits(void)
{
    static char text[ROWS * (DIM * 12 + 4)];
    size_t used = 0;
    for (size_t i = 0; i < ROWS; i++) {
        float noise[DIM];
        im_rng_normals(noise, DIM, (im_rng){5, IM_STREAM_SAMPLE, 0, 0}, (uint32_t)i);
        for (size_t j = 0; j < DIM; j++)
            used += (size_t)snprintf(text + used, sizeof text - used, "%.3f,",
                                     (double)noise[j] + (j % CLASSES == i % CLASSES ? 4 : 0));
        used += (size_t)snprintf(text + used, sizeof text - used, "%zu\n", i % CLASSES);
    }
    write_file(in_folder("digits.csv.gz"), text, used);
}

/* The options of a short experiment whose results go to a folder of that name. */
static imsat_reproduce_options options_to(const char *name)
{
    static char folders[8][256], data[256];
    static size_t next;
    char *folder = folders[next++ % 8];
    snprintf(folder, sizeof folders[0], "%s", in_folder(name));
    snprintf(data, sizeof data, "%s", in_folder("."));
    return (imsat_reproduce_options){.folder = folder,
                                     .data = data,
                                     .datasets = "digits",
                                     .methods = "kmeans,linear-rim,deep-rim",
                                     .trials = 2,
                                     .epochs = 3,
                                     .threads = 1};
}

static const char *contents(const imsat_reproduce_options *o, const char *name)
{
    static char texts[2][ROOM];
    static size_t next;
    char path[512], *text = texts[next++ % 2];
    snprintf(path, sizeof path, "%s/%s", o->folder, name);
    text[read_file(path, text, ROOM - 1)] = '\0';
    return text;
}

static bool exists(const imsat_reproduce_options *o, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", o->folder, name);
    return access(path, F_OK) == 0;
}

/* Remove a folder of results. */
static void drop(const imsat_reproduce_options *o)
{
    char command[600];
    snprintf(command, sizeof command, "rm -r '%s'", o->folder);
    assert_int_equal(system(command), 0);
}

static void assert_same_tables(const imsat_reproduce_options *a,
                               const imsat_reproduce_options *b)
{
    static const char *const names[] = {"table.txt", "table.md", "table.csv", "table.json"};
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(contents(a, names[i]), contents(b, names[i]));
}

static void count_cells(void *user, const imsat_cell_state *state)
{
    size_t *counts = user;
    assert_true(state->number < state->cells);
    counts[state->done]++;
}

static void cells_are_made_once(void **state)
{
    (void)state;
    imsat_error err;
    size_t counts[2] = {0, 0};
    imsat_reproduce_options o = options_to("one");
    o.tell = count_cells;
    o.tell_user = counts;
    assert_ok(imsat_reproduce(IMSAT_EXPERIMENT_CLUSTERING, &o, &err), &err);
    assert_int_equal(counts[0], 5); /* kmeans does not depend on the seed */
    assert_int_equal(counts[1], 5);
    assert_true(exists(&o, "clustering-digits-deep-rim-seed2.json"));
    assert_false(exists(&o, "clustering-digits-deep-rim-seed2.state"));
    assert_non_null(strstr(contents(&o, "table.txt"), "digits    kmeans      ACC    -"));
    assert_non_null(strstr(contents(&o, "table.txt"), "not in the paper."));
    assert_ok(imsat_reproduce(IMSAT_EXPERIMENT_CLUSTERING, &o, &err), &err);
    assert_int_equal(counts[0], 5);
    drop(&o);
}

/* Stop at the n-th call of progress. */
static int stop_at(void *user, const imsat_progress *progress)
{
    (void)progress;
    size_t *left = user;
    return *left == 0 || --*left == 0;
}

static void a_stop_changes_nothing(void **state)
{
    (void)state;
    imsat_error err;
    imsat_reproduce_options whole = options_to("whole"), o = options_to("stopped");
    whole.methods = o.methods = "itq,linear-rim,deep-rim";
    assert_ok(imsat_reproduce(IMSAT_EXPERIMENT_HASH16, &whole, &err), &err);
    assert_non_null(
        strstr(contents(&whole, "table.csv"), "digits,deep-rim,\"60,30\",,,map_trapezoid,,,"));
    imsat_status st = IMSAT_ESTOPPED;
    size_t stops = 0;
    for (size_t calls = 1; st == IMSAT_ESTOPPED; calls += 4, stops++) {
        size_t left = calls;
        o.progress = stop_at;
        o.progress_user = &left;
        st = imsat_reproduce(IMSAT_EXPERIMENT_HASH16, &o, &err);
    }
    assert_ok(st, &err);
    assert_true(stops > 3);
    assert_same_tables(&whole, &o);
    drop(&whole);
    drop(&o);
}

static int run_child(const void *context)
{
    return imsat_reproduce(IMSAT_EXPERIMENT_CLUSTERING, context, NULL) == IMSAT_OK ? 0 : 1;
}

/* Killed after so many nanoseconds, if it runs that long. */
static void kill_after(const imsat_reproduce_options *o, long wait)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(run_child(o));
    nanosleep(&(struct timespec){.tv_nsec = wait}, NULL);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

/* Files of the folder whose names end so. */
static size_t count_files(const imsat_reproduce_options *o, const char *ending)
{
    size_t count = 0;
    DIR *folder = opendir(o->folder);
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        const size_t size = strlen(entry->d_name), tail = strlen(ending);
        count += size >= tail && strcmp(entry->d_name + size - tail, ending) == 0;
    }
    closedir(folder);
    return count;
}

static void check_kills(imsat_reproduce_options whole, imsat_reproduce_options o, size_t race)
{
    imsat_error err;
    whole.race = o.race = race;
    if (race)
        whole.epochs = o.epochs = 12;
    assert_ok(imsat_reproduce(IMSAT_EXPERIMENT_CLUSTERING, &whole, &err), &err);
    for (long wait = 2000000; wait < (race ? 200000000 : 50000000); wait *= 2)
        kill_after(&o, wait);
    assert_ok(imsat_reproduce(IMSAT_EXPERIMENT_CLUSTERING, &o, &err), &err);
    assert_same_tables(&whole, &o);
    assert_int_equal(count_files(&o, ".json"), 5 + 1); /* cells, and table.json */
    drop(&whole);
    drop(&o);
}

static void a_kill_changes_nothing(void **state)
{
    (void)state;
    if (!can_fork())
        skip();
    check_kills(options_to("all"), options_to("killed"), 0);
    check_kills(options_to("all"), options_to("killed"), 3);
}

/* Trials of three seeds each, beside plain ones in the same folder. */
static void trials_may_be_races(void **state)
{
    (void)state;
    imsat_error err;
    imsat_reproduce_options o = options_to("races");
    o.methods = "kmeans,deep-rim";
    assert_ok(imsat_reproduce(IMSAT_EXPERIMENT_CLUSTERING, &o, &err), &err);
    o.race = 3;
    assert_ok(imsat_reproduce(IMSAT_EXPERIMENT_CLUSTERING, &o, &err), &err);
    assert_true(exists(&o, "clustering-digits-deep-rim-race3-seed1.json"));
    assert_true(exists(&o, "clustering-digits-deep-rim-race3-seed4.json"));
    assert_true(exists(&o, "clustering-digits-deep-rim-seed2.json"));
    assert_int_equal(count_files(&o, ".json"), 1 + 2 + 2 + 1);
    assert_int_equal(count_files(&o, ".state"), 0);
    assert_int_equal(count_files(&o, ".race"), 0);
    assert_non_null(strstr(contents(&o, "table.txt"), "deep-rim, race of 3  ACC "));
    assert_non_null(strstr(contents(&o, "table.json"), "\"race\": 3, \"score\": \"acc\""));
    o.trials = 1;
    o.methods = NULL;
    assert_refused(imsat_reproduce(IMSAT_EXPERIMENT_SWEEP, &o, &err), &err, IMSAT_EINVAL,
                   "sweep has no trials that could race");
    drop(&o);
}

static int count_epochs(void *user, const imsat_progress *progress)
{
    *(size_t *)user += progress->epoch_done != 0;
    return 0;
}

static void count_epochs_of(imsat_reproduce_options *o, const char *methods, size_t *epochs)
{
    imsat_error err;
    *epochs = 0;
    o->methods = methods;
    o->progress = count_epochs;
    o->progress_user = epochs;
    assert_ok(imsat_reproduce(IMSAT_EXPERIMENT_CLUSTERING, o, &err), &err);
}

/* Each cell alone in its folder trains an auto-encoder; together they train one, and their
 * tables are the same. */
static void dec_takes_the_auto_encoder(void **state)
{
    (void)state;
    size_t one, other, both, none;
    imsat_reproduce_options alone = options_to("alone"), o = options_to("together");
    count_epochs_of(&alone, "dec", &other);
    assert_false(exists(&alone, "clustering-digits-dec-seed1.safetensors"));
    count_epochs_of(&alone, "dae-kmeans", &one);
    count_epochs_of(&o, "dae-kmeans,dec", &both);
    count_epochs_of(&alone, "dae-kmeans,dec", &none); /* the table of both */
    assert_same_tables(&alone, &o);
    assert_int_equal(none, 0);
    assert_true(one > 0 && both == other);
    assert_non_null(strstr(contents(&o, "clustering-digits-dec-seed1.json"),
                           "\"start\": \"clustering-digits-dae-kmeans-seed1\""));
    assert_null(strstr(contents(&alone, "clustering-digits-dec-seed1.json"), "\"start\""));
    drop(&alone);
    drop(&o);
}

static void a_sweep_has_its_criterion_and_figure(void **state)
{
    (void)state;
    imsat_error err;
    imsat_reproduce_options o = options_to("sweep");
    o.methods = "linear-rim,linear-imsat-vat";
    o.trials = 0;
    assert_ok(imsat_reproduce(IMSAT_EXPERIMENT_SWEEP, &o, &err), &err);
    assert_true(exists(&o, "sweep-digits-linear-rim-decay0.32-seed1.json"));
    assert_true(exists(&o, "sweep-digits-linear-imsat-vat-lambda0.025-seed1.json"));
    assert_non_null(strstr(contents(&o, "table.md"), "the paper chose 1.6."));
    assert_xml(contents(&o, "figure.svg"));
    assert_non_null(strstr(contents(&o, "figure.svg"), ">imsat-rpt</text>"));
    drop(&o);
}

static void the_toy_has_its_figure(void **state)
{
    (void)state;
    imsat_error err;
    imsat_reproduce_options o = options_to("toy");
    o.datasets = o.methods = o.data = NULL;
    o.trials = 0;
    o.epochs = 1;
    assert_ok(imsat_reproduce(IMSAT_EXPERIMENT_TOY, &o, &err), &err);
    assert_true(exists(&o, "toy-spirals-imsat-vat-10-10-seed1.json"));
    assert_xml(contents(&o, "figure.svg"));
    assert_non_null(strstr(contents(&o, "figure.svg"), ">deep-rim (20,20)</text>"));
    drop(&o);
}

/* A table is made of the cells that there are, of any seeds, and no file with it. */
static void tables_need_no_training(void **state)
{
    (void)state;
    imsat_error err;
    char *text = NULL;
    imsat_reproduce_options o = options_to("tables");
    o.methods = "linear-rim";
    o.trials = 3;
    assert_ok(imsat_reproduce(IMSAT_EXPERIMENT_CLUSTERING, &o, &err), &err);
    o.race = 2;
    o.trials = 1;
    assert_ok(imsat_reproduce(IMSAT_EXPERIMENT_CLUSTERING, &o, &err), &err);
    const imsat_reproduce_options asked = {
        .folder = o.folder, .datasets = "digits", .methods = "kmeans,linear-rim", .epochs = 3};
    const size_t files = count_files(&o, "");
    assert_ok(imsat_reproduce_table(&text, IMSAT_EXPERIMENT_CLUSTERING, &asked,
                                    IMSAT_TABLE_MARKDOWN, &err),
              &err);
    assert_non_null(strstr(text, "\n| digits | kmeans | ACC | - | - | 0 | - |\n"
                                 "| digits | linear-rim | ACC | - | "));
    assert_non_null(
        strstr(text, ") | 3 | - |\n| digits | linear-rim, race of 2 | ACC | - | "));
    imsat_free(text);
    assert_int_equal(count_files(&o, ""), files);
    assert_refused(imsat_reproduce_table(&text, IMSAT_EXPERIMENT_CLUSTERING, &asked,
                                         IMSAT_TABLE_FORMS, &err),
                   &err, IMSAT_EINVAL, "no form 4 of a table");
    assert_null(imsat_table_form_name(IMSAT_TABLE_FORMS));
    drop(&o);
    assert_refused(imsat_reproduce_table(&text, IMSAT_EXPERIMENT_CLUSTERING, &asked,
                                         IMSAT_TABLE_TEXT, &err),
                   &err, IMSAT_EIO, "tables: No such file");
}

/* The member of a JSON object, as text. */
static void assert_member(const json_t *cell, const char *key, const char *expected)
{
    char *text = json_dumps(json_object_get(cell, key), JSON_ENCODE_ANY | JSON_COMPACT);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

/* A cell tells how it came about; one of before, with its scores alone, is read, too. */
static void a_cell_tells_how_it_was_made(void **state)
{
    (void)state;
    imsat_error err;
    imsat_reproduce_options o = options_to("told");
    o.methods = "itq,deep-rim";
    o.trials = 1;
    o.race = 2;
    assert_ok(imsat_reproduce(IMSAT_EXPERIMENT_HASH16, &o, &err), &err);
    json_t *cell = json_loads(contents(&o, "hash16-digits-deep-rim-60-30-race2-seed1.json"),
                              JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(cell);
    assert_member(cell, "seeds", "[1,2]");
    assert_in_range(json_integer_value(json_object_get(cell, "seed")), 1, 2);
    assert_member(cell, "dataset", "\"digits\"");
    assert_member(cell, "rows", "60");
    assert_member(cell, "dim", "64");
    assert_member(cell, "epochs_trained", "3");
    assert_member(cell, "threads", "1");
    const json_t *options = json_object_get(cell, "options");
    assert_member(options, "method", "\"deep-rim\"");
    assert_member(options, "preset", "\"default\"");
    assert_member(options, "hidden", "\"60,30\"");
    assert_near(json_number_value(json_object_get(options, "decay")), 0.005, 0);
    assert_null(json_object_get(options, "alpha")); /* of methods that perturb */
    static const char *const scores[] = {"map_trapezoid", "map_block",    "map_expected",
                                         "map_id",        "precision_at", "precision_radius"};
    for (size_t i = 0; i < sizeof scores / sizeof *scores; i++)
        assert_in_range(json_number_value(json_object_get(cell, scores[i])), 0, 100);
    assert_null(json_object_get(cell, "resumed"));
    json_decref(cell);
    static const char before[] =
        "{\n  \"cell\": \"hash16-digits-itq-seed1\",\n  \"version\": \"0.1.0\",\n  "
        "\"epochs\": "
        "3,\n  \"map_trapezoid\": 12.5,\n  \"map_block\": 13,\n  \"precision_at\": 14,\n  "
        "\"precision_radius\": 15,\n  \"objective\": 1,\n  \"seconds\": 2\n}\n";
    char path[512];
    snprintf(path, sizeof path, "%s/hash16-digits-itq-seed1.json", o.folder);
    write_file(path, before, sizeof before - 1);
    assert_ok(imsat_reproduce(IMSAT_EXPERIMENT_HASH16, &o, &err), &err);
    assert_non_null(
        strstr(contents(&o, "table.csv"), "digits,itq,\"\",,,map_trapezoid,,,12.5,,1,,\n"));
    drop(&o);
}

/* Five characters in an archive as Omniglot's: a drawing each, of which there are 20 warps. */
static void write_omniglot(void)
{
    static unsigned char png[4096];
    static zip_maker zip;
    static const char *const alphabets[] = {"Alphabet_of_the_Magi", "Anglo-Saxon_Futhorc",
                                            "Arcadian", "Armenian"};
    const size_t size = picture_bytes("gray1.png", png, sizeof png);
    zip = (zip_maker){0};
    for (int i = 0; i < 5; i++) {
        char name[80];
        snprintf(name, sizeof name, "images_background/%s/character%02d/0110_%02d.png",
                 alphabets[i % 4], i, i);
        zip_add(&zip, name, png, size, true);
    }
    zip_end(&zip, false);
    write_file(in_folder("images_background.zip"), zip.bytes, zip.size);
}

/* The figure is made of what cells keep: it is there again without data. */
static void omniglot_has_its_figure(void **state)
{
    (void)state;
    imsat_error err;
    imsat_reproduce_options o = options_to("omniglot");
    if (!imsat_feature_built(IM_FEATURE_PNG))
        skip();
    write_omniglot();
    o.datasets = NULL;
    o.methods = "imsat-vat,imsat-vat-affine";
    o.trials = 2;
    o.epochs = 1;
    assert_ok(imsat_reproduce(IMSAT_EXPERIMENT_OMNIGLOT, &o, &err), &err);
    remove(in_folder("images_background.zip"));
    assert_xml(contents(&o, "figure.svg"));
    assert_non_null(strstr(contents(&o, "omniglot-omniglot-imsat-vat-seed1.json"),
                           "\"picture\": \"data:image/png;base64,iVBORw0KGgo"));
    assert_null(strstr(contents(&o, "omniglot-omniglot-imsat-vat-seed2.json"), "picture"));
    const char *first = strstr(contents(&o, "figure.svg"), "<image");
    assert_true(first && strstr(first + 1, "<image"));
    char path[512];
    snprintf(path, sizeof path, "%s/figure.svg", o.folder);
    remove(path);
    assert_ok(imsat_reproduce(IMSAT_EXPERIMENT_OMNIGLOT, &o, &err), &err);
    first = strstr(contents(&o, "figure.svg"), "<image");
    assert_true(first && strstr(first + 1, "<image"));
    drop(&o);
}

static void refuse(imsat_experiment experiment, const imsat_reproduce_options *o,
                   imsat_status expected, const char *part)
{
    imsat_error err;
    assert_refused(imsat_reproduce(experiment, o, &err), &err, expected, part);
}

static void what_is_not_there_is_refused(void **state)
{
    (void)state;
    imsat_reproduce_options o = options_to("bad");
    o.datasets = "digits,mnits";
    refuse(IMSAT_EXPERIMENT_HASH16, &o, IMSAT_EINVAL,
           "hash16 has no data set 'mnits'; there are: mnist, cifar10, digits");
    o.datasets = "digits";
    o.methods = "dec";
    refuse(IMSAT_EXPERIMENT_HASH32, &o, IMSAT_EINVAL,
           "hash32 has no method 'dec'; there are: ");
    refuse(IMSAT_EXPERIMENTS, &o, IMSAT_EINVAL, "no experiment 6");
    o.methods = NULL;
    o.folder = in_folder("no/folder");
    refuse(IMSAT_EXPERIMENT_SWEEP, &o, IMSAT_EIO, "cannot be made");
}

/* A cell of other options, and one that is damaged. */
static void other_cells_are_refused(void **state)
{
    (void)state;
    imsat_error err;
    char path[512];
    imsat_reproduce_options o = options_to("other");
    o.methods = "kmeans";
    assert_ok(imsat_reproduce(IMSAT_EXPERIMENT_CLUSTERING, &o, &err), &err);
    o.epochs = 4;
    refuse(IMSAT_EXPERIMENT_CLUSTERING, &o, IMSAT_EMISMATCH, "made with 3 epochs, not 4");
    o.epochs = 3;
    snprintf(path, sizeof path, "%s/clustering-digits-kmeans-seed1.json", o.folder);
    static const char *const bad[] = {
        "", "{}", "[1]", "{\"cell\": \"clustering-digits-kmeans-seed1\", \"epochs\": 3}",
        "{\"cell\": \"clustering-digits-kmeans-seed1\", \"epochs\": 3, \"acc\": 101}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_file(path, bad[i], strlen(bad[i]));
        refuse(IMSAT_EXPERIMENT_CLUSTERING, &o, IMSAT_EFORMAT, "delete it, and the cell is");
    }
    drop(&o);
}

/* What was done before data were missing is in the table. */
static void missing_data_leave_a_table(void **state)
{
    (void)state;
    imsat_reproduce_options o = options_to("missing");
    o.datasets = "mnist";
    o.methods = NULL;
    refuse(IMSAT_EXPERIMENT_HASH16, &o, IMSAT_EIO, "mnist");
    assert_non_null(strstr(contents(&o, "table.csv"),
                           "mnist,linear-rim,\"\",,,map_trapezoid,35.9,0.6,,,0,"));
    drop(&o);
}

static int setup(void **state)
{
    folder_setup(state);
    write_digits();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kill_changes_nothing), /* first: it forks */
        cmocka_unit_test(cells_are_made_once),
        cmocka_unit_test(a_stop_changes_nothing),
        cmocka_unit_test(trials_may_be_races),
        cmocka_unit_test(tables_need_no_training),
        cmocka_unit_test(a_cell_tells_how_it_was_made),
        cmocka_unit_test(dec_takes_the_auto_encoder),
        cmocka_unit_test(a_sweep_has_its_criterion_and_figure),
        cmocka_unit_test(the_toy_has_its_figure),
        cmocka_unit_test(omniglot_has_its_figure),
        cmocka_unit_test(what_is_not_there_is_refused),
        cmocka_unit_test(other_cells_are_refused),
        cmocka_unit_test(missing_data_leave_a_table),
    };
    return cmocka_run_group_tests(tests, setup, folder_teardown);
}
