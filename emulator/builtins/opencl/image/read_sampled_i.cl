// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// read_imagei with a sampler.
#define US_RESULT int4
#define US_NAME i
#define US_RAW i
#define US_AS US_AS_INT
#include "emulator/builtins/opencl/image/read_sampled.h"

US_SAMPLED_TYPES(US_SAMPLED)
