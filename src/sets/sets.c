/* SPDX-License-Identifier: MIT
 *
 * The eight data sets of the paper: what its table 2 says of them, the files that they are
 * published as, and the forms in which they can be prepared; see imsat/sets.h. Everything that
 * is said of the sets anywhere comes from this table.
 *
 * The sums of mnist, omniglot, stl, cifar10, cifar100 and svhn are those of TensorFlow
 * Datasets (its url_checksums), that of 20news is scikit-learn's. They were copied from there,
 * not computed from files that were downloaded. Other copies of MNIST are compressed anew, and
 * have other sums.
 *
 * The paper has features of a ResNet-50 for stl, cifar10 and cifar100. imsat has no networks
 * for images: whoever has such features puts them into resnet50_x.npy and the labels into
 * y.npy. Features of a MobileNetV2 are taken in their place as somebody has made them, in
 * bytes; what a byte stands for is in the row.
 */
#include "sets/sets.h"

#include "core/status.h"

#include <string.h>

/* A table reads better as one. */
/* clang-format off */
#define MNIST "https://storage.googleapis.com/cvdf-datasets/mnist/", "https://ossci-datasets.s3.amazonaws.com/mnist/"
#define SVHN "http://ufldl.stanford.edu/housenumbers/"

#define CIFAR10_FILES {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", \
                       "data_batch_5.bin", "test_batch.bin"}
#define CIFAR10_LAYOUTS(make)                                                             \
    {make, "", CIFAR10_FILES, {NULL}, 0},                                                 \
    {make, "cifar-10-batches-bin/", CIFAR10_FILES, {NULL}, 0},                            \
    {make, "cifar-10-binary.tar:cifar-10-batches-bin/", CIFAR10_FILES, {NULL}, 0}
#define CIFAR100_FILES {"train.bin", "test.bin"}
#define STL_FILES {"train_X.bin", "test_X.bin"}, {"train_y.bin", "test_y.bin"}

#define RESNET50                                                                          \
    {{"resnet50", "features of a ResNet-50, as the paper has them, in resnet50_x.npy with the labels in y.npy", NULL}, \
     {{im_recipe_features, "", {"resnet50_x.npy"}, {"y.npy"}, 0}}}
#define NOT_RESNET50 "the paper has 2,048 features of a ResNet-50, which imsat cannot compute"

