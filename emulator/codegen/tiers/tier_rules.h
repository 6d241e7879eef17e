// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What code generation knows of a tier: one row each. A new tier is a row of emulator/abi/tiers.def, its rules here,
// and what the executor does with its entry if that has a new shape.
#pragma once

#include "emulator/codegen/analysis/reachable.h"
#include "emulator/codegen/kernel_request.h"
#include "runtime/device/executable.h"

#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <cstdint>
#include <string>

namespace us::codegen {

/// A kernel as its program has it.
struct KernelInProgram {
  const KernelInfo &info;
  const Reachable &reachable;
  const llvm::SmallPtrSetImpl<const llvm::Function *> &recursive; ///< functions that can call themselves
};

struct TierRules {
  /// Why the tier cannot run a kernel; empty if it can, as far as its program says.
  std::string (*obstacle)(const KernelInProgram &kernel);
  /// The same for the kernel after Stage::Lower.
  std::string (*obstacleInCode)(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses,
                                const KernelRequest &request);
  /// The end of Stage::Lower, but for baseline code.
  void (*prepare)(llvm::ModulePassManager &passes, const KernelRequest &request);
  /// Stage::Form.
  void (*form)(llvm::ModulePassManager &passes, const KernelRequest &request);
  /// Stage::Optimize, after what is the same for all tiers.
  void (*optimize)(llvm::ModulePassManager &passes, llvm::FunctionPassManager begun, const KernelRequest &request);
  /// Whether there is no baseline code of a kernel.
  bool (*needsOptimizing)(llvm::Function &kernel);
  /// Whether constants of a long kernel belong into registers.
  bool (*hoistsConstants)(llvm::Function &kernel);
  /// Bytes of stack of an entry function; one that needs more is refused.
  uint64_t largestFrame;
};

const TierRules &tierRules(abi::Tier tier);

/// The rows, each in the file of its name.
extern const TierRules kLoopTier, kFiberTier;

/// Passes that several stages use, with our settings (pipeline.cpp).
llvm::InstCombinePass combineInstructions();
llvm::SimplifyCFGPass simplifyLate();

} // namespace us::codegen
