/* SPDX-License-Identifier: MIT
 * See results.h. */
#include "reproduce/results.h"

#include "core/alloc.h"
#include "core/status.h"
#include "core/utf8.h"

#include <math.h>
#include <string.h>

/* Mean and sample deviation of a score over the cells first .. end - 1 that are done. */
static void measure(im_results_line *line, const im_plan *plan, size_t first, size_t end)
{
    double sum = 0, squares = 0;
    for (size_t i = first; i < end; i++)
        if (plan->cell[i].done) {
            line->trials++;
            sum += plan->cell[i].score[line->score];
        }
    line->mean = line->trials > 0 ? sum / (double)line->trials : NAN;
    for (size_t i = first; i < end; i++) {
        const double off = plan->cell[i].score[line->score] - line->mean;
        squares += plan->cell[i].done ? off * off : 0;
    }
    line->deviation = line->trials > 1 ? sqrt(squares / (double)(line->trials - 1)) : NAN;
    line->apart = (line->mean - line->paper.mean) / line->paper.deviation;
}

imsat_status im_results_make(im_results *results, const im_plan *plan, imsat_error *err)
{
    *results = (im_results){0};
    results->line = im_alloc(plan->count * IM_SCORES, sizeof *results->line);
    if (!results->line)
        return im_fail_memory(err, "the table");
    for (size_t first = 0, end; first < plan->count; first = end) {
        const im_entry *cell = &plan->cell[first];
        end = im_plan_group(plan, first);
        for (size_t s = 0; s < IM_SCORES; s++) {
            const im_score score = (im_score)s;
            if (!im_paper_scores(cell->row->experiment, score))
                continue;
            im_results_line *line = &results->line[results->count++];
            *line =
                (im_results_line){.cell = cell,
                                  .score = score,
                                  .paper = im_paper_figure(cell->row, cell->dataset, score)};
            measure(line, plan, first, end);
        }
    }
    return IMSAT_OK;
}

void im_results_clear(im_results *results)
{
    im_free(results->line);
    *results = (im_results){0};
}

/* ---- columns ------------------------------------------------------------------------------
 */

enum { COLUMNS = 7 };

static const char *const heads[COLUMNS] = {"data set", "method", "score", "paper",
                                           "ours",     "trials", "apart"};

static void put_method(im_strbuf *out, const im_entry *cell)
{
    im_strbuf_put(out, cell->row->method);
    if (cell->row->hidden)
        im_strbuf_format(out, " (%s)", cell->row->hidden);
    if (cell->row->option) {
        im_strbuf_format(out, ", %s ", cell->row->option);
        im_strbuf_fixed(out, cell->value, 6);
    }
    if (cell->race)
        im_strbuf_format(out, ", race of %zu", cell->race);
}

/* "83.9 (2.3)", "41.2" or "-". */
static void put_value(im_strbuf *out, double mean, double deviation)
{
    if (!isfinite(mean)) {
        im_strbuf_put(out, "-");
        return;
    }
    im_strbuf_padded(out, mean, 1);
    if (isfinite(deviation)) {
        im_strbuf_put(out, " (");
        im_strbuf_padded(out, deviation, 1);
        im_strbuf_put(out, ")");
    }
}

static void put_column(im_strbuf *out, const im_results_line *line, size_t column)
{
    switch (column) {
    case 0: im_strbuf_put(out, line->cell->dataset); break;
    case 1: put_method(out, line->cell); break;
    case 2: im_strbuf_put(out, im_paper_score(line->score)); break;
    case 3: put_value(out, line->paper.mean, line->paper.deviation); break;
    case 4: put_value(out, line->mean, line->deviation); break;
    case 5: im_strbuf_count(out, line->trials); break;
    default:
        if (isfinite(line->apart) && line->apart >= 0)
            im_strbuf_put(out, "+");
        put_value(out, line->apart, NAN);
    }
}

/* What the rows are, where they are not the paper's: a sentence for each data set. */
static void put_notes(im_strbuf *out, const im_results *results, const char *before)
{
    const char *last = NULL;
    for (size_t i = 0; i < results->count; i++) {
        const im_entry *cell = results->line[i].cell;
        if (!cell->features || (last && strcmp(last, cell->dataset) == 0))
            continue;
        im_strbuf_format(out, "%s%s: %s.\n", before, cell->dataset, cell->features);
        last = cell->dataset;
    }
}

#define LEGEND                                                                                \
    "Percent; mean (deviation) over trials. Apart: how many of the paper's deviations ours "  \
    "lies "                                                                                   \
    "above it.\n"

/* ---- text and Markdown -------------------------------------------------------------------
 */

/* The width of what was put since `from`, in characters. */
static size_t width_of(const im_strbuf *out, size_t from)
{
    size_t width = 0;
    if (out->failed)
        return 0;
    for (const char *at = out->text + from, *end = out->text + out->used; at < end; width++)
        im_utf8_next(&at, end);
    return width;
}

