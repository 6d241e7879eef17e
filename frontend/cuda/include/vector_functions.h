/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
   The make_ functions of the vector types stand beside them. */
#include "vector_types.h"
