// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// interchange_uniform_loops — a loop that all work-items run alike goes around the work-item loops instead of into
/// them.
///
///   before:  for j { acc += f(x, p[j]) }
///   after:   header: j = phi; boundary; acc = %acc.slot; body; %acc.slot = acc'; boundary; j' = j + 1; br header, exit
///            exit: boundary; use %acc.slot
///
/// A us.boundary() parts regions as a barrier does, without being one. What lies between the second boundary and the
/// next is the same for the group and runs once, so the work-item loop around the body becomes innermost and the
/// vectorizer can have it. Done for loops that contain barriers (their control becomes scalar), and for others where
/// the accesses of the body are contiguous or alike along dimension 0; a constant table that only a branch reads (the
/// rare case of a mathematical function) may be read anywhere. A loop that carries many values stays inside: work-items
/// side by side (vectorize_work_items) have them in registers.
///
/// It is left to a vector of work-items, which keeps what it carries in registers (vectorize_work_items), to go round a
/// loop in which they come to the same memory in each turn, or which has few turns.
///
/// Before that up to four turns of an innermost loop that carries something become one: it goes through its slot once
/// in them.
///
/// Requires: lower_kernel_arguments, loops in simplified form. Leaves: us.boundary calls for split_at_barriers.
struct InterchangeUniformLoops : llvm::PassInfoMixin<InterchangeUniformLoops> {
  explicit InterchangeUniformLoops(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
