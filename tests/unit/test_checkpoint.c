/* SPDX-License-Identifier: MIT
 * Checkpoints: whatever was changed in one is found, by its checksum or, where that was made
 * right again, by what data and options allow. */
#include "blobs.h"
#include "data/seal.h"
#include "data_files.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = 1 << 16 };

/* A training of two runs that was stopped in the second one: the file, and options that go on
 * from it. */
static imsat_options stopped(const imsat_data *data, imsat_options options)
{
    imsat_options resumed;
    options.runs = 2;
    options.checkpoint_every = 1000; /* flushing files takes longer than all else here */
    blobs_set(&options, "hidden", "4,3");
    blobs_interrupt(&resumed, data, &options, options.task == IMSAT_TASK_HASH ? 100 : 140);
    resumed.threads = 1;
    return resumed;
}

static imsat_status go_on(const imsat_data *data, const imsat_options *o, imsat_error *err)
{
    imsat_model *model = NULL;
    const imsat_status st = o->task == IMSAT_TASK_HASH
                                ? imsat_hash(&model, data, o, NULL, err)
                                : imsat_cluster(&model, data, o, NULL, err);
    assert_int_equal(st == IMSAT_OK, model != NULL);
    imsat_model_free(model);
    return st;
}

/* One bit in every byte, another one in the next; and some of the lengths. A sanitizer has one
 * byte of five. */
static void a_change_of_any_byte_is_found(void **state)
{
    (void)state;
    static unsigned char bytes[ROOM];
    imsat_data *data = blobs_open();
    imsat_options o = stopped(data, blobs_options("imsat-vat"));
    imsat_error err;
    const size_t size = read_file(o.checkpoint, bytes, ROOM);
    assert_in_range(size, 1000, ROOM - 1);
    o.checkpoint = in_folder("changed");
    write_file(o.checkpoint, bytes, size);
    for (size_t i = 0; i < size; i += SANITIZED ? 5 : 1) {
        write_byte(o.checkpoint, i, bytes[i] ^ (unsigned char)(1U << i % 8));
        assert_refused(go_on(data, &o, &err), &err, IMSAT_EFORMAT, "changed: ");
        write_byte(o.checkpoint, i, bytes[i]);
    }
    assert_ok(go_on(data, &o, &err), &err);
    for (size_t cut = 0; cut < size; cut += 211) {
        write_file(o.checkpoint, bytes, cut);
        assert_refused(go_on(data, &o, &err), &err, IMSAT_EFORMAT, "begin anew");
    }
    imsat_data_free(data);
}

/* ---- changed, and sealed again -------------------------------------------------------- */

/* A change: of an entry to a text, or of the last element of a tensor to a number. With
 * neither, it is left out. */
typedef struct change {
    const char *name, *text;
    bool is_tensor, is_number;
    double number;
    const char *says; /* what the message names in place of `name` */
} change;

/* Returns whether the change was of an entry that is there. */
static bool copy_entries(im_safetensors *to, const im_safetensors *from, const change *c)
{
    imsat_error err;
    bool found = false;
    for (size_t i = 0; i < from->entries; i++) {
        const bool is_it = !c->is_tensor && strcmp(from->keys[i], c->name) == 0;
        found |= is_it;
        if (is_it && !c->text)
            continue;
        assert_ok(
            im_safetensors_set(to, from->keys[i], is_it ? c->text : from->values[i], &err),
            &err);
    }
    return found;
}

static void set_last(unsigned char *data, const im_tensor *tensor, double number)
{
    const size_t bytes = im_safetensors_bytes(tensor);
    const float single = (float)number;
    const int32_t whole = tensor->type == IM_TENSOR_I32 ? (int32_t)number : 0;
    if (tensor->type == IM_TENSOR_F32)
        memcpy(data + bytes - sizeof single, &single, sizeof single);
    else if (tensor->type == IM_TENSOR_I32)
        memcpy(data + bytes - sizeof whole, &whole, sizeof whole);
    else
        data[bytes - 1] = (unsigned char)number;
}

