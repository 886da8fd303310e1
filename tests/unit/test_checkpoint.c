/* SPDX-License-Identifier: MIT
 * Checkpoints: whatever was changed in one is found, by its checksum or, where that was made
 * right again, by what data and options allow. */
#include "blobs.h"
#include "data/seal.h"
#include "data_files.h"
#include "support.h"

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

/* In place: a file that is emptied and written again thousands of times keeps the disk busy.
 */
static void put_byte(const char *path, size_t at, unsigned char byte)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, (long)at, SEEK_SET), 0);
    assert_int_equal(fputc(byte, file), byte);
    assert_int_equal(fclose(file), 0);
}

/* One bit in every byte, another one in the next; and some of the lengths. */
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
    for (size_t i = 0; i < size; i++) {
        put_byte(o.checkpoint, i, bytes[i] ^ (unsigned char)(1U << i % 8));
        assert_refused(go_on(data, &o, &err), &err, IMSAT_EFORMAT, "changed: ");
        put_byte(o.checkpoint, i, bytes[i]);
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
} change;

static void copy_entries(im_safetensors *to, const im_safetensors *from, const change *c)
{
    imsat_error err;
    for (size_t i = 0; i < from->entries; i++) {
        const bool is_it = !c->is_tensor && strcmp(from->keys[i], c->name) == 0;
        if (is_it && !c->text)
            continue;
        assert_ok(
            im_safetensors_set(to, from->keys[i], is_it ? c->text : from->values[i], &err),
            &err);
    }
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
    copy_entries(&file, &read, c);
    for (size_t i = 0; i < read.count; i++) {
        const im_tensor *tensor = &read.tensors[i];
        const void *data = tensor->data;
        if (c->is_tensor && strcmp(tensor->name, c->name) == 0) {
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_of_any_byte_is_found),
        cmocka_unit_test(other_formats_are_refused),
        cmocka_unit_test(a_copy_goes_on),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
