// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of passes, by stages.
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassManager.h>

#include <cstdint>
#include <optional>

namespace llvm {
class PassInstrumentationCallbacks;
class TargetMachine;
} // namespace llvm

namespace us::codegen {

/// The analyses that passes ask for, for one module and one thread.
struct Analyses {
  /// `watch`: who is told of each pass, or null.
  explicit Analyses(llvm::TargetMachine *target, llvm::PassInstrumentationCallbacks *watch = nullptr);
  llvm::LoopAnalysisManager *loops;
  llvm::FunctionAnalysisManager *functions;
  llvm::CGSCCAnalysisManager *callGraph;
  llvm::ModuleAnalysisManager *module;
  ~Analyses();
  Analyses(const Analyses &) = delete;
  Analyses &operator=(const Analyses &) = delete;
};

enum class Stage : uint8_t {
#define US_STAGE(stage, name) stage,
#include "emulator/codegen/stages.def"
#undef US_STAGE
};
llvm::StringRef nameOf(Stage stage);
std::optional<Stage> stageNamed(llvm::StringRef name);

/// The passes of one stage, in their order. All but the tier's own are named in pipeline.cpp.
void addStage(llvm::ModulePassManager &passes, Stage stage, const KernelRequest &request);

} // namespace us::codegen
