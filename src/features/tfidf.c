/* SPDX-License-Identifier: MIT
 *
 * tf-idf; see tfidf.h. Documents are read once: of each the words and their counts are kept, 8
 * bytes a word, until it is known which words are the most frequent.
 */
#include "features/tfidf.h"

#include "core/alloc.h"
#include "core/elementary.h"
#include "features/stop_words.h"
#include "features/tokens.h"

#include <assert.h>
#include <math.h>

enum { FIRST_ROOM = 256 };

static const uint32_t NO_COLUMN = UINT32_MAX;

void im_tfidf_clear(im_tfidf *tfidf)
{
    im_vocabulary_clear(&tfidf->words);
    im_free(tfidf->idf);
    *tfidf = (im_tfidf){0};
}

/* ---- the words of one document ------------------------------------------------------- */

void im_tfidf_counter_clear(im_tfidf_counter *counter)
{
    im_free(counter->counts);
    im_free(counter->place);
    *counter = (im_tfidf_counter){0};
}

/* Room for one more word, and a place for each of `words` words. */
static bool reserve(im_tfidf_counter *counter, size_t words)
{
    if (counter->count == counter->room) {
        const size_t room = counter->room ? 2 * counter->room : FIRST_ROOM;
        im_tfidf_count *counts =
            im_grow(counter->counts, counter->count, room, sizeof *counts);
        if (!counts)
            return false;
        counter->counts = counts;
        counter->room = room;
    }
    if (words > counter->placed) {
        const size_t placed = 2 * words + FIRST_ROOM;
        uint32_t *place = im_grow(counter->place, counter->placed, placed, sizeof *place);
        if (!place)
            return false;
        counter->place = place;
        counter->placed = placed;
    }
    return true;
}

/* One more occurrence of a word, of `words` that are known. */
static imsat_status count_word(im_tfidf_counter *counter, uint32_t word, size_t words,
                               imsat_error *err)
{
    if (!reserve(counter, words))
        return im_fail_memory(err, "the words of a text");
    if (!counter->place[word]) {
        counter->counts[counter->count++] = (im_tfidf_count){.word = word};
        counter->place[word] = (uint32_t)counter->count;
    }
    counter->counts[counter->place[word] - 1].count++;
    return IMSAT_OK;
}

/* Forget the document. */
static void empty(im_tfidf_counter *counter)
{
    for (size_t i = 0; i < counter->count; i++)
        counter->place[counter->counts[i].word] = 0;
    counter->count = 0;
}

/* Whether a text begins with a line "Name: ...", as mails do. */
static bool has_header(const char *text, const char *end)
{
    const char *at = text;
    while (at < end && (((*at | 0x20) >= 'a' && (*at | 0x20) <= 'z') || *at == '-'))
        at++;
    return at > text && at < end && *at == ':';
}

/* Where the text begins behind its header. */
static const char *skip_header(const char *text, const char *end)
{
    if (!has_header(text, end))
        return text;
    const char *line = text;
    while (line < end) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        if (!newline)
            return end;
        if (newline == line || (newline == line + 1 && *line == '\r'))
            return newline + 1;
        line = newline + 1;
    }
    return end;
}

/* Start with the words of a document. */
static void start(im_tokens *tokens, const im_tfidf_options *options, const char *text,
                  size_t size)
{
    const char *end = text + size;
    const char *begin = options->skip_headers ? skip_header(text, end) : text;
    im_tokens_start(tokens, begin, (size_t)(end - begin));
}

/* ---- rows ------------------------------------------------------------------------------ */

/* tf idf of a word. */
static double weigh(const im_tfidf_options *options, double idf, uint32_t count)
{
    return idf * (options->damped ? 1 + im_elementary_log(count) : count);
}

static int by_word(const void *a, const void *b)
{
    const uint32_t x = ((const im_tfidf_count *)a)->word,
                   y = ((const im_tfidf_count *)b)->word;
    return (x > y) - (x < y);
}

/* Append the row of a document, whose words are numbers of columns. */
static imsat_status add_row(im_csr_builder *rows, const im_tfidf *tfidf,
                            im_tfidf_count *counts, size_t n, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    double sum = 0;
    qsort(counts, n, sizeof *counts, by_word);
    for (size_t i = 0; i < n; i++) {
        const double x = weigh(&tfidf->options, tfidf->idf[counts[i].word], counts[i].count);
        sum += x * x;
    }
    const double norm = tfidf->options.keep_length ? 1 : sqrt(sum);
    for (size_t i = 0; i < n; i++) {
        const double x = weigh(&tfidf->options, tfidf->idf[counts[i].word], counts[i].count);
        IM_TRY(im_csr_add(rows, (int32_t)counts[i].word, (float)(x / norm), err));
    }
    IM_TRY(im_csr_end_row(rows, "tf-idf", 0, err));

cleanup:
    return st;
}