static const im_set sets[] = {
    {"mnist", NULL, "70,000 handwritten digits, 28 x 28 gray: 12 MB", {70000, 10, 784, 0.11},
     {{"train-images-idx3-ubyte.gz", {MNIST},
       "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609"},
      {"train-labels-idx1-ubyte.gz", {MNIST},
       "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c"},
      {"t10k-images-idx3-ubyte.gz", {MNIST},
       "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6"},
      {"t10k-labels-idx1-ubyte.gz", {MNIST},
       "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"}}, NULL,
     {{{"pixels", "bytes, which the presets paper and reference bring to [-1, 1]", NULL},
       {{im_recipe_images, "", {"train-images-idx3-ubyte", "t10k-images-idx3-ubyte"},
         {"train-labels-idx1-ubyte", "t10k-labels-idx1-ubyte"}, 0}}}}},
    {"omniglot", NULL, "characters of 30 alphabets, 105 x 105 black on white: 9 MB", {40000, 100, 441, 0.01},
     {{"images_background.zip", {"https://github.com/brendenlake/omniglot/raw/master/python/"},
       "ad41ab679c8b5d90b271ef46be6987cc81211774a695c29dcc5367b2b26ee640"}}, NULL,
     {{{"pixels", "21 x 21, ink 1 on 0, of the first 100 characters of four alphabets; 20 warps of each drawing", NULL},
       {{im_recipe_omniglot, "images_background", {""}, {NULL}, 0},
        {im_recipe_omniglot, "images_background.zip", {""}, {NULL}, 0},
        {im_recipe_omniglot, "omniglot_four_png.tar", {""}, {NULL}, 0}}}}},
    {"stl", "stl10", "13,000 labeled images of 10 classes, 96 x 96 color, and 100,000 without labels: 2.6 GB", {13000, 10, 2048, 0.10},
     {{"stl10_binary.tar.gz", {"http://ai.stanford.edu/~acoates/stl10/"},
       "f31fd99273a1acb8609c8db427cebb1de3f71de77758cdc0e22956e1289b9866"}}, NULL,
     {RESNET50,
      {{"mobilenetv2", "features of a MobileNetV2, in mobilenetv2_x.npy with the labels in y.npy",
        NOT_RESNET50 "; these are 1,280 of a MobileNetV2"},
       {{im_recipe_features, "", {"mobilenetv2_x.npy"}, {"y.npy"}, 0.02322}}},
      {{"pixels", "bytes, 96 x 96 color", NOT_RESNET50 "; these are the pixels"},
       {{im_recipe_images, "", STL_FILES, 0},
        {im_recipe_images, "stl10_binary/", STL_FILES, 0},
        {im_recipe_images, "stl10_binary.tar:stl10_binary/", STL_FILES, 0}}}}},
    {"cifar10", NULL, "60,000 images of 10 classes, 32 x 32 color: 170 MB", {60000, 10, 2048, 0.10},
     {{"cifar-10-binary.tar.gz", {"https://www.cs.toronto.edu/~kriz/"},
       "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd"}}, NULL,
     {RESNET50,
      {{"mobilenetv2", "features of a MobileNetV2, in mobilenetv2_x.npy with the labels in y.npy",
        NOT_RESNET50 "; these are 1,280 of a MobileNetV2"},
       {{im_recipe_features, "", {"mobilenetv2_x.npy"}, {"y.npy"}, 0.02353}}},
      {{"pixels", "bytes, 32 x 32 color", NOT_RESNET50 "; these are the pixels"},
       {CIFAR10_LAYOUTS(im_recipe_images)}},
      {{"gist", "gray GIST, which the paper hashes; computed, or in gist512_x.npy with the labels in y.npy",
        "the paper clusters 2,048 features of a ResNet-50; these are the 512 of GIST that it hashes"},
       {{im_recipe_features, "", {"gist512_x.npy"}, {"y.npy"}, 0.002102},
        CIFAR10_LAYOUTS(im_recipe_gist)}}}},
    {"cifar100", NULL, "60,000 images of 100 classes, 32 x 32 color: 169 MB", {60000, 100, 2048, 0.01},
     {{"cifar-100-binary.tar.gz", {"https://www.cs.toronto.edu/~kriz/"},
       "58a81ae192c23a4be8b1804d68e518ed807d710a4eb253b1f2a199162a40d8ec"}}, NULL,
     {RESNET50,
      {{"mobilenetv2", "features of a MobileNetV2 of the test images, in mobilenetv2_test_x.npy with the labels in test_y.npy",
        NOT_RESNET50 "; these are 1,280 of a MobileNetV2, of the test images alone"},
       {{im_recipe_features, "", {"mobilenetv2_test_x.npy"}, {"test_y.npy"}, 0.02350}}},
      {{"pixels", "bytes, 32 x 32 color, with the labels of the 100 classes", NOT_RESNET50 "; these are the pixels"},
       {{im_recipe_images, "", CIFAR100_FILES, {NULL}, 0},
        {im_recipe_images, "cifar-100-binary/", CIFAR100_FILES, {NULL}, 0},
        {im_recipe_images, "cifar-100-binary.tar:cifar-100-binary/", CIFAR100_FILES, {NULL}, 0}}}}},
    {"svhn", NULL, "99,289 digits of house numbers, 32 x 32 color: 246 MB", {99289, 10, 960, 0.19},
     {{"train_32x32.mat", {SVHN}, "435e94d69a87fde4fd4d7f3dd208dfc32cb6ae8af2240d066de1df7508d083b8"},
      {"test_32x32.mat", {SVHN}, "cdce80dfb2a2c4c6160906d0bd7c68ec5a99d7ca4831afa54f09182025b6a75b"}},
     NULL,
     {{{"gist", "color GIST; computed, or in gist960_x.npy with the labels in y.npy", NULL},
       {{im_recipe_svhn, "", {"train_32x32.mat", "test_32x32.mat"}, {NULL}, 0},
        {im_recipe_features, "", {"gist960_x.npy"}, {"y.npy"}, 0.003539}}}}},
    {"reuters", NULL, "news stories (RCV1): not to be downloaded, its license must be signed", {10000, 4, 2000, 0.43},
     {{NULL, {NULL}, NULL}},
     "the corpus RCV1 is given out by NIST, to who has signed an agreement: "
     "https://trec.nist.gov/data/reuters/reuters.html says how to ask. The paper's words of it, in "
     "lyrl2004_tokens_*.dat.gz, are described at "
     "http://www.jmlr.org/papers/volume5/lewis04a/lyrl2004_rcv1v2_README.htm (appendix 12)",
     {{{"tfidf", "tf-idf of 2,000 words in 10,000 stories that are drawn of those with one of four topics", NULL},
       {{im_recipe_rcv1, "",
         {"lyrl2004_tokens_train.dat", "lyrl2004_tokens_test_pt0.dat", "lyrl2004_tokens_test_pt1.dat",
          "lyrl2004_tokens_test_pt2.dat", "lyrl2004_tokens_test_pt3.dat"},
         {"rcv1-v2.topics.qrels"}, 0}}}}},
    {"20news", NULL, "18,846 posts to 20 newsgroups: 14 MB", {18040, 20, 2000, 0.05},
     {{"20news-bydate.tar.gz", {"https://ndownloader.figshare.com/files/5975967",
                                "http://qwone.com/~jason/20Newsgroups/"},
       "8f1b2514ca22a5ade8fbb9cfa5727df95fa587f4c87b786e15c759fa66d95610"}}, NULL,
     {{{"tfidf", "tf-idf of 2,000 words, of posts with 10 of them or more, without their heads", NULL},
       {{im_recipe_news, "20news-bydate.tar", {""}, {NULL}, 0},
        {im_recipe_news, "", {"20news-bydate-train", "20news-bydate-test"}, {NULL}, 0},
        {im_recipe_news, "20news-bydate/", {"20news-bydate-train", "20news-bydate-test"}, {NULL}, 0}}}}},
};
/* clang-format on */

