/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   What Clang's own header for CUDA expects of this file. */
#include "understudy/host_math.h"
