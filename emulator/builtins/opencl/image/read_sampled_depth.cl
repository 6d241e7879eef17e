// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// read_imagef of depth images with a sampler.
#define US_RESULT float
#define US_NAME f
#define US_RAW f
#define US_AS US_AS_DEPTH
#include "emulator/builtins/opencl/image/read_sampled.h"

US_DEPTH_TYPES(US_SAMPLED)
