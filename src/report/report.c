/* SPDX-License-Identifier: MIT
 * imsat_report_write(): from a model and data to a page. */
#include "imsat/report.h"

#include "report/page.h"

static imsat_status check(const imsat_model *model, const imsat_data *data,
                          const imsat_report_options *options, imsat_error *err)
{
    if (options->size != sizeof *options)
        return im_fail(err, IMSAT_EINVAL,
                       "the options of the report are of size %zu, not %zu (set .size = "
                       "sizeof(imsat_report_options))",
                       options->size, sizeof *options);
    if (options->threads < 0)
        return im_fail(err, IMSAT_EINVAL, "threads %d: must be 0 or more", options->threads);
    if (data->dim != model->net.dim)
        return im_fail(err, IMSAT_EMISMATCH,
                       "the data has %zu columns, but the model was trained on %zu", data->dim,
                       model->net.dim);
    return im_fail_paths(err, "imsat_report_write", options->paths, options->npaths);
}

imsat_status imsat_report_write(const char *path, const imsat_model *model,
                                const imsat_data *data, const imsat_report_options *options,
                                imsat_error *err)
{
    IM_REQUIRE_PATH(path);
    IM_REQUIRE(model);
    IM_REQUIRE(data);
    imsat_status st = IMSAT_OK;
    const imsat_report_options defaults = {.size = sizeof defaults};
    const imsat_report_options *o = options ? options : &defaults;
    im_material material = {0};
    im_strbuf page = {0};
    IM_TRY(check(model, data, o, err));
    IM_TRY(im_material_make(&material, model, data, o, err));
    IM_TRY(im_page_write(&page, &material, err));
    IM_TRY(im_strbuf_save(&page, path, err));

cleanup:
    im_strbuf_clear(&page);
    im_material_clear(&material);
    return st;
}
