/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   The profiler's functions are declared in cuda.h. */
#include <cuda.h>
