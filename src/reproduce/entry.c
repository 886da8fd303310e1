/* SPDX-License-Identifier: MIT
 * See entry.h. */
#include "reproduce/entry.h"

#include "core/alloc.h"
#include "core/bytes.h"
#include "core/path.h"
#include "core/status.h"
#include "data/number.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A name is of letters, digits and dashes: "hash16-mnist-deep-rim-60-30-seed1"; and of a race
 * of seeds 5 to 8 "hash16-mnist-deep-rim-60-30-race4-seed5". */
void im_entry_name(im_entry *cell)
{
    const im_paper_row *row = cell->row;
    const char *hidden = row->hidden ? row->hidden : "";
    char value[IM_NUMBER_ROOM + 16] = "", number[IM_NUMBER_ROOM], race[32] = "";
    if (row->option) {
        number[im_number_text(number, cell->value, false)] = '\0';
        snprintf(value, sizeof value, "-%s%s", row->option, number);
    }
    if (cell->race)
        snprintf(race, sizeof race, "-race%zu", cell->race);
    snprintf(cell->name, sizeof cell->name, "%s-%s-%s%s%s%s%s-seed%llu",
             imsat_experiment_name(row->experiment), cell->dataset, row->method,
             *hidden ? "-" : "", hidden, value, race, (unsigned long long)cell->seed);
    for (char *at = cell->name; *at; at++)
        if (*at == ',')
            *at = '-';
}

char *im_entry_path(const im_entry *cell, const char *folder, const char *ending)
{
    const size_t room = strlen(folder) + 1 + strlen(cell->name) + strlen(ending) + 1;
    char *path = im_alloc(room, 1);
    if (path)
        snprintf(path, room, "%s/%s%s", folder, cell->name, ending);
    return path;
}

/* ---- writing -------------------------------------------------------------------------- */

void im_entry_number(im_strbuf *out, const char *key, double value)
{
    char text[IM_NUMBER_ROOM];
    const size_t size = im_number_text(text, value, false);
    im_strbuf_format(out, ",\n  \"%s\": ", key);
    im_strbuf_bytes(out, text, size);
}

/* Text of ours alone, which has nothing to escape. */
static void put_text(im_strbuf *out, const char *key, const char *value)
{
    im_strbuf_format(out, ",\n  \"%s\": \"%s\"", key, value);
}

imsat_status im_entry_write(const im_entry *cell, const char *folder, imsat_error *err)
{
    im_strbuf out = {0};
    char *path = im_entry_path(cell, folder, ".json");
    if (!path)
        return im_fail_memory(err, "the name of a cell");
    im_strbuf_format(&out, "{\n  \"cell\": \"%s\"", cell->name);
    put_text(&out, "version", imsat_version());
    im_strbuf_format(&out, ",\n  \"epochs\": %zu", cell->epochs);
    for (size_t s = 0; s < IM_SCORES; s++)
        if (im_paper_scores(cell->row->experiment, (im_score)s))
            im_entry_number(&out, im_paper_score_key((im_score)s), cell->score[s]);
    im_entry_number(&out, "objective", cell->objective);
    im_entry_number(&out, "seconds", cell->seconds);
    if (cell->features)
        put_text(&out, "features", cell->features);
    if (cell->grid)
        put_text(&out, "grid", cell->grid);
    if (cell->picture)
        put_text(&out, "picture", cell->picture);
    if (cell->about.used > 0)
        im_strbuf_bytes(&out, cell->about.text, cell->about.used);
    im_strbuf_put(&out, "\n}\n");
    out.failed = out.failed || cell->about.failed;
    const imsat_status st = im_strbuf_save(&out, path, err);
    im_strbuf_clear(&out);
    im_free(path);
    return st;
}

/* ---- reading -------------------------------------------------------------------------- */

static imsat_status damaged(const char *path, const char *why, imsat_error *err)
{
    return im_fail(err, IMSAT_EFORMAT, "%s: %s; delete it, and the cell is made again", path,
                   why);
}

/* A text of letters, digits and marks that need no escape, or NULL. */
static const char *plain_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text && !strpbrk(text, "\"\\<&") ? text : NULL;
}

static imsat_status take_text(char **out, const json_t *object, const char *key,
                              imsat_error *err)
{
    const char *text = plain_text(object, key);
    if (!text)
        return IMSAT_OK;
    *out = im_strdup(text);
    return *out ? IMSAT_OK : im_fail_memory(err, "a cell");
}

static imsat_status take_scores(im_entry *cell, const json_t *object, const char *path,
                                imsat_error *err)
{
    for (size_t s = 0; s < IM_SCORES; s++) {
        cell->score[s] = NAN;
        if (!im_paper_scores(cell->row->experiment, (im_score)s))
            continue;
        const json_t *score = json_object_get(object, im_paper_score_key((im_score)s));
        if (!json_is_number(score) || !(json_number_value(score) >= 0) ||
            json_number_value(score) > 100)
            return damaged(path, "a score is missing, or not from 0 to 100", err);
        cell->score[s] = json_number_value(score);
    }
    cell->objective = json_number_value(json_object_get(object, "objective"));
    cell->seconds = json_number_value(json_object_get(object, "seconds"));
    return IMSAT_OK;
}

static imsat_status take(im_entry *cell, const json_t *object, const char *path,
                         imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const char *name = plain_text(object, "cell");
    const json_int_t epochs = json_integer_value(json_object_get(object, "epochs"));
    if (!name || strcmp(name, cell->name) != 0)
        return damaged(path, "this is not the result of its cell", err);
    if ((size_t)epochs != cell->epochs)
        return im_fail(err, IMSAT_EMISMATCH,
                       "%s: was made with %lld epochs, not %zu (0: the preset's); use another "
                       "folder",
                       path, (long long)epochs, cell->epochs);
    IM_TRY(take_scores(cell, object, path, err));
    IM_TRY(take_text(&cell->features, object, "features", err));
    IM_TRY(take_text(&cell->grid, object, "grid", err));
    IM_TRY(take_text(&cell->picture, object, "picture", err));
    cell->done = true;

cleanup:
    return st;
}

imsat_status im_entry_read(im_entry *cell, const char *folder, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    json_error_t why;
    json_t *object = NULL;
    char *path = im_entry_path(cell, folder, ".json");
    if (!path)
        return im_fail_memory(err, "the name of a cell");
    if (!im_path_exists(path))
        goto cleanup;
    object = json_load_file(path, JSON_REJECT_DUPLICATES, &why);
    st = object ? take(cell, object, path, err) : damaged(path, why.text, err);

cleanup:
    json_decref(object);
    im_free(path);
    return st;
}

void im_entry_clear(im_entry *cell)
{
    im_free(cell->features);
    im_free(cell->grid);
    im_free(cell->picture);
    cell->features = cell->grid = cell->picture = NULL;
    im_strbuf_clear(&cell->about);
}
