/* SPDX-License-Identifier: MIT
 *
 * The eight data sets of the paper, as they are published; see imsat/sets.h.
 *
 * The sums of mnist, omniglot, stl, cifar10, cifar100 and svhn are those of TensorFlow
 * Datasets (its url_checksums), that of 20news is scikit-learn's. They were copied from there,
 * not computed from files that were downloaded. Other copies of MNIST are compressed anew, and
 * have other sums.
 */
#include "data/sets.h"

#include "core/alloc.h"
#include "core/path.h"
#include "core/status.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

/* A table reads better as one. */
/* clang-format off */
#define MNIST "https://storage.googleapis.com/cvdf-datasets/mnist/", "https://ossci-datasets.s3.amazonaws.com/mnist/"
#define SVHN "http://ufldl.stanford.edu/housenumbers/"

static const im_set sets[] = {
    {"mnist", "70,000 handwritten digits, 28 x 28 gray: 12 MB",
     {{"train-images-idx3-ubyte.gz", {MNIST},
       "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609"},
      {"train-labels-idx1-ubyte.gz", {MNIST},
       "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c"},
      {"t10k-images-idx3-ubyte.gz", {MNIST},
       "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6"},
      {"t10k-labels-idx1-ubyte.gz", {MNIST},
       "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"}}, NULL},
    {"omniglot", "characters of 30 alphabets, 105 x 105 black on white: 9 MB",
     {{"images_background.zip", {"https://github.com/brendenlake/omniglot/raw/master/python/"},
       "ad41ab679c8b5d90b271ef46be6987cc81211774a695c29dcc5367b2b26ee640"}}, NULL},
    {"stl", "13,000 labeled images of 10 classes, 96 x 96 color, and 100,000 without labels: 2.6 GB",
     {{"stl10_binary.tar.gz", {"http://ai.stanford.edu/~acoates/stl10/"},
       "f31fd99273a1acb8609c8db427cebb1de3f71de77758cdc0e22956e1289b9866"}}, NULL},
    {"cifar10", "60,000 images of 10 classes, 32 x 32 color: 170 MB",
     {{"cifar-10-binary.tar.gz", {"https://www.cs.toronto.edu/~kriz/"},
       "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd"}}, NULL},
    {"cifar100", "60,000 images of 100 classes, 32 x 32 color: 169 MB",
     {{"cifar-100-binary.tar.gz", {"https://www.cs.toronto.edu/~kriz/"},
       "58a81ae192c23a4be8b1804d68e518ed807d710a4eb253b1f2a199162a40d8ec"}}, NULL},
    {"svhn", "99,289 digits of house numbers, 32 x 32 color: 246 MB",
     {{"train_32x32.mat", {SVHN}, "435e94d69a87fde4fd4d7f3dd208dfc32cb6ae8af2240d066de1df7508d083b8"},
      {"test_32x32.mat", {SVHN}, "cdce80dfb2a2c4c6160906d0bd7c68ec5a99d7ca4831afa54f09182025b6a75b"}},
     NULL},
    {"reuters", "news stories (RCV1): not to be downloaded, its license must be signed",
     {{NULL, {NULL}, NULL}},
     "the corpus RCV1 is given out by NIST, to who has signed an agreement: "
     "https://trec.nist.gov/data/reuters/reuters.html says how to ask. The paper's words of it, in "
     "lyrl2004_tokens_*.dat.gz, are described at "
     "http://www.jmlr.org/papers/volume5/lewis04a/lyrl2004_rcv1v2_README.htm (appendix 12)"},
    {"20news", "18,846 posts to 20 newsgroups: 14 MB",
     {{"20news-bydate.tar.gz", {"https://ndownloader.figshare.com/files/5975967",
                                "http://qwone.com/~jason/20Newsgroups/"},
       "8f1b2514ca22a5ade8fbb9cfa5727df95fa587f4c87b786e15c759fa66d95610"}}, NULL},
};
/* clang-format on */

enum { SETS = sizeof sets / sizeof *sets };

static const im_set *find_set(const char *name)
{
    for (size_t i = 0; i < SETS; i++)
        if (strcmp(sets[i].name, name) == 0)
            return &sets[i];
    return NULL;
}

