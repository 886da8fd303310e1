/* SPDX-License-Identifier: MIT
 *
 * Which reader takes a file; see reader.h.
 */
#include "data/reader.h"

#include <string.h>

/* Binary formats; text goes to im_csv_reader. A new format is a new line. */
static const im_reader *const binary_readers[] = {&im_npy_reader, &im_idx_reader};

enum { BINARY_READERS = sizeof binary_readers / sizeof *binary_readers };

static imsat_status refuse_unknown(const char *path, const im_bytes *bytes, imsat_error *err)
{
    const bool zip = bytes->size >= 4 && memcmp(bytes->data, "PK\3\4", 4) == 0;
    return im_fail(err, IMSAT_EFORMAT,
                   "%s: binary data that is neither npy nor idx%s; imsat reads .npy, .csv, "
                   ".tsv and idx (ubyte) files, each also compressed",
                   path,
                   zip ? " but a zip archive, as .npz is (write one array by np.save)" : "");
}

imsat_status im_reader_find(const im_reader **out, const char *path, const im_bytes *bytes,
                            imsat_error *err)
{
    for (size_t i = 0; i < BINARY_READERS; i++)
        if (binary_readers[i]->holds(bytes)) {
            *out = binary_readers[i];
            return IMSAT_OK;
        }
    for (size_t i = 0; i < BINARY_READERS; i++)
        if (binary_readers[i]->named(path)) {
            *out = binary_readers[i]; /* which will say what is wrong with the contents */
            return IMSAT_OK;
        }
    if (!im_csv_reader.holds(bytes))
        return refuse_unknown(path, bytes, err);
    *out = &im_csv_reader;
    return IMSAT_OK;
}

imsat_status im_reader_read(im_block *out, const im_read_request *request, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_bytes bytes = {0};
    const im_reader *reader = NULL;
    IM_TRY(im_bytes_open(&bytes, request->path, err));
    IM_TRY(im_reader_find(&reader, request->path, &bytes, err));
    IM_TRY(reader->read(out, &bytes, request, err));

cleanup:
    im_bytes_clear(&bytes);
    return st;
}
