/* SPDX-License-Identifier: MIT
 *
 * Which reader takes a file; see reader.h. The table is all that is said anywhere of what
 * formats there are.
 */
#include "data/reader.h"

#include "core/alloc.h"
#include "data/archive.h"

#include <stdio.h>
#include <string.h>

/* In the order in which they are asked. Text, which looks like nothing else, comes last. */
static const im_reader *const readers[] = {
    &im_npy_reader,      &im_npz_reader,   &im_idx_reader,      &im_vecs_reader,
    &im_bin_reader,      &im_cifar_reader, &im_stl_reader,      &im_safetensors_reader,
    &im_mat_reader,      &im_hdf5_reader,  &im_pictures_reader, &im_mtx_reader,
    &im_svmlight_reader, &im_jsonl_reader, &im_csv_reader};

enum { READERS = sizeof readers / sizeof *readers, LIST_ROOM = 512, ENDING_ROOM = 32 };

const imsat_format *imsat_format_at(size_t i)
{
    return i < READERS ? &readers[i]->format : NULL;
}

/* ---- who reads a file --------------------------------------------------------- */

/* All endings: ".npy, .idx, .csv, .tsv". */
static void list_endings(char list[LIST_ROOM])
{
    size_t used = 0;
    for (size_t i = 0; i < READERS; i++)
        for (const char *word = readers[i]->format.endings; *word; word += *word == ' ') {
            const size_t length = strcspn(word, " ");
            used += (size_t)snprintf(list + used, LIST_ROOM - used, "%s%.*s", used ? ", " : "",
                                     (int)length, word);
            word += length;
        }
}

static imsat_status refuse_unknown(const char *file, imsat_error *err)
{
    char list[LIST_ROOM];
    list_endings(list);
    return im_fail(err, IMSAT_EFORMAT,
                   "%s: binary data of a format that is not known; imsat reads %s, and text, "
                   "each also compressed ('imsat help info' has more on them)",
                   file, list);
}

/* Whether the name is one of a format's. */
static bool is_named(const im_reader *reader, const char *file)
{
    char ending[ENDING_ROOM];
    if (reader->named)
        return reader->named(file);
    for (const char *word = reader->format.endings; *word; word += *word == ' ') {
        const size_t length = strcspn(word, " ");
        snprintf(ending, sizeof ending, "%.*s", (int)length, word);
        if (im_path_ends(file, ending))
            return true;
        word += length;
    }
    return false;
}

imsat_status im_reader_find(const im_reader **out, const char *file, const im_bytes *bytes,
                            imsat_error *err)
{
    const im_reader *found = NULL;
    for (size_t i = 0; i < READERS && !found; i++)
        if (readers[i] != &im_csv_reader && readers[i]->holds && readers[i]->holds(bytes))
            found = readers[i];
    for (size_t i = 0; i < READERS && !found; i++)
        if (readers[i] != &im_csv_reader && is_named(readers[i], file))
            found = readers[i]; /* which will say what is wrong with the contents */
    if (!found && im_csv_reader.holds(bytes))
        found = &im_csv_reader;
    if (!found)
        return refuse_unknown(file, err);
    *out = found;
    return IMSAT_OK;
}

/* ---- reading -------------------------------------------------------------------- */

/* FILE:NAME of a tar archive is the file NAME in it, which is read as if it were alone. It is
 * called FILE/NAME, which is no file: it ends as NAME does, and nobody can open it. */
static imsat_status enter_archive(im_reader_file *file, const char *path, imsat_error *err)
{
    const char *name = file->name.inside;
    const size_t room = strlen(file->name.file) + strlen(name) + 2;
    file->member = im_alloc(room, 1);
    if (!file->member)
        return im_fail_memory(err, path);
    snprintf(file->member, room, "%s/%s", file->name.file, name);
    file->name.inside = NULL;
    return im_archive_enter(&file->bytes, path, name, err);
}

imsat_status im_reader_open(im_reader_file *out, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_reader_file file = {0};
    if (!im_path_split(&file.name, path))
        return im_fail_memory(err, path);
    if (im_folder_is(file.name.file)) {
        file.reader = &im_pictures_reader;
    } else {
        IM_TRY(im_bytes_open(&file.bytes, file.name.file, err));
        if (file.name.inside && im_tar_holds(&file.bytes))
            IM_TRY(enter_archive(&file, path, err));
        IM_TRY(im_reader_find(&file.reader, file.member ? file.member : file.name.file,
                              &file.bytes, err));
    }
    if (file.name.inside && !file.reader->format.inside) {
        st = im_fail(err, IMSAT_EINVAL,
                     "%s: there is nothing with a name inside of %s, a file of the format %s; "
                     "leave out ':%s'",
                     path, file.name.file, file.reader->format.name, file.name.inside);
        goto cleanup;
    }
    *out = file;
    file = (im_reader_file){0};

cleanup:
    st = im_bytes_check(&file.bytes, st, err);
    im_reader_close(&file);
    return st;
}

imsat_status im_reader_take(im_block *out, im_reader_file *file,
                            const im_read_request *request, imsat_error *err)
{
    im_read_request whole = *request;
    whole.file = file->member ? file->member : file->name.file;
    whole.inside = file->name.inside;
    const imsat_status st = file->reader->read(out, &file->bytes, &whole, err);
    if (st == IMSAT_OK)
        im_path_identify(&out->file, file->name.file);
    return im_bytes_check(&file->bytes, st, err);
}

void im_reader_close(im_reader_file *file)
{
    im_bytes_clear(&file->bytes);
    im_path_parts_clear(&file->name);
    im_free(file->member);
    file->member = NULL;
    file->reader = NULL;
}

imsat_status im_reader_read(im_block *out, const im_read_request *request, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_reader_file file = {0};
    IM_TRY(im_reader_open(&file, request->path, err));
    IM_TRY(im_reader_take(out, &file, request, err));

cleanup:
    im_reader_close(&file);
    return st;
}