imsat_status im_tfidf_row(const im_tfidf *tfidf, im_tfidf_counter *counter,
                          im_csr_builder *rows, const char *text, size_t size,
                          imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_tokens tokens;
    start(&tokens, &tfidf->options, text, size);
    while (im_tokens_next(&tokens)) {
        const uint32_t word = im_vocabulary_find(&tfidf->words, tokens.word, tokens.size);
        if (word != IM_VOCABULARY_NONE)
            IM_TRY(count_word(counter, word, tfidf->words.count, err));
    }
    const size_t n = counter->count;
    empty(counter); /* while its words are where they were put: the row will be sorted */
    IM_TRY(add_row(rows, tfidf, counter->counts, n, err));

cleanup:
    empty(counter);
    return st;
}

/* ---- fitting --------------------------------------------------------------------------- */

void im_tfidf_begin(im_tfidf_fit *fit, const im_tfidf_options *options)
{
    *fit = (im_tfidf_fit){.options = *options,
                          .counts = {.size = sizeof(im_tfidf_count)},
                          .ends = {.size = sizeof(size_t)}};
}

void im_tfidf_fit_clear(im_tfidf_fit *fit)
{
    im_vocabulary_clear(&fit->words);
    im_free(fit->totals);
    im_tfidf_counter_clear(&fit->counter);
    im_pile_clear(&fit->counts);
    im_pile_clear(&fit->ends);
}

/* Put the document that was counted behind the others. */
static imsat_status keep_document(im_tfidf_fit *fit, imsat_error *err)
{
    const im_tfidf_counter *counter = &fit->counter;
    if (fit->words.count > fit->total_room) {
        const size_t room = 2 * fit->words.count;
        uint64_t *totals = im_grow(fit->totals, fit->total_room, room, sizeof *totals);
        if (!totals)
            return im_fail_memory(err, "the words of the texts");
        fit->totals = totals;
        fit->total_room = room;
    }
    for (size_t i = 0; i < counter->count; i++) {
        im_tfidf_count *to = im_pile_next(&fit->counts);
        if (!to)
            return im_fail_memory(err, "the words of the texts");
        *to = counter->counts[i];
        fit->totals[to->word] += to->count;
    }
    size_t *end = fit->ends.count < INT32_MAX ? im_pile_next(&fit->ends) : NULL;
    if (!end)
        return im_fail_memory(err, "the words of the texts");
    *end = fit->counts.count;
    return IMSAT_OK;
}

imsat_status im_tfidf_take(im_tfidf_fit *fit, const char *text, size_t size, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_tokens tokens;
    start(&tokens, &fit->options, text, size);
    while (im_tokens_next(&tokens)) {
        uint32_t word;
        IM_TRY(im_vocabulary_add(&fit->words, &word, tokens.word, tokens.size, err));
        IM_TRY(count_word(&fit->counter, word, fit->words.count, err));
    }
    IM_TRY(keep_document(fit, err));

cleanup:
    empty(&fit->counter);
    return st;
}

/* ---- which words, and which documents --------------------------------------------------- */

/* A word that may become a column. */
typedef struct candidate {
    const char *text;
    size_t size;
    uint64_t total;
    uint32_t word;
} candidate;

static int by_text(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    const int order = memcmp(x->text, y->text, im_size_min(x->size, y->size));
    return order ? order : (x->size > y->size) - (x->size < y->size);
}

/* The most frequent first. */
static int by_total(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    return x->total != y->total ? (x->total < y->total) - (x->total > y->total)
                                : by_text(a, b);
}

/* What is on the way from documents to rows. */
typedef struct choice {
    const im_tfidf_fit *fit;
    candidate *candidates; /* (fit->words.count) */
    uint32_t *column;      /* (fit->words.count) of each word, or NO_COLUMN */
    im_tfidf_count *counts;
    size_t *ends;     /* (documents) */
    size_t *sizes;    /* (documents) counts that are left of each */
    size_t documents; /* all */
    uint32_t *kept;   /* (documents) numbers of those that are kept */
    size_t kept_count;
    uint32_t *frequency; /* (columns) documents that have the word: n_j */
} choice;

static void choice_clear(choice *c)
{
    im_free(c->candidates);
    im_free(c->column);
    im_free(c->counts);
    im_free(c->ends);
    im_free(c->sizes);
    im_free(c->kept);
    im_free(c->frequency);
}

/* choice_clear() is the caller's, also after a failure. */
static imsat_status choice_new(choice *c, im_tfidf_fit *fit, imsat_error *err)
{
    const size_t words = fit->words.count, documents = fit->ends.count;
    *c = (choice){.fit = fit, .documents = documents};
    c->candidates = im_alloc(words, sizeof *c->candidates);
    c->column = im_alloc(words, sizeof *c->column);
    c->sizes = im_alloc(documents, sizeof *c->sizes);
    c->kept = im_alloc(documents, sizeof *c->kept);
    c->frequency = im_alloc(im_size_min(words, fit->options.words), sizeof *c->frequency);
    c->counts = im_pile_join(&fit->counts);
    c->ends = im_pile_join(&fit->ends);
    if (c->candidates && c->column && c->sizes && c->kept && c->frequency && c->counts &&
        c->ends)
        return IMSAT_OK;
    return im_fail_memory(err, "the words of the texts");
}

