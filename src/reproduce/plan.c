/* SPDX-License-Identifier: MIT
 * See plan.h. */
#include "reproduce/plan.h"

#include "core/alloc.h"
#include "core/status.h"
#include "model/methods.h"
#include "reproduce/found.h"

#include <stdlib.h>
#include <string.h>

/* Whether a list of names with commas between them has the name; NULL has all but "digits",
 * which is not the paper's. */
static bool listed(const char *list, const char *name)
{
    const size_t size = strlen(name);
    if (!list)
        return strcmp(name, "digits") != 0;
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, size) == 0 && (at[size] == ',' || at[size] == '\0'))
            return true;
    return false;
}

/* Name i of what an experiment has: data sets, or methods, of which some come twice. */
typedef const char *names_fn(imsat_experiment experiment, size_t i);

static const char *method_at(imsat_experiment experiment, size_t i)
{
    for (size_t r = 0; r < im_paper_count; r++)
        if (im_paper_table[r].experiment == experiment && i-- == 0)
            return im_paper_table[r].method;
    return NULL;
}

/* Append the names, each once. */
static void put_names(im_strbuf *out, imsat_experiment experiment, names_fn *names)
{
    for (size_t i = 0; names(experiment, i); i++)
        if (i == 0 || strcmp(names(experiment, i), names(experiment, i - 1)) != 0)
            im_strbuf_format(out, "%s%s", i ? ", " : "", names(experiment, i));
}

/* Refuse the first name of the list that there is not. */
static imsat_status check(const char *list, const char *what, imsat_experiment experiment,
                          names_fn *names, imsat_error *err)
{
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        const size_t size = strcspn(at, ",");
        bool known = false;
        for (size_t i = 0; names(experiment, i); i++)
            known = known || (strlen(names(experiment, i)) == size &&
                              strncmp(names(experiment, i), at, size) == 0);
        if (known)
            continue;
        im_strbuf all = {0};
        put_names(&all, experiment, names);
        const imsat_status st =
            im_fail(err, IMSAT_EINVAL, "%s has no %s '%.*s'; there are: %s",
                    imsat_experiment_name(experiment), what, size > 60 ? 60 : (int)size, at,
                    all.text ? all.text : "");
        im_strbuf_clear(&all);
        return st;
    }
    return IMSAT_OK;
}

double im_plan_value(const char *option, size_t i)
{
    const double first = strcmp(option, "decay") == 0 ? 0.0025 : 0.025;
    return first * (double)(1U << i);
}

/* Whether the experiment is one for its figure, of single seeds. */
static bool is_figure(imsat_experiment experiment)
{
    return experiment == IMSAT_EXPERIMENT_SWEEP || experiment == IMSAT_EXPERIMENT_TOY;
}

static imsat_status add(im_plan *plan, const im_entry *cell, imsat_error *err)
{
    im_entry *cells = im_grow(plan->cell, plan->count, plan->count + 1, sizeof *cells);
    if (!cells)
        return im_fail_memory(err, "the cells of the table");
    plan->cell = cells;
    cells[plan->count] = *cell;
    im_entry_name(&cells[plan->count]);
    plan->count++;
    return IMSAT_OK;
}

/* Seeds that race in a trial of the row; 0: it has one seed. */
static size_t race_of(const im_paper_row *row, const imsat_reproduce_options *options)
{
    const bool can = im_methods_find(row->method)->uses & IM_USES_PAUSE;
    return can && options->race > 1 ? options->race : 0;
}

