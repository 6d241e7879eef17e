/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   The profiler's switches are part of the runtime API. */
#ifndef UNDERSTUDY_CUDA_PROFILER_API_H
#define UNDERSTUDY_CUDA_PROFILER_API_H

#include "cuda_runtime_api.h"

#endif
