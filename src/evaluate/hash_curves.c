/* SPDX-License-Identifier: MIT
 *
 * The curves of a hash score as CSV, for any program that draws. Numbers have 17 digits and
 * read back to the same bits.
 */
#include "core/writer.h"
#include "imsat/search.h"

#include <stdio.h>
#include <string.h>

imsat_status imsat_hash_curves_write(const char *path, const imsat_hash_score *score,
                                     imsat_error *err)
{
    IM_REQUIRE_PATH(path);
    IM_REQUIRE(score);
    IM_REQUIRE(score->recall);
    IM_REQUIRE(score->precision);
    imsat_status st = IMSAT_OK;
    im_writer writer = {0};
    static const char header[] = "radius,recall,precision\n";
    if (score->bits < 1 || score->bits > IMSAT_MAX_BITS)
        return im_fail(err, IMSAT_EINVAL,
                       "a score of codes of %zu bits; from 1 to %d are possible", score->bits,
                       IMSAT_MAX_BITS);
    IM_TRY(im_writer_open(&writer, path, err));
    IM_TRY(im_writer_put(&writer, header, strlen(header), err));
    for (size_t r = 0; r <= score->bits; r++) {
        char line[96];
        const int length = snprintf(line, sizeof line, "%zu,%.17g,%.17g\n", r,
                                    score->recall[r], score->precision[r]);
        IM_TRY(im_writer_put(&writer, line, (size_t)length, err));
    }
    IM_TRY(im_writer_commit(&writer, err));

cleanup:
    im_writer_clear(&writer);
    return st;
}
