/* SPDX-License-Identifier: MIT
 *
 * See tally.h. The gallery is read in the runs of search/hamming.h, each for all queries of
 * the block.
 *
 * The order by (distance, id) is never computed as such: in it a code of distance d has the
 * rank  1 + (codes nearer than d) + (codes at d with a smaller id).  The first number is known
 * from the counts, the second is how many codes at d the pass has met before.
 */
#include "evaluate/tally.h"

#include <assert.h>

enum { RUN = IM_HAMMING_RUN };

void im_tally_carve(im_tally *tally, im_carver *carver, size_t bits, size_t words)
{
    const size_t counts = IM_TALLY_QUERIES * (bits + 1);
    tally->run = im_carve(carver, RUN * words, sizeof *tally->run);
    tally->distance = im_carve(carver, IM_TALLY_QUERIES * RUN, sizeof *tally->distance);
    tally->seen = im_carve(carver, counts, sizeof *tally->seen);
    tally->found = im_carve(carver, counts, sizeof *tally->found);
}

/* The distances of all queries from the run that starts at `first`. Returns how many codes the
 * run has. */
static size_t look(const im_tally *tally, const im_gallery *gallery, const im_labeled *queries,
                   size_t first)
{
    assert(first < gallery->in.rows);
    const size_t left = gallery->in.rows - first, rows = left < RUN ? left : RUN;
    const uint64_t *run = im_hamming_load(
        tally->run, gallery->in.codes + first * gallery->words, rows, gallery->words);
    gallery->kernel->distances(tally->distance, queries->codes, queries->rows, run,
                               gallery->words);
    return rows;
}

void im_tally_count(size_t *all, size_t *relevant, const im_gallery *gallery,
                    const im_labeled *queries, const im_tally *tally)
{
    const size_t width = gallery->bits + 1;
    assert(queries->rows <= IM_TALLY_QUERIES);
    memset(all, 0, queries->rows * width * sizeof *all);
    memset(relevant, 0, queries->rows * width * sizeof *relevant);
    for (size_t first = 0; first < gallery->in.rows; first += RUN) {
        const size_t rows = look(tally, gallery, queries, first);
        const int32_t *labels = gallery->in.labels + first;
        for (size_t q = 0; q < queries->rows; q++) {
            const uint16_t *distance = tally->distance + q * RUN;
            const int32_t label = queries->labels[q];
            size_t *codes = all + q * width, *hits = relevant + q * width;
            for (size_t i = 0; i < rows; i++) {
                codes[distance[i]]++;
                hits[distance[i]] += labels[i] == label;
            }
        }
    }
}

/* Set seen and found to the codes that are nearer than each distance. */
static void start_ranks(const im_tally *tally, const size_t *all, const size_t *relevant,
                        size_t queries, size_t width)
{
    for (size_t q = 0; q < queries; q++) {
        size_t nearer = 0, hits = 0;
        for (size_t i = q * width; i < (q + 1) * width; i++) {
            tally->seen[i] = nearer;
            tally->found[i] = hits;
            nearer += all[i];
            hits += relevant[i];
        }
    }
}

void im_tally_ap(double *ap, const size_t *all, const size_t *relevant,
                 const im_gallery *gallery, const im_labeled *queries, const im_tally *tally)
{
    assert(queries->rows <= IM_TALLY_QUERIES);
    const size_t width = gallery->bits + 1;
    start_ranks(tally, all, relevant, queries->rows, width);
    for (size_t q = 0; q < queries->rows; q++)
        ap[q] = 0;
    for (size_t first = 0; first < gallery->in.rows; first += RUN) {
        const size_t rows = look(tally, gallery, queries, first);
        const int32_t *labels = gallery->in.labels + first;
        for (size_t q = 0; q < queries->rows; q++) {
            size_t *seen = tally->seen + q * width, *found = tally->found + q * width;
            for (size_t i = 0; i < rows; i++) {
                const size_t d = tally->distance[q * RUN + i], rank = ++seen[d];
                if (labels[i] == queries->labels[q])
                    ap[q] += (double)++found[d] / (double)rank;
            }
        }
    }
    for (size_t q = 0; q < queries->rows; q++) {
        const im_ranking ranking = {gallery->bits, all + q * width, relevant + q * width};
        const size_t hits = im_ranking_relevant(ranking);
        ap[q] = hits > 0 ? ap[q] / (double)hits : 0;
    }
}

/* The relevant ones among the next codes at the distance where the list ends. */
static size_t take(im_ranking_end *end, const uint16_t *distance, const int32_t *labels,
                   int32_t label, size_t rows)
{
    size_t hits = 0;
    for (size_t i = 0; i < rows && end->taken > 0; i++) {
        const int taken = distance[i] == end->distance;
        end->taken -= (size_t)taken;
        hits += (size_t)(taken && labels[i] == label);
    }
    return hits;
}

void im_tally_at(double *share, size_t at, const size_t *all, const size_t *relevant,
                 const im_gallery *gallery, const im_labeled *queries, const im_tally *tally)
{
    const size_t width = gallery->bits + 1;
    im_ranking_end end[IM_TALLY_QUERIES];
    size_t open = queries->rows; /* queries whose list is not whole */
    assert(queries->rows <= IM_TALLY_QUERIES);
    for (size_t q = 0; q < queries->rows; q++)
        end[q] = im_ranking_cut(
            (im_ranking){gallery->bits, all + q * width, relevant + q * width}, at);
    for (size_t first = 0; open > 0; first += RUN) {
        const size_t rows = look(tally, gallery, queries, first);
        open = 0;
        for (size_t q = 0; q < queries->rows; q++) {
            end[q].nearer += take(&end[q], tally->distance + q * RUN,
                                  gallery->in.labels + first, queries->labels[q], rows);
            open += end[q].taken > 0;
        }
    }
    for (size_t q = 0; q < queries->rows; q++)
        share[q] = (double)end[q].nearer / (double)end[q].length;
}