/* A copy of a checkpoint under another name, with a change, and a checksum that is right. */
static void write_changed(const char *to, const char *from, const change *c)
{
    static unsigned char changed[ROOM];
    im_safetensors read = {0}, file = {0};
    imsat_error err;
    assert_ok(im_safetensors_read(&read, from, &err), &err);
    bool found = copy_entries(&file, &read, c) || !*c->name;
    for (size_t i = 0; i < read.count; i++) {
        const im_tensor *tensor = &read.tensors[i];
        const void *data = tensor->data;
        if (c->is_tensor && strcmp(tensor->name, c->name) == 0) {
            found = true;
            if (!c->is_number)
                continue;
            assert_true(im_safetensors_bytes(tensor) <= ROOM);
            memcpy(changed, data, im_safetensors_bytes(tensor));
            set_last(changed, tensor, c->number);
            data = changed;
        }
        assert_ok(im_safetensors_add(&file, tensor->name, tensor->type, data, tensor->dims,
                                     tensor->shape, &err),
                  &err);
    }
    assert_true(found); /* or the test changes nothing */
    assert_ok(im_seal_set(&file, &err), &err);
    assert_ok(im_safetensors_write(&file, to, &err), &err);
    im_safetensors_clear(&file);
    im_safetensors_clear(&read);
}

static void other_formats_are_refused(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_options o = stopped(data, blobs_options("imsat-vat"));
    const char *made = o.checkpoint;
    const struct {
        const char *key, *text, *why;
    } cases[] = {
        {"format", "imsat-checkpoint-2",
         "has the format imsat-checkpoint-2 of imsat " IMSAT_VERSION},
        {"format", "imsat-checkpoint-3", "which reads imsat-checkpoint-5"},
        {"format", "imsat-checkpoint-2", "remove the file and begin anew"},
        {"format", "imsat-model-1", "is not a checkpoint (its format is imsat-model-1)"},
        {"format", NULL, "is not a checkpoint (its format is not stated)"},
    };
    imsat_error err;
    o.checkpoint = in_folder("other");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const change c = {.name = cases[i].key, .text = cases[i].text};
        write_changed(o.checkpoint, made, &c);
        assert_refused(go_on(data, &o, &err), &err, IMSAT_EFORMAT, cases[i].why);
    }
    const change version = {.name = "version", .text = "0.0.9"};
    write_changed(o.checkpoint, made, &version);
    assert_refused(go_on(data, &o, &err), &err, IMSAT_EMISMATCH,
                   "was made with version 0.0.9");
    imsat_data_free(data);
}

/* Nothing is changed: it is the copying that the other tests rest on. */
static void a_copy_goes_on(void **state)
{
    (void)state;
    imsat_data *data = blobs_open();
    imsat_options o = stopped(data, blobs_options("imsat-vat"));
    const char *made = o.checkpoint;
    const change none = {.name = ""};
    imsat_error err;
    o.checkpoint = in_folder("copy");
    write_changed(o.checkpoint, made, &none);
    assert_ok(go_on(data, &o, &err), &err);
    imsat_data_free(data);
}

/* Each change is refused, and the message names what was changed. */
static void assert_found(const imsat_data *data, const imsat_options *resumed,
                         const change *changes, size_t count)
{
    imsat_options o = *resumed;
    imsat_error err;
    o.checkpoint = in_folder("bent");
    for (size_t i = 0; i < count; i++) {
        write_changed(o.checkpoint, resumed->checkpoint, &changes[i]);
        assert_refused(go_on(data, &o, &err), &err, IMSAT_EFORMAT,
                       changes[i].says ? changes[i].says : changes[i].name);
        assert_message(&err, o.checkpoint, "begin anew");
    }
}

#define TENSOR(n, x)                                                                          \
    {                                                                                         \
        .name = (n), .is_tensor = true, .is_number = true, .number = (x)                      \
    }
#define WITHOUT(n)                                                                            \
    {                                                                                         \
        .name = (n), .is_tensor = true                                                        \
    }
#define ENTRY(key, t)                                                                         \
    {                                                                                         \
        .name = (key), .text = (t)                                                            \
    }
#define COUNT(list) (sizeof(list) / sizeof *(list))

