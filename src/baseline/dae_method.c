/* SPDX-License-Identifier: MIT
 * See dae_method.h. */
#include "baseline/dae_method.h"

#include "baseline/autoencoder.h"
#include "baseline/embedding.h"
#include "baseline/whole.h"

imsat_status im_dae_method_fit(im_fit *fit, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    im_embedding e = {0};
    const im_stage stage = im_whole_stage(fit, "encoding the rows");
    IM_TRY(im_autoencoder_fit(fit, 1, err));
    IM_TRY(im_embedding_new(&e, fit, err));
    IM_TRY(im_whole_end(fit, im_embedding_encode(&e, &stage, err), err));
    IM_TRY(im_embedding_find_centers(&e, err));
    IM_TRY(im_embedding_leave(&e, err));
    fit->run->about.objective = e.inertia;
    fit->run->about.epochs = e.iterations;

cleanup:
    im_embedding_clear(&e);
    return st;
}
