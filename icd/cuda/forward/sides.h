// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who answers the process's calls: our functions, a real driver's, or either
// (docs/decisions/0053-real-cuda-driver.md).
#pragma once

#include "icd/cuda/forward/call_frame.h"
#include "icd/cuda/table.h"

namespace us::cuda {

/// The function that answers this call. The first call of the process decides who answers all of them, and sets the
/// table's entries; it may be made by several threads at a time.
void *targetOf(TableRow &function, CallFrame &frame);

} // namespace us::cuda
