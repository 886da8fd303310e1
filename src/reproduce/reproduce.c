/* SPDX-License-Identifier: MIT
 *
 * The experiments of the paper; see imsat/reproduce.h. The cells that are on disk are read
 * first. What is left is done in the order of the plan, data set by data set, so that each is
 * opened once and only if it is needed; then tables and figure are made of all cells. */
#include "imsat/reproduce.h"

#include "core/alloc.h"
#include "core/status.h"
#include "reproduce/attempt.h"
#include "reproduce/gallery.h"
#include "reproduce/results.h"
#include "reproduce/sweep.h"
#include "reproduce/toy.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- cells -------------------------------------------------------------------------------
 */

static imsat_status make_folder(const char *folder, imsat_error *err)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return im_fail(err, IMSAT_EIO, "%s: cannot be made: %s", folder, strerror(errno));
    return IMSAT_OK;
}

static imsat_status read_cells(im_plan *plan, const char *folder, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (size_t i = 0; i < plan->count; i++)
        IM_TRY(im_entry_read(&plan->cell[i], folder, err));

cleanup:
    return st;
}

static void tell(const imsat_reproduce_options *options, const im_plan *plan, size_t i)
{
    const imsat_cell_state state = {i, plan->count, plan->cell[i].name, plan->cell[i].done};
    if (options->tell)
        options->tell(options->tell_user, &state);
}

/* The cells first .. end - 1 that are not done, all of one data set. */
static imsat_status do_set(im_plan *plan, size_t first, size_t end,
                           const imsat_reproduce_options *options, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_source source = {0};
    for (size_t i = first; i < end; i++) {
        im_entry *cell = &plan->cell[i];
        if (cell->done)
            continue;
        tell(options, plan, i);
        if (!source.data)
            IM_TRY(
                im_source_open(&source, cell->row->experiment, cell->dataset, options, err));
        IM_TRY(im_attempt_run(cell, &source, options, err));
        tell(options, plan, i);
    }

cleanup:
    im_source_clear(&source);
    return st;
}

static imsat_status do_cells(im_plan *plan, const imsat_reproduce_options *options,
                             imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    for (size_t first = 0, end; first < plan->count; first = end) {
        for (end = first + 1;
             end < plan->count && plan->cell[end].dataset == plan->cell[first].dataset;)
            end++;
        IM_TRY(do_set(plan, first, end, options, err));
    }

cleanup:
    return st;
}

/* ---- tables and figures ------------------------------------------------------------------
 */

static imsat_status save(const im_strbuf *text, const char *folder, const char *name,
                         imsat_error *err)
{
    const size_t room = strlen(folder) + 1 + strlen(name) + 1;
    char *path = im_alloc(room, 1);
    if (!path)
        return im_fail_memory(err, "the name of a file");
    snprintf(path, room, "%s/%s", folder, name);
    const imsat_status st = im_strbuf_save(text, path, err);
    im_free(path);
    return st;
}

/* The table in each of its forms. */
static const struct {
    const char *name, *file;
    void (*put)(im_strbuf *out, const im_results *results);
    bool prose;
} forms[IMSAT_TABLE_FORMS] = {
    [IMSAT_TABLE_TEXT] = {"text", "table.txt", im_results_text, true},
    [IMSAT_TABLE_MARKDOWN] = {"markdown", "table.md", im_results_markdown, true},
    [IMSAT_TABLE_CSV] = {"csv", "table.csv", im_results_csv, false},
    [IMSAT_TABLE_JSON] = {"json", "table.json", im_results_json, false}};

static imsat_status put_table(im_strbuf *out, const im_plan *plan, imsat_experiment experiment,
                              imsat_table_form form, imsat_error *err)
{
    im_results results;
    const imsat_status st = im_results_make(&results, plan, err);
    if (st != IMSAT_OK)
        return st;
    forms[form].put(out, &results);
    if (forms[form].prose && experiment == IMSAT_EXPERIMENT_SWEEP)
        im_sweep_table(out, plan);
    im_results_clear(&results);
    return im_strbuf_check(out, "the table", err);
}

