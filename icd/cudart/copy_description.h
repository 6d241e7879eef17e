// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies in three dimensions, as the runtime's programs and as the driver describe them.
#pragma once

#include "icd/cudart/driver.h"

namespace us::cudart {

/// The driver's description. cudaErrorInvalidValue, cudaErrorInvalidMemcpyDirection.
cudaError_t describeCopy(const cudaMemcpy3DParms *copy, CUDA_MEMCPY3D *described);
/// The other way round.
cudaError_t describeCopy(const CUDA_MEMCPY3D &described, cudaMemcpy3DParms *copy);

} // namespace us::cudart