/* The most frequent words become the step's own, in order, and get their columns. */
static imsat_status choose_words(choice *c, im_vocabulary *words, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    const im_tfidf_fit *fit = c->fit;
    size_t count = 0;
    for (uint32_t i = 0; i < fit->words.count; i++) {
        candidate one = {.total = fit->totals[i], .word = i};
        one.text = im_vocabulary_word(&fit->words, i, &one.size);
        c->column[i] = NO_COLUMN;
        if (!fit->options.stop_words || !im_stop_words_has(one.text, one.size))
            c->candidates[count++] = one;
    }
    qsort(c->candidates, count, sizeof *c->candidates, by_total);
    count = im_size_min(count, fit->options.words);
    qsort(c->candidates, count, sizeof *c->candidates, by_text);
    for (size_t i = 0; i < count; i++) {
        const candidate *one = &c->candidates[i];
        IM_TRY(im_vocabulary_add(words, &c->column[one->word], one->text, one->size, err));
    }

cleanup:
    return st;
}

static im_tfidf_count *counts_of(const choice *c, size_t document)
{
    return c->counts + (document ? c->ends[document - 1] : 0);
}

/* In the counts of a document put columns in place of words, and leave out those without one.
 * Returns the occurrences of the others. */
static uint64_t translate(choice *c, size_t document)
{
    im_tfidf_count *counts = counts_of(c, document);
    const size_t n = (size_t)(c->counts + c->ends[document] - counts);
    size_t left = 0;
    uint64_t occurrences = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t column = c->column[counts[i].word];
        if (column == NO_COLUMN)
            continue;
        occurrences += counts[i].count;
        counts[left++] = (im_tfidf_count){column, counts[i].count};
    }
    c->sizes[document] = left;
    return occurrences;
}

/* Which documents are kept, and how many of them have each word. */
static void choose_documents(choice *c)
{
    for (size_t d = 0; d < c->documents; d++) {
        const im_tfidf_count *counts = counts_of(c, d);
        if (translate(c, d) < c->fit->options.least)
            continue;
        c->kept[c->kept_count++] = (uint32_t)d;
        for (size_t i = 0; i < c->sizes[d]; i++)
            c->frequency[counts[i].word]++;
    }
}

static imsat_status refuse_empty(const choice *c, size_t words, const char *path,
                                 imsat_error *err)
{
    if (c->documents == 0)
        return im_fail(err, IMSAT_EINVAL, "%s: there are no texts in it", path);
    if (words == 0)
        return im_fail(
            err, IMSAT_EINVAL, "%s: the %zu texts have no words of two letters or more%s",
            path, c->documents, c->fit->options.stop_words ? " that are not stop words" : "");
    return im_fail(
        err, IMSAT_EINVAL,
        "%s: in none of the %zu texts do the %zu most frequent words occur %zu times; "
        "ask for fewer, as by --min-words 1",
        path, c->documents, words, c->fit->options.least);
}

static imsat_status fill_idf(im_tfidf *tfidf, const choice *c, imsat_error *err)
{
    tfidf->idf = im_alloc(tfidf->words.count, sizeof *tfidf->idf);
    if (!tfidf->idf)
        return im_fail_memory(err, "the words of the texts");
    for (size_t j = 0; j < tfidf->words.count; j++)
        tfidf->idf[j] =
            1 + im_elementary_log((1 + (double)c->kept_count) / (1 + (double)c->frequency[j]));
    return IMSAT_OK;
}

static imsat_status make_rows(im_csr *out, const im_tfidf *tfidf, const choice *c,
                              imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_csr_builder rows;
    im_csr_begin(&rows);
    for (size_t i = 0; i < c->kept_count; i++) {
        const uint32_t document = c->kept[i];
        IM_TRY(add_row(&rows, tfidf, counts_of(c, document), c->sizes[document], err));
    }
    IM_TRY(im_csr_finish(out, &rows, tfidf->words.count, err));

cleanup:
    im_csr_builder_clear(&rows);
    return st;
}

imsat_status im_tfidf_finish(im_tfidf *out, im_csr *rows, uint32_t **documents,
                             im_tfidf_fit *fit, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_tfidf tfidf = {.options = fit->options};
    choice c = {0};
    assert(fit->options.words > 0);
    IM_TRY(choice_new(&c, fit, err));
    IM_TRY(choose_words(&c, &tfidf.words, err));
    choose_documents(&c);
    if (tfidf.words.count == 0 || c.kept_count == 0) {
        st = refuse_empty(&c, tfidf.words.count, path, err);
        goto cleanup;
    }
    IM_TRY(fill_idf(&tfidf, &c, err));
    IM_TRY(make_rows(rows, &tfidf, &c, err));
    *documents = c.kept;
    c.kept = NULL;
    *out = tfidf;
    tfidf = (im_tfidf){0};

cleanup:
    choice_clear(&c);
    im_tfidf_clear(&tfidf);
    return st;
}