const char *imsat_sets_name(size_t i)
{
    return i < SETS ? sets[i].name : NULL;
}

const char *imsat_sets_summary(const char *set)
{
    const im_set *found = set ? find_set(set) : NULL;
    return found ? found->summary : NULL;
}

/* "place/name"; and unless `always`, "place" alone if it does not end with a slash. NULL
 * without memory. */
static char *join(const char *place, const char *name, bool always)
{
    const size_t length = strlen(place), room = length + strlen(name) + 2;
    const bool slash = length > 0 && place[length - 1] == '/';
    char *joined = im_alloc(room, 1);
    if (joined)
        snprintf(joined, room, "%s%s%s", place, always && !slash ? "/" : "",
                 always || slash ? name : "");
    return joined;
}

/* The places of a file: the mirror, if there is one, and those that are known. NULL: there is
 * none of this number. */
static const char *place_of(const im_set_file *file, const char *mirror, size_t i)
{
    return i == 0 ? mirror : file->places[i - 1];
}

static bool has_place_after(const im_set_file *file, size_t i)
{
    return i < IM_SETS_PLACES && file->places[i];
}

/* Tell that a place is given up. The message begins with its address, which the state has. */
static void tell_given_up(const imsat_fetch_options *options, const char *url,
                          const char *path, const imsat_error *err)
{
    const size_t length = strlen(url);
    const bool repeats = strncmp(err->message, url, length) == 0 &&
                         strncmp(err->message + length, ": ", 2) == 0;
    const imsat_fetch_state state = {
        .url = url, .path = path, .trouble = err->message + (repeats ? length + 2 : 0)};
    if (options->progress)
        options->progress(options->progress_user, &state); /* the next place can be stopped */
}

/* From place i. *again: it does not have the file, but another one may. */
static imsat_status fetch_from(const im_set_file *file, size_t i, const char *path,
                               const imsat_fetch_options *options, bool *again,
                               imsat_error *err)
{
    imsat_fetch_options own = *options;
    own.sha256 = file->sha256;
    char *url = join(place_of(file, options->mirror, i), file->name, i == 0);
    const imsat_status st =
        url ? imsat_fetch(url, path, &own, err) : im_fail_memory(err, path);
    /* If a wrong file is there, no place has a better one. */
    *again = url && (st == IMSAT_EIO || st == IMSAT_EMISMATCH) && has_place_after(file, i) &&
             !im_path_exists(path);
    if (*again)
        tell_given_up(options, url, path, err);
    im_free(url);
    return st;
}

static imsat_status fetch_one(const im_set_file *file, const char *folder,
                              const imsat_fetch_options *options, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    imsat_error why = {""};
    bool again = true;
    char *path = join(folder, file->name, true);
    if (!path)
        return im_fail_memory(err, file->name);
    for (size_t i = options->mirror ? 0 : 1; again; i++)
        st = fetch_from(file, i, path, options, &again, &why);
    if (st != IMSAT_OK && err)
        *err = why;
    im_free(path);
    return st;
}

imsat_status im_sets_fetch(const im_set *set, const char *folder,
                           const imsat_fetch_options *options, imsat_error *err)
{
    static const imsat_fetch_options none;
    imsat_status st = IMSAT_OK;
    if (set->refusal)
        return im_fail(err, IMSAT_EIO, "%s: %s", set->name, set->refusal);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return im_fail(err, IMSAT_EIO, "%s: cannot be made: %s", folder, strerror(errno));
    for (size_t i = 0; i < IM_SETS_FILES && set->files[i].name; i++)
        IM_TRY(fetch_one(&set->files[i], folder, options ? options : &none, err));

cleanup:
    return st;
}

imsat_status imsat_sets_fetch(const char *set, const char *folder,
                              const imsat_fetch_options *options, imsat_error *err)
{
    IM_REQUIRE(set);
    IM_REQUIRE_PATH(folder);
    const im_set *found = find_set(set);
    if (!found)
        return im_fail(err, IMSAT_EINVAL, "'%s': no data set of this name", set);
    return im_sets_fetch(found, folder, options, err);
}
