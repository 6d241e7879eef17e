/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   Always included already in CUDA C++: programs written for other compilers name it. */
#include "cuda_runtime.h"
