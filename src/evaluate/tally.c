/* SPDX-License-Identifier: MIT
 *
 * See tally.h. The gallery is read in pieces that stay in the nearest cache while several
 * queries are compared with them.
 *
 * The order by (distance, id) is never written down: a counting sort would put a code of
 * distance d at rank  1 + (codes nearer than d) + (codes at d with a smaller id), and the
 * first part is known from the counts, the second from how many at d went by.
 */
#include "evaluate/tally.h"

enum {
    PIECE = 2048, /* codes: 4 KiB of distances; of a piece a lane counts below 2^32 */
    LANES = 2     /* equal distances in a row need not wait for each other */
};

void im_tally_carve(im_tally *tally, im_carver *carver, size_t bits)
{
    tally->distance = im_carve(carver, PIECE, sizeof *tally->distance);
    tally->lanes = im_carve(carver, LANES * (bits + 1), sizeof *tally->lanes);
    tally->seen = im_carve(carver, bits + 1, sizeof *tally->seen);
    tally->found = im_carve(carver, bits + 1, sizeof *tally->found);
}

static void distances(uint16_t *out, const uint8_t *query, const uint8_t *codes, size_t rows,
                      size_t bytes)
{
    for (size_t i = 0; i < rows; i++) {
        int differing = 0;
        for (size_t b = 0; b < bytes; b++)
            differing += __builtin_popcount((unsigned)(query[b] ^ codes[i * bytes + b]));
        out[i] = (uint16_t)differing;
    }
}

/* Rows of the piece of the gallery that starts at `first`; their distances from a query. */
static size_t look(const im_tally *tally, im_labeled gallery, im_labeled queries, size_t query,
                   size_t first)
{
    const size_t left = gallery.codes->rows - first, rows = left < PIECE ? left : PIECE;
    const size_t bytes = imsat_code_bytes(gallery.codes->bits);
    distances(tally->distance, queries.codes->bytes + query * bytes,
              gallery.codes->bytes + first * bytes, rows, bytes);
    return rows;
}

/* Add a piece to the counts of one query. The low half of a lane counts codes, the high half
 * relevant ones. */
static void count_piece(size_t *all, size_t *relevant, const im_tally *tally,
                        const int32_t *labels, int32_t label, size_t rows, size_t bits)
{
    uint64_t *even = tally->lanes, *odd = even + bits + 1;
    const uint16_t *distance = tally->distance;
    size_t i = 0;
    memset(even, 0, LANES * (bits + 1) * sizeof *even);
    for (; i + LANES <= rows; i += LANES) {
        even[distance[i]] += 1 | (uint64_t)(labels[i] == label) << 32;
        odd[distance[i + 1]] += 1 | (uint64_t)(labels[i + 1] == label) << 32;
    }
    if (i < rows)
        even[distance[i]] += 1 | (uint64_t)(labels[i] == label) << 32;
    for (size_t d = 0; d <= bits; d++) {
        const uint64_t both = even[d] + odd[d];
        all[d] += (uint32_t)both;
        relevant[d] += (size_t)(both >> 32);
    }
}

void im_tally_count(size_t *all, size_t *relevant, im_labeled gallery, im_labeled queries,
                    size_t first, size_t count, const im_tally *tally)
{
    const size_t bits = gallery.codes->bits, width = bits + 1;
    memset(all, 0, count * width * sizeof *all);
    memset(relevant, 0, count * width * sizeof *relevant);
    for (size_t row = 0; row < gallery.codes->rows; row += PIECE)
        for (size_t q = 0; q < count; q++) {
            const size_t rows = look(tally, gallery, queries, first + q, row);
            count_piece(all + q * width, relevant + q * width, tally, gallery.labels + row,
                        queries.labels[first + q], rows, bits);
        }
}

double im_tally_ap(im_labeled gallery, im_labeled queries, size_t query, im_ranking ranking,
                   const im_tally *tally)
{
    const int32_t label = queries.labels[query];
    size_t nearer = 0, relevant = 0;
    double sum = 0;
    for (size_t d = 0; d <= ranking.bits; d++) {
        tally->seen[d] = nearer;
        tally->found[d] = relevant;
        nearer += ranking.all[d];
        relevant += ranking.relevant[d];
    }
    for (size_t row = 0; row < gallery.codes->rows; row += PIECE) {
        const size_t rows = look(tally, gallery, queries, query, row);
        for (size_t i = 0; i < rows; i++) {
            const size_t d = tally->distance[i], rank = ++tally->seen[d];
            if (gallery.labels[row + i] == label)
                sum += (double)++tally->found[d] / (double)rank;
        }
    }
    return relevant > 0 ? sum / (double)relevant : 0;
}

double im_tally_at(im_labeled gallery, im_labeled queries, size_t query, im_ranking ranking,
                   size_t at, const im_tally *tally)
{
    const im_ranking_end end = im_ranking_cut(ranking, at);
    const int32_t label = queries.labels[query];
    size_t found = end.nearer, left = end.taken;
    for (size_t row = 0; left > 0; row += PIECE) {
        const size_t rows = look(tally, gallery, queries, query, row);
        for (size_t i = 0; i < rows && left > 0; i++) {
            const int taken = tally->distance[i] == end.distance;
            left -= (size_t)taken;
            found += (size_t)(taken && gallery.labels[row + i] == label);
        }
    }
    return (double)found / (double)end.length;
}
