// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// read_imageui with a sampler.
#define US_RESULT uint4
#define US_NAME ui
#define US_RAW i
#define US_AS US_AS_UINT
#include "emulator/builtins/opencl/image/read_sampled.h"

US_SAMPLED_TYPES(US_SAMPLED)