static imsat_status save_tables(const im_plan *plan, imsat_experiment experiment,
                                const char *folder, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_strbuf text = {0};
    for (imsat_table_form form = 0; form < IMSAT_TABLE_FORMS; form++) {
        IM_TRY(put_table(&text, plan, experiment, form, err));
        IM_TRY(save(&text, folder, forms[form].file, err));
        im_strbuf_clear(&text);
    }

cleanup:
    im_strbuf_clear(&text);
    return st;
}

static imsat_status save_figure(const im_plan *plan, imsat_experiment experiment,
                                const char *folder, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_strbuf figure = {0};
    if (experiment == IMSAT_EXPERIMENT_SWEEP)
        im_sweep_figure(&figure, plan);
    else if (experiment == IMSAT_EXPERIMENT_OMNIGLOT)
        im_gallery_figure(&figure, plan);
    else if (experiment == IMSAT_EXPERIMENT_TOY)
        IM_TRY(im_toy_figure(&figure, plan, err));
    else
        return IMSAT_OK;
    st = save(&figure, folder, "figure.svg", err);

cleanup:
    im_strbuf_clear(&figure);
    return st;
}

static imsat_status save_all(const im_plan *plan, imsat_experiment experiment,
                             const char *folder, imsat_error *err)
{
    const imsat_status st = save_tables(plan, experiment, folder, err);
    return st == IMSAT_OK ? save_figure(plan, experiment, folder, err) : st;
}

/* ---- the public functions ---------------------------------------------------------------
 */

const char *imsat_table_form_name(imsat_table_form form)
{
    return (unsigned)form < IMSAT_TABLE_FORMS ? forms[form].name : NULL;
}

static imsat_status check_experiment(imsat_experiment experiment, imsat_error *err)
{
    return imsat_experiment_name(experiment)
               ? IMSAT_OK
               : im_fail(err, IMSAT_EINVAL, "there is no experiment %d", (int)experiment);
}

imsat_status imsat_reproduce_table(char **text, imsat_experiment experiment,
                                   const imsat_reproduce_options *options,
                                   imsat_table_form form, imsat_error *err)
{
    IM_REQUIRE(text);
    IM_REQUIRE(options);
    IM_REQUIRE_PATH(options->folder);
    imsat_status st = IMSAT_OK;
    im_plan plan = {0};
    im_strbuf out = {0};
    IM_TRY(check_experiment(experiment, err));
    if (!imsat_table_form_name(form)) {
        st = im_fail(err, IMSAT_EINVAL, "there is no form %d of a table", (int)form);
        goto cleanup;
    }
    IM_TRY(im_plan_find(&plan, experiment, options, err));
    IM_TRY(read_cells(&plan, options->folder, err));
    IM_TRY(put_table(&out, &plan, experiment, form, err));
    *text = out.text;
    out = (im_strbuf){0};

cleanup:
    im_strbuf_clear(&out);
    im_plan_clear(&plan);
    return st;
}

imsat_status imsat_reproduce(imsat_experiment experiment,
                             const imsat_reproduce_options *options, imsat_error *err)
{
    IM_REQUIRE(options);
    IM_REQUIRE_PATH(options->folder);
    imsat_status st = IMSAT_OK;
    im_plan plan = {0};
    IM_TRY(check_experiment(experiment, err));
    IM_TRY(im_plan_make(&plan, experiment, options, err));
    IM_TRY(make_folder(options->folder, err));
    IM_TRY(read_cells(&plan, options->folder, err));
    st = do_cells(&plan, options, err);
    if (st != IMSAT_OK) { /* what is done is shown, and why not more is told */
        (void)save_all(&plan, experiment, options->folder, NULL);
        goto cleanup;
    }
    st = save_all(&plan, experiment, options->folder, err);

cleanup:
    im_plan_clear(&plan);
    return st;
}
