// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The handlers of operations among the threads of a warp.
#pragma once

#include "frontend/ptx/grammar.h"

namespace llvm {
class Value;
}

namespace us::frontend::ptx {

enum class VoteOperation { All, Any, Uniform, Ballot };

Expected<void> shuffle(FunctionTranslation &function, const Operation &operation);
Expected<void> vote(FunctionTranslation &function, const Operation &operation, VoteOperation kind);
Expected<void> activeMask(FunctionTranslation &function, const Operation &operation);
Expected<void> reduceWarp(FunctionTranslation &function, const Operation &operation);
Expected<void> reduceFloats(FunctionTranslation &function, const Operation &operation);
Expected<void> matchAny(FunctionTranslation &function, const Operation &operation);
Expected<void> matchAll(FunctionTranslation &function, const Operation &operation);
Expected<void> elect(FunctionTranslation &function, const Operation &operation);
Expected<void> barrierOfWarp(FunctionTranslation &function, const Operation &operation);

/// The threads that `members` names go on together; 0: those that come this way at the same time.
void waitForWarp(FunctionTranslation &f, llvm::Value *members);

} // namespace us::frontend::ptx
