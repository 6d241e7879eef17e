// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// read_imageh with a sampler.
#define US_RESULT half4
#define US_NAME h
#define US_RAW f
#define US_AS US_AS_HALF
#include "emulator/builtins/opencl/image/read_sampled.h"

US_SAMPLED_TYPES(US_SAMPLED)