enum { SETS = sizeof sets / sizeof *sets };

static const im_set *find_set(const char *name)
{
    for (size_t i = 0; name && i < SETS; i++)
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
    const im_set *found = find_set(set);
    return found ? found->summary : NULL;
}

const imsat_set_row *imsat_sets_row(const char *set)
{
    const im_set *found = find_set(set);
    return found ? &found->paper : NULL;
}

const imsat_set_form *imsat_sets_form(const char *set, size_t i)
{
    const im_set *found = find_set(set);
    return found && i < IM_SETS_FORMS && found->forms[i].shown.name ? &found->forms[i].shown
                                                                    : NULL;
}

static imsat_status refuse_name(const char *set, imsat_error *err)
{
    return im_fail(err, IMSAT_EINVAL, "'%s': no data set of this name", set);
}

imsat_status imsat_sets_fetch(const char *set, const char *folder,
                              const imsat_fetch_options *options, imsat_error *err)
{
    IM_REQUIRE(set);
    IM_REQUIRE_PATH(folder);
    const im_set *found = find_set(set);
    return found ? im_sets_fetch(found, folder, options, err) : refuse_name(set, err);
}

imsat_status imsat_sets_prepare(imsat_data **out, const imsat_set_form **form, const char *set,
                                const char *folder, const imsat_prepare_options *options,
                                imsat_error *err)
{
    IM_REQUIRE(out);
    IM_REQUIRE(set);
    IM_REQUIRE_PATH(folder);
    const im_set *found = find_set(set);
    return found ? im_sets_prepare(out, form, found, folder, options, err)
                 : refuse_name(set, err);
}
