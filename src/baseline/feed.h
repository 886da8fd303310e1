/* SPDX-License-Identifier: MIT
 *
 * Batches of prepared rows for a network that is trained on rows alone, without augmentation:
 * which rows, and their way to a tape (nn/tape.h).
 */
#ifndef IM_BASELINE_FEED_H
#define IM_BASELINE_FEED_H

#include "nn/tape.h"
#include "train/batch.h"
#include "train/method.h"

/* Scratch of one thread. */
typedef struct im_feed_row {
    float *row;   /* (d) prepared */
    double *work; /* (d) of preprocessing */
} im_feed_row;

typedef struct im_feed {
    const imsat_data *data; /* borrowed, as is the next */
    const im_preprocess *pre;
    const double *origin; /* (d) what is taken from prepared rows, borrowed; NULL: nothing */
    double factor;        /* and what they are then multiplied by; 1 unless it is set */
    im_batch batch;
    im_feed_row *scratch; /* [threads] */
    void *memory;         /* owned */
} im_feed;

/* Batches of options.batch rows of the data that a fit is given. */
imsat_status im_feed_new(im_feed *out, const im_fit *fit, imsat_error *err);
void im_feed_clear(im_feed *feed);

/* Draw the batch of a step, counted over all epochs, and put it into branch 0 of a tape. */
void im_feed_draw(im_feed *feed, im_tape *tape, uint64_t seed, size_t step);

/* Rows `first` on, as many as a batch has or are left. */
void im_feed_take(im_feed *feed, im_tape *tape, size_t first);

/* codes (n,m) = the last layer's outputs, without what follows them, of all rows in order.
 * dim is m. */
imsat_status im_feed_embed(float *codes, im_feed *feed, im_tape *tape, im_net *net,
                           const im_stage *stage, imsat_error *err);

#endif
