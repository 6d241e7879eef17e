// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every analysis of ours by name (analyses.def).
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/PassManager.h>

namespace us::codegen {

void registerAnalyses(llvm::FunctionAnalysisManager &manager);

/// Appends what writes the analysis of "print<NAME>" to standard error; false if there is none of that name.
bool addPrinterByName(llvm::StringRef name, llvm::FunctionPassManager &passes);

/// Of the functions of a module, for a pass over the module.
inline llvm::FunctionAnalysisManager &functionAnalyses(llvm::Module &module, llvm::ModuleAnalysisManager &manager) {
  return manager.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
}

/// Offers `change` each loop, outer ones first, and begins again, with new analyses, behind one that was changed. True:
/// some were.
bool changeLoops(llvm::Function &function, llvm::FunctionAnalysisManager &analyses,
                 llvm::function_ref<bool(llvm::Loop &)> change);

} // namespace us::codegen
