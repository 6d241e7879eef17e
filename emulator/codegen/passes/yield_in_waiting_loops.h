// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// yield_in_waiting_loops — a loop that is left when another work-item has changed memory gives up its turn each round.
///
///   before:  wait:                                         after:  wait:
///              %v = load atomic i32, ptr %p acquire                  %v = load atomic i32, ptr %p acquire
///              br (%v == 0), %wait, %go                              … back edge: call void @us.yield()
///
/// A loop waits if whether it goes on depends on what an atomic or volatile operation in it read. Two kinds do not
/// wait: compare-exchanges that try again with what they have just read, and counting up, alone, by atomic additions.
/// Done in the fiber tier, and in the loop tier for kernels with us_forward_progress, or whose progress is checked,
/// which it then cannot run.
/// Work-items of other kernels are promised nothing, and are not made slower.
struct YieldInWaitingLoops : llvm::PassInfoMixin<YieldInWaitingLoops> {
  explicit YieldInWaitingLoops(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