static void find_widths(size_t width[COLUMNS], const im_results *results)
{
    im_strbuf one = {0};
    for (size_t c = 0; c < COLUMNS; c++)
        width[c] = strlen(heads[c]);
    for (size_t i = 0; i < results->count; i++)
        for (size_t c = 0; c < COLUMNS; c++) {
            one.used = 0;
            put_column(&one, &results->line[i], c);
            const size_t here = width_of(&one, 0);
            width[c] = here > width[c] ? here : width[c];
        }
    im_strbuf_clear(&one);
}

static void pad(im_strbuf *out, size_t from, size_t width)
{
    for (size_t at = width_of(out, from); at < width && !out->failed; at++)
        im_strbuf_put(out, " ");
}

void im_results_text(im_strbuf *out, const im_results *results)
{
    size_t width[COLUMNS];
    find_widths(width, results);
    for (size_t i = 0; i <= results->count; i++) {
        for (size_t c = 0; c < COLUMNS; c++) {
            const size_t from = out->used;
            if (i == 0)
                im_strbuf_put(out, heads[c]);
            else
                put_column(out, &results->line[i - 1], c);
            if (c + 1 < COLUMNS)
                pad(out, from, width[c] + 2);
        }
        im_strbuf_put(out, "\n");
    }
    im_strbuf_put(out, "\n" LEGEND);
    put_notes(out, results, "");
}

void im_results_markdown(im_strbuf *out, const im_results *results)
{
    for (size_t c = 0; c < COLUMNS; c++)
        im_strbuf_format(out, "| %s ", heads[c]);
    im_strbuf_put(out, "|\n");
    for (size_t c = 0; c < COLUMNS; c++)
        im_strbuf_put(out, "| --- ");
    im_strbuf_put(out, "|\n");
    for (size_t i = 0; i < results->count; i++) {
        for (size_t c = 0; c < COLUMNS; c++) {
            im_strbuf_put(out, "| ");
            put_column(out, &results->line[i], c);
            im_strbuf_put(out, " ");
        }
        im_strbuf_put(out, "|\n");
    }
    im_strbuf_put(out, "\n" LEGEND);
    put_notes(out, results, "\n");
}

/* ---- CSV and JSON: numbers alone, empty or null where there is none
 * ------------------------------------ */

static void put_bare(im_strbuf *out, double value, const char *none)
{
    if (isfinite(value))
        im_strbuf_fixed(out, value, 4);
    else
        im_strbuf_put(out, none);
}

void im_results_csv(im_strbuf *out, const im_results *results)
{
    im_strbuf_put(out, "dataset,method,hidden,option,value,score,paper,paper_deviation,ours,"
                       "deviation,trials,apart,race\n");
    for (size_t i = 0; i < results->count; i++) {
        const im_results_line *line = &results->line[i];
        const im_paper_row *row = line->cell->row;
        const double numbers[] = {line->paper.mean, line->paper.deviation, line->mean,
                                  line->deviation};
        im_strbuf_format(out, "%s,%s,\"%s\",%s,", line->cell->dataset, row->method,
                         row->hidden ? row->hidden : "", row->option ? row->option : "");
        put_bare(out, row->option ? line->cell->value : NAN, "");
        im_strbuf_format(out, ",%s", im_paper_score_key(line->score));
        for (size_t n = 0; n < 4; n++) {
            im_strbuf_put(out, ",");
            put_bare(out, numbers[n], "");
        }
        im_strbuf_format(out, ",%zu,", line->trials);
        put_bare(out, line->apart, "");
        im_strbuf_put(out, ",");
        put_bare(out, line->cell->race ? (double)line->cell->race : NAN, "");
        im_strbuf_put(out, "\n");
    }
}

static void put_member(im_strbuf *out, const char *key, double value)
{
    im_strbuf_format(out, ", \"%s\": ", key);
    put_bare(out, value, "null");
}

static void put_object(im_strbuf *out, const im_results_line *line)
{
    const im_entry *cell = line->cell;
    im_strbuf_format(out, "    {\"dataset\": \"%s\", \"method\": \"%s\"", cell->dataset,
                     cell->row->method);
    if (cell->row->hidden)
        im_strbuf_format(out, ", \"hidden\": [%s]", cell->row->hidden);
    if (cell->row->option)
        put_member(out, cell->row->option, cell->value);
    if (cell->race)
        im_strbuf_format(out, ", \"race\": %zu", cell->race);
    im_strbuf_format(out, ", \"score\": \"%s\"", im_paper_score_key(line->score));
    put_member(out, "paper", line->paper.mean);
    put_member(out, "paper_deviation", line->paper.deviation);
    put_member(out, "ours", line->mean);
    put_member(out, "deviation", line->deviation);
    im_strbuf_format(out, ", \"trials\": %zu", line->trials);
    put_member(out, "apart", line->apart);
    if (cell->features)
        im_strbuf_format(out, ", \"features\": \"%s\"", cell->features);
    im_strbuf_put(out, "}");
}

void im_results_json(im_strbuf *out, const im_results *results)
{
    im_strbuf_format(out, "{\n  \"version\": \"%s\",\n  \"table\": [\n", imsat_version());
    for (size_t i = 0; i < results->count; i++) {
        put_object(out, &results->line[i]);
        im_strbuf_put(out, i + 1 < results->count ? ",\n" : "\n");
    }
    im_strbuf_put(out, "  ]\n}\n");
}
