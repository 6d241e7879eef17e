// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the calls on shared virtual memory share.
#pragma once

#include "icd/opencl/context.h"
#include "runtime/core/svm.h"

namespace us::opencl {

/// The capabilities that at least one device of a context has.
uint64_t svmCapabilitiesOf(const ClContext &context);

} // namespace us::opencl
