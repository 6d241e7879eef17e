// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Always included already: programs written for other compilers name it.
#pragma once

#include "cuda_runtime.h"
