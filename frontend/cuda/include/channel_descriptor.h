/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   cudaCreateChannelDesc<T>() is one of the overloads. */
#include "cuda_runtime.h"
