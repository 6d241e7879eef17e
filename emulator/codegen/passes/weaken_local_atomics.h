// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/Instruction.h>
#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// Marks an atomic operation on memory that its thread has for itself.
inline constexpr const char *kOnPrivateCopy = "us.private_copy";
/// Whether weaken_local_atomics makes plain ones of an atomic operation.
bool becomesPlain(const llvm::Instruction &instruction, const llvm::Value &pointer);

/// weaken_local_atomics — atomics on local memory, and on the thread's own copy of an argument, become plain loads and
/// stores: a work-group never leaves its thread.
///
///   before:  %old = atomicrmw add ptr addrspace(3) %p, i32 1 seq_cst
///   after:   %old = load atomic i32, %p monotonic      store atomic i32 (%old + 1), %p monotonic
///
/// Atomics on generic pointers stay: what they point to is not known here. An exchange whose old value nobody asks for,
/// and that orders nothing else, is a store on any memory.
struct WeakenLocalAtomics : llvm::PassInfoMixin<WeakenLocalAtomics> {
  explicit WeakenLocalAtomics(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