/* The cells of a row on a data set: every value, with every seed or race of seeds. */
static imsat_status add_row(im_plan *plan, const im_paper_row *row, const char *dataset,
                            const imsat_reproduce_options *options, imsat_error *err)
{
    const size_t wanted = options->trials              ? options->trials
                          : is_figure(row->experiment) ? 1
                                                       : 3;
    const size_t values = row->option ? IM_PLAN_VALUES : 1, race = race_of(row, options);
    imsat_status st = IMSAT_OK;
    for (size_t v = 0; v < values; v++)
        for (size_t t = 0; t < (row->once ? 1 : wanted); t++) {
            const im_entry cell = {.row = row,
                                   .dataset = dataset,
                                   .value = row->option ? im_plan_value(row->option, v) : 0,
                                   .seed = 1 + t * (race ? race : 1),
                                   .race = race,
                                   .epochs = options->epochs};
            IM_TRY(add(plan, &cell, err));
        }

cleanup:
    return st;
}

/* Plain trials first, then races, by their first seeds. */
static int by_seed(const void *a, const void *b)
{
    const im_entry *one = a, *two = b;
    if (one->race != two->race)
        return one->race < two->race ? -1 : 1;
    return one->seed < two->seed ? -1 : one->seed > two->seed;
}

/* The cells of a row on a data set that there are. */
static imsat_status add_found(im_plan *plan, const im_paper_row *row, const char *dataset,
                              size_t epochs, const im_found *found, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const size_t values = row->option ? IM_PLAN_VALUES : 1;
    for (size_t v = 0; v < values; v++) {
        const size_t first = plan->count;
        im_entry cell = {.row = row,
                         .dataset = dataset,
                         .value = row->option ? im_plan_value(row->option, v) : 0,
                         .epochs = epochs};
        for (size_t i = 0; i < found->count; i++)
            if (im_found_take(&cell, found, i))
                IM_TRY(add(plan, &cell, err));
        if (plan->count == first) {
            cell.seed = 1;
            IM_TRY(add(plan, &cell, err));
        }
        qsort(plan->cell + first, plan->count - first, sizeof *plan->cell, by_seed);
    }

cleanup:
    return st;
}

/* found: NULL, or what to make the plan of. */
static imsat_status make(im_plan *plan, imsat_experiment experiment,
                         const imsat_reproduce_options *options, const im_found *found,
                         imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    *plan = (im_plan){0};
    if (options->race > 1 && is_figure(experiment))
        return im_fail(err, IMSAT_EINVAL, "%s has no trials that could race",
                       imsat_experiment_name(experiment));
    IM_TRY(check(options->datasets, "data set", experiment, im_paper_set, err));
    IM_TRY(check(options->methods, "method", experiment, method_at, err));
    for (size_t d = 0; im_paper_set(experiment, d); d++)
        for (size_t r = 0; r < im_paper_count; r++) {
            const im_paper_row *row = &im_paper_table[r];
            const char *dataset = im_paper_set(experiment, d);
            if (row->experiment == experiment && listed(options->datasets, dataset) &&
                listed(options->methods, row->method))
                IM_TRY(found ? add_found(plan, row, dataset, options->epochs, found, err)
                             : add_row(plan, row, dataset, options, err));
        }

cleanup:
    if (st != IMSAT_OK)
        im_plan_clear(plan);
    return st;
}

imsat_status im_plan_make(im_plan *plan, imsat_experiment experiment,
                          const imsat_reproduce_options *options, imsat_error *err)
{
    return make(plan, experiment, options, NULL, err);
}

imsat_status im_plan_find(im_plan *plan, imsat_experiment experiment,
                          const imsat_reproduce_options *options, imsat_error *err)
{
    im_found found;
    imsat_status st = im_found_list(&found, options->folder, err);
    if (st != IMSAT_OK)
        return st;
    st = make(plan, experiment, options, &found, err);
    im_found_clear(&found);
    return st;
}

void im_plan_clear(im_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++)
        im_entry_clear(&plan->cell[i]);
    im_free(plan->cell);
    *plan = (im_plan){0};
}

size_t im_plan_group(const im_plan *plan, size_t first)
{
    const im_entry *a = &plan->cell[first];
    size_t end = first + 1;
    while (end < plan->count && plan->cell[end].row == a->row &&
           plan->cell[end].dataset == a->dataset && plan->cell[end].value == a->value &&
           plan->cell[end].race == a->race)
        end++;
    return end;
}
