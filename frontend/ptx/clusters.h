// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The blocks of a cluster, and what is in the shared memory of another one.
#pragma once

#include "frontend/ptx/function_translation.h"

#include <functional>

namespace us::frontend::ptx {

/// The pointer, into the shared memory of any block of the cluster, at the same place of that of block `rank`.
llvm::Value *inBlock(FunctionTranslation &function, llvm::Value *pointer, llvm::Value *rank);
/// What `body` makes is done for each block whose bit is set.
Expected<void> forEachBlock(FunctionTranslation &function, llvm::Value *mask,
                            const std::function<Expected<void>(llvm::Value *rank)> &body);
/// So many bytes have come that the mbarrier of an operand is told of.
Expected<llvm::Value *> completionBarrier(FunctionTranslation &function, const Operation &operation, size_t place);
void completeBytes(FunctionTranslation &function, llvm::Value *barrier, llvm::Value *bytes);

} // namespace us::frontend::ptx
