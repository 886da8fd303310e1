/* SPDX-License-Identifier: MIT
 * The columns of tables in a model's file: what was recorded is loaded, and what no table has
 * is refused. */
#include "core/alloc.h"
#include "data/dataset.h"
#include "data/schema_record.h"
#include "data_files.h"
#include "failing_alloc.h"

#include <math.h>
#include <string.h>

enum { DIM = 5 }; /* of the data below */

/* A file in memory, and what its tensors point into. */
typedef struct record {
    imsat_data *data;
    im_safetensors file;
    im_schema_pack pack;
} record;

static void make(record *r)
{
    const char *path = file_text("t.csv", "id,kind,a,city,b,c\n0,x,1,Rome,yes,1970-01-02\n"
                                          "1,y,,Bern,no,1970-01-04\n");
    const imsat_data_options options = {.label_column = "kind"};
    const imsat_table_options table = {.size = sizeof table,
                                       .missing = IMSAT_MISSING_MEAN,
                                       .categories = IMSAT_CATEGORIES_ONE_HOT};
    imsat_error err = {{0}};
    *r = (record){0};
    assert_ok(imsat_data_open_table(&r->data, &path, 1, &options, &table, &err), &err);
    assert_int_equal(imsat_data_dim(r->data), DIM);
    assert_ok(im_schema_record(&r->file, &r->data->schema, &err), &err);
    assert_ok(im_schema_add(&r->file, &r->pack, &r->data->schema, &err), &err);
}

static void clear(record *r)
{
    im_safetensors_clear(&r->file);
    im_schema_pack_clear(&r->pack);
    imsat_data_free(r->data);
}

static void what_was_recorded_is_loaded(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "city", "b", "c"};
    static const unsigned char kinds[] = {IM_KIND_NUMBER, IM_KIND_CATEGORY, IM_KIND_BOOLEAN,
                                          IM_KIND_DATE};
    record r;
    im_schema schema = {0};
    imsat_error err = {{0}};
    make(&r);
    assert_ok(im_schema_load(&schema, &r.file, "m", DIM, &err), &err);
    assert_int_equal(schema.count, 4);
    assert_int_equal(schema.width, 5);
    assert_memory_equal(schema.kinds, kinds, sizeof kinds);
    for (size_t c = 0; c < 4; c++) {
        assert_string_equal(schema.names[c], names[c]);
        assert_int_equal(schema.places[c], c + 1);
    }
    assert_true(schema.distinct && !schema.commas);
    assert_string_equal(schema.label, "kind");
    assert_int_equal(schema.categories[1].count, 2);
    assert_string_equal(schema.categories[1].words[0], "Bern");
    assert_true(schema.fills[0] == 1 && schema.fills[3] == 2);
    assert_int_equal(schema.options.missing, IMSAT_MISSING_MEAN);
    assert_int_equal(schema.options.categories, IMSAT_CATEGORIES_ONE_HOT);
    im_schema_clear(&schema);
    clear(&r);
}

/* Numbers without a header have no text, and no fills. */
static void a_plain_table_is_loaded(void **state)
{
    (void)state;
    imsat_data *data = open_with(file_text("p.csv", "1,5;2\n3,25;4\n"), NULL);
    im_safetensors file = {0}, none = {0};
    im_schema_pack pack = {0};
    im_schema schema = {0};
    imsat_error err = {{0}};
    assert_ok(im_schema_record(&file, &data->schema, &err), &err);
    assert_ok(im_schema_add(&file, &pack, &data->schema, &err), &err);
    assert_ok(im_schema_load(&schema, &file, "m", 2, &err), &err);
    assert_int_equal(schema.count, 2);
    assert_true(!schema.names && !schema.fills && !schema.label && schema.commas);
    im_schema_clear(&schema);
    assert_ok(im_schema_load(&schema, &none, "m", 2, &err), &err);
    assert_int_equal(schema.count, 0);
    im_safetensors_clear(&file);
    im_schema_pack_clear(&pack);
    imsat_data_free(data);
}

static void assert_refused_now(const record *r, const char *part)
{
    im_schema schema = {0};
    imsat_error err = {{0}};
    assert_refused(im_schema_load(&schema, &r->file, "m", DIM, &err), &err, IMSAT_EFORMAT,
                   part);
    assert_int_equal(schema.count, 0);
    assert_int_equal(strncmp(err.message, "m: ", 3), 0);
}

