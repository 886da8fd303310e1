/* SPDX-License-Identifier: MIT
 *
 * The columns of tables in a model's file. In its metadata:
 *
 *     table.columns        columns that are data, n
 *     table.width          columns of the file, the label's aside
 *     table.header         1: they have names
 *     table.missing        refuse, drop, mean, median
 *     table.categories     refuse, one-hot, drop
 *     table.decimal_comma  1: some number had one
 *     table.text_bytes     of table.text, t
 *
 * and as tensors:
 *
 *     table.kinds   U8 (n)   im_kind: 1 number, 2 boolean, 3 date, 4 category
 *     table.places  U64 (n)  which column of the file, the label's aside; ascending
 *     table.words   U64 (n)  words of a category; else 0
 *     table.fills   F64 (n)  with mean and median: what missing values become
 *     table.text    U8 (t)   texts with a zero byte behind each, if there are any: the name
 *                            of the label's column, or nothing, and those of the columns, if
 *                            there is a header; then the words of one column after the other,
 *                            in the order of their bytes
 */
#ifndef IM_DATA_SCHEMA_RECORD_H
#define IM_DATA_SCHEMA_RECORD_H

#include "data/safetensors.h"
#include "data/schema.h"

/* The metadata. */
imsat_status im_schema_record(im_safetensors *file, const im_schema *schema, imsat_error *err);

/* What tensors point into, apart from the schema, until the file is written. Zeroed is empty.
 */
typedef struct im_schema_pack {
    uint64_t *places, *words; /* (columns) owned */
    char *text;               /* owned */
} im_schema_pack;

imsat_status im_schema_add(im_safetensors *file, im_schema_pack *pack, const im_schema *schema,
                           imsat_error *err);
void im_schema_pack_clear(im_schema_pack *pack);

/* That of a model's file, for rows of `dim` values; out stays empty if it has none. */
imsat_status im_schema_load(im_schema *out, const im_safetensors *file, const char *path,
                            size_t dim, imsat_error *err);

#endif