static void tensors_out_of_range_are_found(void **state)
{
    (void)state;
    const double inf = (double)INFINITY, nan = (double)NAN;
    const change changes[] = {
        TENSOR("params", nan),
        TENSOR("params", -inf),
        TENSOR("running", nan),
        TENSOR("running", -1), /* the last one is a variance */
        TENSOR("adam.m", inf),
        TENSOR("adam.v", nan),
        TENSOR("adam.v", -1e-30),
        TENSOR("radius", nan),
        TENSOR("radius", inf),
        TENSOR("radius", -1),
        TENSOR("labels", BLOB_K),
        TENSOR("labels", -1),
        TENSOR("labels", INT32_MIN),
        TENSOR("labels", INT32_MAX),
        TENSOR("history.objective", inf),
        TENSOR("history.sat", nan),
        TENSOR("best.layer.0.weight", nan),
        TENSOR("best.layer.1.gain", inf),
        TENSOR("best.layer.1.var", -1),
        TENSOR("best.layer.2.bias", nan),
        WITHOUT("params"),
        WITHOUT("adam.v"),
        WITHOUT("labels"),
        WITHOUT("radius"),
        WITHOUT("history.epoch"),
        WITHOUT("history.marginal_kl"),
        WITHOUT("best.layer.0.mean"),
    };
    imsat_data *data = blobs_open();
    const imsat_options o = stopped(data, blobs_options("imsat-vat"));
    assert_found(data, &o, changes, COUNT(changes));
    imsat_data_free(data);
}

static void entries_out_of_range_are_found(void **state)
{
    (void)state;
    const change changes[] = {
        ENTRY("radius.method", "3"),
        ENTRY("radius.error", "nan"),
        ENTRY("radius.sample", "204"),
        {.name = "best.net.dim", .text = "5", .says = "best.layer.0.weight"},
        {.name = "best.net.outputs", .text = "4", .says = "best.layer.2.weight"},
        ENTRY("best.net.hidden", "9"),
        ENTRY("run.0.objective", "nan"),
        ENTRY("run.0.objective", "-inf"),
        ENTRY("run.0.mu", "-0.5"),
        ENTRY("run.0.sat", "inf"),
        ENTRY("run.0.epochs", "13"),
        ENTRY("sums.objective", "nan"),
        ENTRY("sums.decay", "inf"),
        ENTRY("at.run", "3"),
        ENTRY("at.best_run", "1"),
        ENTRY("at.state", "2"),
        ENTRY("at.rung", "1"),
        ENTRY("at.rung_epoch", "13"),
        ENTRY("at.rung_epoch", "18446744073709551615"),
        ENTRY("at.epoch", "11"),
        ENTRY("at.step", "6"),
        ENTRY("at.steps", "7"),
        ENTRY("at.steps", "4294967296"),
        ENTRY("at.adam_steps", "61"),
        ENTRY("at.adam_steps", "0"),
        ENTRY("at.adam_steps", NULL),
        ENTRY("at.state", NULL),
        ENTRY("run.0.cond_entropy", NULL),
    };
    imsat_data *data = blobs_open();
    const imsat_options o = stopped(data, blobs_options("imsat-vat"));
    assert_found(data, &o, changes, COUNT(changes));
    imsat_data_free(data);
}

/* Counters of a ladder, codes, and a call that was done. */
static void other_values_out_of_range_are_found(void **state)
{
    (void)state;
    const change ladder[] = {ENTRY("at.rung", "21"), ENTRY("at.epoch", "0"),
                             ENTRY("at.epoch", "1000")};
    const change codes[] = {TENSOR("codes", 255), TENSOR("codes", 16), WITHOUT("codes")};
    const change done[] = {ENTRY("at.state", "1"), ENTRY("at.best_run", "2"),
                           ENTRY("run.1.objective", "nan")};
    imsat_data *data = blobs_open();
    imsat_options o = blobs_options("imsat-vat");
    o.mu = IMSAT_AUTO;
    o = stopped(data, o);
    assert_found(data, &o, ladder, COUNT(ladder));
    o = stopped(data, blobs_hash_options("imsat-vat"));
    assert_found(data, &o, codes, COUNT(codes));
    imsat_error err;
    assert_ok(go_on(data, &o, &err), &err);
    assert_found(data, &o, done, COUNT(done));
    imsat_data_free(data);
}

