// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose context is current to the calling thread. Each side keeps a stack of its own contexts; here is how the two lie
// in each other.
#pragma once

#include "icd/platform/compose.h"

namespace us::cuda {

using platform::CudaSide;

/// The real driver's where no context is current.
CudaSide currentSide();
bool hasCurrentSide();
void pushSide(CudaSide side);
void popSide();
/// The uppermost of that side's contexts is gone from the stack.
void dropSide(CudaSide side);

} // namespace us::cuda
