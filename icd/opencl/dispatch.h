// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ICD's dispatch table: every handle begins with a pointer to it.
#pragma once

#include "icd/opencl/cl.h"

namespace us::opencl {
const cl_icd_dispatch &dispatchTable();
/// An entry point or extension function of ours by its C name, or null.
void *functionByName(const char *name);
} // namespace us::opencl
