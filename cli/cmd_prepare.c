/* SPDX-License-Identifier: MIT
 * imsat data prepare NAME --from DIR -o OUT : the rows of a data set of the paper. */
#include "cli.h"

#include "imsat/sets.h"

#include <string.h>

/* "pixels: bytes, 28 x 28", one form after the other. */
static const char *forms_entry(size_t i, char text[CLI_LISTING_ROOM])
{
    const char *set = imsat_sets_name(i);
    size_t used = 0;
    text[0] = '\0';
    for (size_t f = 0; set && imsat_sets_form(set, f) && used < CLI_LISTING_ROOM; f++) {
        const imsat_set_form *form = imsat_sets_form(set, f);
        used += (size_t)snprintf(text + used, CLI_LISTING_ROOM - used, "%s%s: %s",
                                 f ? "; " : "", form->name, form->summary);
    }
    return set;
}

const cli_listing cli_forms_listing = {"Data sets, and what their rows can be", forms_entry};

/* What was made. */
typedef struct made {
    const char *set;
    const imsat_set_form *form;
    imsat_set_row row;
} made;

static imsat_set_row count_row(const imsat_data *data)
{
    const size_t n = imsat_data_rows(data);
    size_t largest = 0;
    const size_t classes = cli_count_classes(imsat_data_labels(data), n, &largest);
    return (imsat_set_row){n, classes, imsat_data_dim(data), (double)largest / (double)n};
}

static void row_json(cli_json *object, const imsat_set_row *row)
{
    cli_json_count(object, "points", row->points);
    cli_json_count(object, "classes", row->classes);
    cli_json_count(object, "dim", row->dim);
    cli_json_number(object, "largest_class", row->largest);
}

static int report_json(const cli_command *command, const cli_args *args, const made *m)
{
    cli_json *object = cli_json_new(), *paper = cli_json_new();
    cli_json_text(object, "set", m->set);
    cli_json_text(object, "output", args->output);
    cli_json_text(object, "features", m->form->name);
    if (m->form->instead)
        cli_json_text(object, "instead", m->form->instead);
    row_json(object, &m->row);
    row_json(paper, imsat_sets_row(m->set));
    cli_json_member(object, "paper", paper);
    return cli_json_finish(command, args, object);
}

static void print_row(FILE *out, const char *name, const imsat_set_row *row, int digits)
{
    fprintf(out, "%-12s %8zu  %8zu  %9zu  %11.*f %%\n", name, row->points, row->classes,
            row->dim, digits, 100 * row->largest);
}

static int report(const cli_command *command, const cli_args *args, const made *m)
{
    if (args->json)
        return report_json(command, args, m);
    fprintf(args->report, "%-12s %8s  %8s  %9s  %13s\n", m->set, "points", "classes",
            "dimension", "largest class");
    print_row(args->report, "paper", imsat_sets_row(m->set), 0);
    print_row(args->report, m->form->name, &m->row, 1);
    if (m->form->instead)
        fprintf(args->report, "Not as in the paper: %s.\n", m->form->instead);
    return CLI_OK;
}

static int has_form(const char *set, const char *name)
{
    for (size_t i = 0; imsat_sets_form(set, i); i++)
        if (strcmp(imsat_sets_form(set, i)->name, name) == 0)
            return 1;
    return 0;
}

int cli_data_prepare(const cli_command *command, cli_args *args)
{
    int code = cli_sets_check(command, args);
    if (code == CLI_OK && !args->output)
        code = cli_usage(command, "the file to write, -o OUT, must be given");
    if (code == CLI_OK)
        code = cli_data_check(command, args, args->output);
    if (code != CLI_OK)
        return code;
    imsat_error err;
    imsat_data *data = NULL;
    made m = {.set = args->files.items[0]};
    const imsat_prepare_options options = {
        .form = args->form, .seed = args->options.seed, .threads = (int)args->options.threads};
    const imsat_status st = imsat_sets_prepare(
        &data, &m.form, m.set, args->folder ? args->folder : m.set, &options, &err);
    if (st != IMSAT_OK && args->form && !has_form(m.set, args->form))
        return cli_usage(command, "%s", err.message);
    code = cli_data_save(command, args, args->output, data, st, &err);
    if (code == CLI_OK) {
        m.row = count_row(data);
        code = report(command, args, &m);
    }
    imsat_data_free(data);
    return code;
}