/* Of two runs that are done: what data and options allow, but which does not fit together. */
static void what_does_not_fit_together_is_found(void **state)
{
    (void)state;
    static const struct {
        const char *first, *second, *best;
    } cases[] = {{"-2", "-1", "1"}, {"-1", "-2", "0"}, {"-1", "-1", "1"}};
    imsat_data *data = blobs_open();
    imsat_options o = blobs_options("imsat-rpt");
    imsat_error err;
    o.runs = 2;
    o.checkpoint = in_folder("done");
    assert_ok(go_on(data, &o, &err), &err);
    o.resume = 1;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const change changes[] = {ENTRY("run.0.objective", cases[i].first),
                                  ENTRY("run.1.objective", cases[i].second),
                                  ENTRY("at.best_run", cases[i].best)};
        write_changed(in_folder("once"), in_folder("done"), &changes[0]);
        write_changed(in_folder("twice"), in_folder("once"), &changes[1]);
        write_changed(in_folder("bent"), in_folder("twice"), &changes[2]);
        o.checkpoint = in_folder("bent");
        assert_refused(go_on(data, &o, &err), &err, IMSAT_EFORMAT, "at.best_run");
    }
    imsat_data_free(data);
}

/* The best encoder of one checkpoint in another. */
static void write_mixed(const char *to, const char *from, const char *best_from)
{
    im_safetensors read[2] = {{0}, {0}}, file = {0};
    imsat_error err;
    for (size_t f = 0; f < 2; f++) {
        assert_ok(im_safetensors_read(&read[f], f ? best_from : from, &err), &err);
        for (size_t i = 0; i < read[f].entries; i++)
            if ((strncmp(read[f].keys[i], "best.", 5) == 0) == (f == 1))
                assert_ok(im_safetensors_set(&file, read[f].keys[i], read[f].values[i], &err),
                          &err);
        for (size_t i = 0; i < read[f].count; i++) {
            const im_tensor *t = &read[f].tensors[i];
            if ((strncmp(t->name, "best.", 5) == 0) == (f == 1))
                assert_ok(im_safetensors_add(&file, t->name, t->type, t->data, t->dims,
                                             t->shape, &err),
                          &err);
        }
    }
    assert_ok(im_seal_set(&file, &err), &err);
    assert_ok(im_safetensors_write(&file, to, &err), &err);
    im_safetensors_clear(&file);
    im_safetensors_clear(&read[0]);
    im_safetensors_clear(&read[1]);
}

static void an_encoder_of_another_shape_is_found(void **state)
{
    (void)state;
    static const char *const hidden[] = {"30,21", "30,20", "30", "none"};
    imsat_data *data = blobs_open();
    imsat_error err;
    for (size_t i = 0; i < COUNT(hidden); i++) {
        imsat_options o = blobs_options("imsat-rpt");
        blobs_set(&o, "hidden", hidden[i]);
        o.checkpoint = in_folder(i ? "other" : "done");
        assert_ok(go_on(data, &o, &err), &err);
        if (i == 0)
            continue;
        blobs_set(&o, "hidden", hidden[0]);
        o.resume = 1;
        o.checkpoint = in_folder("mixed");
        write_mixed(o.checkpoint, in_folder("done"), in_folder("other"));
        assert_refused(go_on(data, &o, &err), &err, IMSAT_EFORMAT, "has another shape");
    }
    imsat_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_of_any_byte_is_found),
        cmocka_unit_test(other_formats_are_refused),
        cmocka_unit_test(a_copy_goes_on),
        cmocka_unit_test(tensors_out_of_range_are_found),
        cmocka_unit_test(entries_out_of_range_are_found),
        cmocka_unit_test(other_values_out_of_range_are_found),
        cmocka_unit_test(what_does_not_fit_together_is_found),
        cmocka_unit_test(an_encoder_of_another_shape_is_found),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
