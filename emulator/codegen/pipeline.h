// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of passes.
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassManager.h>

namespace llvm {
class TargetMachine;
}

namespace us::codegen {

/// The analyses that passes ask for, for one module and one thread.
struct Analyses {
  explicit Analyses(llvm::TargetMachine *target);
  llvm::LoopAnalysisManager *loops;
  llvm::FunctionAnalysisManager *functions;
  llvm::CGSCCAnalysisManager *callGraph;
  llvm::ModuleAnalysisManager *module;
  ~Analyses();
  Analyses(const Analyses &) = delete;
  Analyses &operator=(const Analyses &) = delete;
};

/// From the bitcode of an executable to a kernel of its own, its calls inlined, its variables values.
void addExtraction(llvm::ModulePassManager &passes, const KernelRequest &request);
/// What is improved while arguments still are arguments.
void addEarlyOptimization(llvm::ModulePassManager &passes, const KernelRequest &request);
/// To the form that the tier's own passes take.
void addLowering(llvm::ModulePassManager &passes, const KernelRequest &request);
/// Vectors become scalars, for a kernel that choose_vector_form picked; before the tier's passes.
void addVectorSplitting(llvm::ModulePassManager &passes);
/// The tier's passes: the kernel becomes its entry function.
void addTier(llvm::ModulePassManager &passes, const KernelRequest &request);
/// What the entry function goes through before machine code.
void addOptimization(llvm::ModulePassManager &passes, const KernelRequest &request);
/// The same for baseline code.
void addBaselineCleaning(llvm::ModulePassManager &passes);

} // namespace us::codegen