static void entries_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *key, *value, *part;
    } cases[] = {
        {"table.columns", "0", "must be from 1 to 5"},
        {"table.columns", "6", "must be from 1 to 5"},
        {"table.columns", "3", "table.kinds"},
        {"table.width", "3", "must be from 4 to"},
        {"table.width", "4", "column 3 (from 0) of its table: table.places"},
        {"table.header", "2", "must be from 0 to 1"},
        {"table.header", "0", "column 1 (from 0) of its table: table.text"},
        {"table.missing", "guess", "\"table.missing\" is \"guess\""},
        {"table.categories", "", "\"table.categories\" is \"\""},
        {"table.decimal_comma", "x", "not a whole number"},
        {"table.text_bytes", "3", "table.text"},
        {"table.text_bytes", "0", "its name"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        record r;
        imsat_error err = {{0}};
        make(&r);
        assert_ok(im_safetensors_set(&r.file, cases[i].key, cases[i].value, &err), &err);
        assert_refused_now(&r, cases[i].part);
        clear(&r);
    }
    record r;
    im_schema schema = {0};
    imsat_error err = {{0}};
    make(&r);
    assert_refused(im_schema_load(&schema, &r.file, "m", DIM + 1, &err), &err, IMSAT_EFORMAT,
                   "its table makes rows of 5 values, but the network is of 6");
    clear(&r);
}

static void tensors_that_cannot_be_are_refused(void **state)
{
    (void)state;
    record r;
    make(&r);
    im_schema *schema = &r.data->schema;
    schema->kinds[0] = IM_KIND_OPEN;
    assert_refused_now(&r, "column 0 (from 0) of its table: table.kinds");
    schema->kinds[0] = IM_KIND_TEXT;
    assert_refused_now(&r, "column 0 (from 0) of its table: table.kinds");
    schema->kinds[0] = IM_KIND_CATEGORY;
    assert_refused_now(&r, "table.words does not fit its kind");
    schema->kinds[0] = IM_KIND_NUMBER;
    r.pack.words[0] = 1;
    assert_refused_now(&r, "table.words does not fit its kind");
    r.pack.words[0] = 0;
    r.pack.words[1] = IM_CATEGORIES_MOST + 1;
    assert_refused_now(&r, "table.words does not fit its kind");
    r.pack.words[1] = 2;
    r.pack.places[2] = 1;
    assert_refused_now(&r, "table.places does not ascend");
    r.pack.places[2] = 3;
    schema->fills[3] = NAN;
    assert_refused_now(&r, "column 3 (from 0) of its table: table.fills");
    schema->fills[3] = 1e39;
    assert_refused_now(&r, "column 3 (from 0) of its table: table.fills");
    schema->fills[3] = 0;
    char *words = r.pack.text + strlen("kind_a_city_b_c_"); /* Bern, Rome */
    words[0] = 'S';
    assert_refused_now(&r, "they do not ascend");
    words[0] = 0;
    assert_refused_now(&r, "lacks a word");
    words[0] = 'B';
    words[-1] = 'x'; /* c and Bern are one text */
    assert_refused_now(&r, "lacks a word");
    words[-1] = 0;
    words[2] = 0; /* Be, n, Rome */
    assert_refused_now(&r, "table.text holds more than names and words");
    words[2] = 'r';
    im_schema again = {0};
    imsat_error err = {{0}};
    assert_ok(im_schema_load(&again, &r.file, "m", DIM, &err), &err); /* all is as it was */
    im_schema_clear(&again);
    clear(&r);
}

static imsat_status attempt(void *context, imsat_error *err)
{
    const record *r = context;
    imsat_status st = IMSAT_OK;
    im_safetensors file = {0};
    im_schema_pack pack = {0};
    im_schema schema = {0}, copy = {0};
    IM_TRY(im_schema_record(&file, &r->data->schema, err));
    IM_TRY(im_schema_add(&file, &pack, &r->data->schema, err));
    IM_TRY(im_schema_load(&schema, &file, "m", DIM, err));
    IM_TRY(im_schema_copy(&copy, &schema, err));

cleanup:
    im_schema_clear(&copy);
    im_schema_clear(&schema);
    im_schema_pack_clear(&pack);
    im_safetensors_clear(&file);
    return st;
}

static void memory_that_is_not_there(void **state)
{
    (void)state;
    record r;
    make(&r);
    assert_true(fail_each(attempt, &r) > 30);
    clear(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_recorded_is_loaded),
        cmocka_unit_test(a_plain_table_is_loaded),
        cmocka_unit_test(entries_that_cannot_be_are_refused),
        cmocka_unit_test(tensors_that_cannot_be_are_refused),
        cmocka_unit_test(memory_that_is_not_there),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
