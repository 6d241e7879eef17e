// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// copy_updated_arguments — of arguments to whose memory a kernel does nothing but combine integers into its elements,
/// and looks at no result, each thread of the launch gets a copy (docs/decisions/0060-private-copies.md).
///
///   before:  atomicrmw add ptr addrspace(1) (getelementptr i32, %h, %i), i32 1 seq_cst
///   after:   %h.copy = load ptr addrspace(1), (us.group() + offset of argumentCopies) + 8 * number of %h
///            atomicrmw add ptr addrspace(1) (getelementptr i32, %h.copy, %i), i32 1 seq_cst, !us.private_copy
///
/// Requires: Specialization::copied, which says whose memory is nobody else's in this launch. Nothing else of the
/// kernel may reach it, so all other memory that it accesses must be known. Leaves:   the function attribute
/// kArgumentCopies: what CodeData::copies will be. weaken_local_atomics makes the operations plain, once work-items are
/// side by side.
struct CopyUpdatedArguments : llvm::PassInfoMixin<CopyUpdatedArguments> {
  explicit CopyUpdatedArguments(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

/// Numbers, three for each copy: the argument's, the bytes of an element, that of the combination.
inline constexpr const char *kArgumentCopies = "us_argument_copies";

} // namespace us::codegen
