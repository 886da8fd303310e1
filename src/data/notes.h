/* SPDX-License-Identifier: MIT
 *
 * What a reader did that the user may want to know, a sentence each. The library does not
 * print them: they belong to the data (imsat_data_note()).
 */
#ifndef IM_DATA_NOTES_H
#define IM_DATA_NOTES_H

#include "core/status.h"

/* Zeroed is empty. */
typedef struct im_notes {
    char **items; /* (count) owned */
    size_t count;
} im_notes;

/* Add one, as printf. What is longer than a message of an error is cut. */
__attribute__((format(printf, 3, 4))) imsat_status im_notes_add(im_notes *notes,
                                                                imsat_error *err,
                                                                const char *format, ...);
void im_notes_clear(im_notes *notes);

#endif
