// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

namespace us::codegen {

/// LLVM's function, with what it wants to know of `loop`'s function. The analyses that it asks for are right
/// afterwards.
llvm::LoopUnrollResult unrollLoop(llvm::Loop &loop, const llvm::UnrollLoopOptions &options,
                                  llvm::FunctionAnalysisManager &analyses);

} // namespace us::codegen
