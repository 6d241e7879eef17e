// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// read_imagef with a sampler.
#define US_RESULT float4
#define US_NAME f
#define US_RAW f
#define US_AS US_AS_FLOAT
#include "emulator/builtins/opencl/image/read_sampled.h"

US_SAMPLED_TYPES(US_SAMPLED)
