/* SPDX-License-Identifier: MIT
 * See sweep.h. */
#include "reproduce/sweep.h"

#include "plot/plot.h"

#include <math.h>
#include <string.h>

bool im_sweep_curve(double *curve, const im_plan *plan, const im_paper_row *row,
                    const char *dataset)
{
    bool found = false;
    for (size_t v = 0; v < IM_PLAN_VALUES; v++) {
        double sum = 0, count = 0;
        for (size_t i = 0; i < plan->count; i++) {
            const im_entry *cell = &plan->cell[i];
            if (cell->row != row || strcmp(cell->dataset, dataset) != 0 ||
                cell->value != im_plan_value(row->option, v))
                continue;
            found = true;
            sum += cell->done ? cell->score[IM_SCORE_ACC] : 0;
            count += cell->done;
        }
        curve[v] = count > 0 ? sum / count : NAN;
    }
    return found;
}

static double largest(const double *curve)
{
    double most = 0;
    for (size_t v = 0; v < IM_PLAN_VALUES; v++)
        most = isnan(curve[v]) || isnan(most) ? NAN : fmax(most, curve[v]);
    return most;
}

size_t im_sweep_criterion(double *criterion, const im_plan *plan, const im_paper_row *row)
{
    double curve[IM_PLAN_VALUES];
    size_t sets = 0;
    memset(criterion, 0, IM_PLAN_VALUES * sizeof *criterion);
    for (size_t d = 0; im_paper_set(row->experiment, d); d++) {
        if (!im_sweep_curve(curve, plan, row, im_paper_set(row->experiment, d)) ||
            !(largest(curve) > 0))
            continue;
        sets++;
        for (size_t v = 0; v < IM_PLAN_VALUES; v++)
            criterion[v] += curve[v] / largest(curve);
    }
    return sets;
}

static size_t best_of(const double *criterion)
{
    size_t best = 0;
    for (size_t v = 1; v < IM_PLAN_VALUES; v++)
        if (criterion[v] > criterion[best])
            best = v;
    return best;
}

static void put_choice(im_strbuf *out, const im_plan *plan, const im_paper_row *row)
{
    double criterion[IM_PLAN_VALUES];
    const size_t sets = im_sweep_criterion(criterion, plan, row);
    if (sets == 0)
        return;
    im_strbuf_format(out, "%s, %s, over %zu data set%s:", row->method, row->option, sets,
                     sets > 1 ? "s" : "");
    for (size_t v = 0; v < IM_PLAN_VALUES; v++) {
        im_strbuf_put(out, v ? ", " : " ");
        im_strbuf_fixed(out, im_plan_value(row->option, v), 4);
        im_strbuf_put(out, " ");
        im_strbuf_padded(out, criterion[v], 3);
    }
    im_strbuf_put(out, ". Best ");
    im_strbuf_fixed(out, im_plan_value(row->option, best_of(criterion)), 4);
    im_strbuf_put(out, "; the paper chose ");
    im_strbuf_fixed(out, row->chosen, 4);
    im_strbuf_put(out, ".\n");
}

void im_sweep_table(im_strbuf *out, const im_plan *plan)
{
    im_strbuf_put(out,
                  "\nThe criterion of appendix G, the sum of ACC over the best ACC of each "
                  "data set, by value:\n\n");
    for (size_t r = 0; r < im_paper_count; r++)
        if (im_paper_table[r].experiment == IMSAT_EXPERIMENT_SWEEP)
            put_choice(out, plan, &im_paper_table[r]);
}

/* ---- the figure --------------------------------------------------------------------------
 */

enum { PANELS = 5, COLUMNS = 3, ROWS = 2, WIDE = 330, HIGH = 270 };

static void draw_panel(im_figure *figure, im_box box, const im_plan *plan,
                       const im_paper_row *row)
{
    double values[IM_PLAN_VALUES], curve[IM_PAPER_SETS + 1][IM_PLAN_VALUES];
    im_plot_series series[IM_PAPER_SETS + 1];
    size_t count = 0;
    for (size_t v = 0; v < IM_PLAN_VALUES; v++)
        values[v] = im_plan_value(row->option, v);
    for (size_t d = 0; im_paper_set(row->experiment, d); d++) {
        const char *dataset = im_paper_set(row->experiment, d);
        if (!im_sweep_curve(curve[count], plan, row, dataset))
            continue;
        series[count] = (im_plot_series){.name = dataset,
                                         .x = values,
                                         .y = curve[count],
                                         .n = IM_PLAN_VALUES,
                                         .points = true};
        count++;
    }
    im_plot_lines(figure, box,
                  (im_plot_axes){.title = row->method,
                                 .x = {.label = row->option, .log = true},
                                 .y = {.label = "ACC %", .low = 0, .high = 100}},
                  series, count);
}

void im_sweep_figure(im_strbuf *out, const im_plan *plan)
{
    im_figure figure = {.id = "sweep",
                        .title = "Accuracy and the options that weigh the terms",
                        .about = "A panel for each method: clustering accuracy over values of "
                                 "lambda or of the decay rate, a line for each data set.",
                        .width = COLUMNS * WIDE,
                        .height = ROWS * HIGH,
                        .alone = true};
    size_t panel = 0;
    im_figure_begin(&figure, out);
    for (size_t r = 0; r < im_paper_count; r++)
        if (im_paper_table[r].experiment == IMSAT_EXPERIMENT_SWEEP)
            draw_panel(&figure,
                       im_figure_cell((im_box){0, 0, figure.width, figure.height}, ROWS,
                                      COLUMNS, panel++),
                       plan, &im_paper_table[r]);
    im_figure_end(&figure);
}
