/* SPDX-License-Identifier: MIT
 *
 * imsat: the data sets of the paper, and files from the network.
 *
 * The conventions are those of imsat.h. Downloads need libcurl (imsat/build.h says whether it
 * is there), which uses the proxies that it finds in the environment.
 */
#ifndef IMSAT_SETS_H
#define IMSAT_SETS_H

#include "imsat/imsat.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- files from the network ---------------------------------------------------------- */

/* Where a download stands. */
typedef struct imsat_fetch_state {
    const char *url, *path; /* from where, to where */
    uint64_t bytes;         /* of the file that are here */
    uint64_t total;         /* that it has; 0: not known yet, or the server does not say */
    uint64_t kept;          /* of those that are here, from an earlier call */
    unsigned failures;      /* attempts in a row that brought nothing */
    const char *trouble;    /* why the last one failed; NULL if none did. With 0 failures: why
                               this place of a set's file is given up for another */
    const char *sha256;     /* of the whole file, when it is under its name; else NULL */
    int compared;           /* and then: whether it was compared with what it must be */
} imsat_fetch_state;

/* Called many times a second, and once for each file when it is whole, with its sha256. What
 * the state points to is valid during the call. Return 0, or anything else to stop: another
 * call of imsat_fetch() goes on from there. */
typedef int (*imsat_fetch_fn)(void *user, const imsat_fetch_state *state);

/* All zero, or no options, is a good choice. */
typedef struct imsat_fetch_options {
    imsat_fetch_fn progress; /* or NULL */
    void *progress_user;
    const char *sha256; /* 64 hexadecimal digits that the file must have; NULL: any. Of a set:
                           its own are used, not this */
    const char
        *mirror; /* of a set: http(s)://..., where copies of its files are, tried first */
    unsigned attempts; /* in a row that bring nothing, before giving up; 0: 5 */
    double pause;      /* seconds before the second attempt, twice as many before the next;
                          0: 1 */
    double patience;   /* seconds without a byte after which an attempt has failed; 0: 30 */
} imsat_fetch_options;

/* Download url, http or https, to path.
 *
 * The file appears under its name when it is whole and, if its sha256 is known, has been found
 * right. Until then it is path.part, and path.part.info says what it is a part of. A transfer
 * that breaks is tried again, and goes on where it broke: at once, or in another call. If the
 * server cannot go on in the middle, or has another file by now, it begins anew. A file that
 * is there already is not downloaded; one with another sha256 is refused, and left as it is.
 *
 * Returns IMSAT_OK; IMSAT_EIO: it could not be had, or written; IMSAT_EMISMATCH: what came, or
 * was there, has another sha256; IMSAT_ESTOPPED; IMSAT_EINVAL or IMSAT_ENOMEM. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_fetch(const char *url, const char *path,
                                                 const imsat_fetch_options *options,
                                                 imsat_error *err);

/* ---- data sets ------------------------------------------------------------------------- */

/* Set i of the paper's eight, from 0: "mnist"; NULL past the last. */
IMSAT_API const char *imsat_sets_name(size_t i);

/* One line on a set; NULL if there is none of this name. */
IMSAT_API const char *imsat_sets_summary(const char *set);

/* Download the files that a set is published as to a folder, which is made if need be; its
 * parent must be there. Each is fetched as imsat_fetch() does, from the mirror, if one is
 * given, or from the places that are known, one after the other until one has it. The
 * checksums are those that TensorFlow Datasets and scikit-learn publish. "reuters" is refused:
 * its license must be signed.
 */
IMSAT_API IMSAT_CHECKED imsat_status imsat_sets_fetch(const char *set, const char *folder,
                                                      const imsat_fetch_options *options,
                                                      imsat_error *err);

/* ---- data sets, prepared -----------------------------------------------------------------
 */

/* A row of the paper's table 2. */
typedef struct imsat_set_row {
    size_t points, classes, dim;
    double largest; /* share of the points that are of the largest class */
} imsat_set_row;

/* What the paper says of a set; NULL if there is none of this name. */
IMSAT_API const imsat_set_row *imsat_sets_row(const char *set);

/* What the rows of a set can be. */
typedef struct imsat_set_form {
    const char *name;    /* "pixels" */
    const char *summary; /* what the rows are, and where they come from, in a phrase */
    const char *instead; /* what the paper has in their place; NULL: just this */
} imsat_set_form;

/* Form i of a set, from 0, the best first; NULL past the last. */
IMSAT_API const imsat_set_form *imsat_sets_form(const char *set, size_t i);

/* All zero, or no options, is a good choice. */
typedef struct imsat_prepare_options {
    const char *form; /* NULL: the first whose files are there */
    uint64_t seed;    /* of what is drawn: warps of omniglot, stories of reuters */
    int threads;      /* 0: as many as there are cores */
} imsat_prepare_options;

/* The rows of a set and their classes, as appendix E of the paper says, from a folder with the
 * files that the set is published as, in their archives or unpacked, or with features that
 * were computed elsewhere. The files are looked for in the folder, and in one in it that is
 * called as the set.
 *
 * out   receives the data, with labels; images keep their shape.
 * form  receives which form it is in; may be NULL. */
IMSAT_API IMSAT_CHECKED imsat_status imsat_sets_prepare(imsat_data **out,
                                                        const imsat_set_form **form,
                                                        const char *set, const char *folder,
                                                        const imsat_prepare_options *options,
                                                        imsat_error *err);

#ifdef __cplusplus
}
#endif

#endif
