/* SPDX-License-Identifier: MIT
 * See particulars.h. */
#include "reproduce/particulars.h"

#include "core/cores.h"
#include "data/number.h"

#include <inttypes.h>
#include <string.h>

/* Those of a race, or of runs of which one was kept. */
static void put_seeds(im_strbuf *out, const im_entry *cell, const imsat_result *result)
{
    const size_t seeds = cell->race ? cell->race : result->runs;
    im_strbuf_put(out, ",\n  \"seeds\": [");
    for (size_t i = 0; i < seeds; i++)
        im_strbuf_format(out, "%s%" PRIu64, i ? ", " : "", cell->seed + i);
    im_strbuf_format(out, "],\n  \"seed\": %" PRIu64,
                     imsat_result_run(result, result->best)->seed);
}

/* Numbers in their shortest form, all else as text. */
static void put_option(im_strbuf *out, const char *name, const char *value)
{
    double number;
    char text[IM_NUMBER_ROOM];
    im_strbuf_format(out, "\n    \"%s\": ", name);
    if (im_number_parse(&number, value, strlen(value)) == IM_NUMBER_FINITE)
        im_strbuf_bytes(out, text, im_number_text(text, number, false));
    else
        im_strbuf_format(out, "\"%s\"", value);
}

/* Every option that can change what the method finds, decided. */
static void put_options(im_strbuf *out, const imsat_options *used)
{
    char value[256];
    const char *before = "";
    im_strbuf_put(out, ",\n  \"options\": {");
    for (size_t i = 0; imsat_option_at(i); i++) {
        const imsat_option *option = imsat_option_at(i);
        if (!option->recorded || option->type == IMSAT_OPTION_VECTOR ||
            !imsat_option_used(option, used->method, used->task) ||
            imsat_options_get(used, option->name, value, sizeof value, NULL) != IMSAT_OK)
            continue;
        im_strbuf_put(out, before);
        put_option(out, option->name, value);
        before = ",";
    }
    im_strbuf_put(out, "\n  }");
}

void im_particulars_put(im_strbuf *out, const im_entry *cell, const im_source *source,
                        const imsat_result *result, bool resumed)
{
    const imsat_options *used = result->used;
    char machine[IM_CORES_NAME];
    im_strbuf_format(out, ",\n  \"experiment\": \"%s\",\n  \"dataset\": \"%s\"",
                     imsat_experiment_name(cell->row->experiment), cell->dataset);
    im_strbuf_format(out, ",\n  \"rows\": %zu,\n  \"dim\": %zu", source->rows,
                     imsat_data_dim(source->data));
    put_seeds(out, cell, result);
    im_strbuf_format(out, ",\n  \"epochs_trained\": %zu",
                     imsat_result_run(result, result->best)->epochs);
    im_strbuf_format(out, ",\n  \"threads\": %zu",
                     used->threads ? used->threads : (size_t)im_cores());
    if (im_cores_name(machine, ""))
        im_strbuf_format(out, ",\n  \"machine\": \"%s\"", machine);
    if (resumed)
        im_strbuf_put(out, ",\n  \"resumed\": true");
    put_options(out, used);
}
