// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// check_progress — counts the rounds of loops of which nobody knows that they end, and asks now and then whether they
/// are too many; says of those that wait for memory whether a round has changed anything.
///
///   before:  loop: …                       br %c, %loop, %end       wait: %v = load atomic i32, ptr %p
///                                                                         … call void @us.yield()
///   after:   loop: %next = %rounds + 1     every 2^16 rounds:       wait: %v = load atomic i32, ptr %p
///              call void @us.check_failed(i32 NoProgress, site,           … call void @us.watch(i32 0, i64 %p, i32 4)
///                                         %next)
///
/// A loop that is left when a number has been counted to costs nothing inside: where the number may be very large, it
/// is asked about in front of the loop.
///
/// Requires: waiting loops yield (yield_in_waiting_loops). Leaves: loops as they were, each with the same exits.
struct CheckProgress : llvm::PassInfoMixin<CheckProgress> {
  explicit CheckProgress(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
