// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/analysis/analysis_table.h"

#include "emulator/codegen/analysis/invariance.h"
#include "emulator/codegen/analysis/memory_watching.h"
#include "emulator/codegen/analysis/stride.h"
#include "emulator/codegen/analysis/uniformity.h"
#include "emulator/codegen/analysis/ways_to_barriers.h"

#include <llvm/Support/raw_ostream.h>

namespace us::codegen {
namespace {

template <class Analysis> struct PrintAnalysis : llvm::PassInfoMixin<PrintAnalysis<Analysis>> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
    llvm::errs() << title << " of " << function.getName() << ":\n";
    manager.getResult<Analysis>(function).print(llvm::errs(), function);
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
  const char *title;
};

} // namespace

void registerAnalyses(llvm::FunctionAnalysisManager &manager) {
#define US_ANALYSIS(name, analysis) manager.registerPass([] { return analysis(); });
#include "emulator/codegen/analysis/analyses.def"
#undef US_ANALYSIS
}

bool addPrinterByName(llvm::StringRef name, llvm::FunctionPassManager &passes) {
#define US_ANALYSIS(analysisName, analysis)                                                                            \
  if (name == "print<" analysisName ">") {                                                                             \
    passes.addPass(PrintAnalysis<analysis>{.title = analysisName});                                                    \
    return true;                                                                                                       \
  }
#include "emulator/codegen/analysis/analyses.def"
#undef US_ANALYSIS
  return false;
}

bool changeLoops(llvm::Function &function, llvm::FunctionAnalysisManager &analyses,
                 llvm::function_ref<bool(llvm::Loop &)> change) {
  bool changed = false;
  for (bool again = true; again; changed |= again) {
    again = llvm::any_of(analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder(),
                         [&](llvm::Loop *loop) { return change(*loop); });
    if (again) analyses.invalidate(function, llvm::PreservedAnalyses::none());
  }
  return changed;
}

} // namespace us::codegen
