// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// Attribute of a kernel whose code asks what of local memory was written.
inline constexpr const char *kLocalIsChecked = "us_local_is_checked";
/// And of one that writes global memory by pointers that are no arguments, or in functions that are not looked into.
inline constexpr const char *kWritesByPointer = "us_writes_by_pointer", *kWritesUnseen = "us_writes_unseen";

/// check_uninitialized — beside each value runs a shadow with a bit for each bit that was never written. LLVM's memory
/// sanitizer makes it, in the form that it has for kernels of operating systems; what it leaves to its runtime is done
/// here:
///
///   before:  %x = load i32, ptr %variable        br (%x > 3), …
///   after:   %shadow = load i32, ptr %variable.shadow          br (%shadow != 0), %failed, …
///   failed:  call void @us.check_failed(i32 Uninitialized, site, its origin, the variables' names)      and on
///
/// A private variable that only loads, stores and copies refer to has a variable for its shadow and one for its
/// origins, which become values as it does; of others nothing is known. That of local memory lies
/// where us.shadow_of says. Told is a branch, an address, or a store to global memory that depends on it.
///
/// Global memory counts as written, but for what Specialization::followed names: its shadow lies as far from it as
/// ArgumentBounds says. There also told is what an atomic operation changes, and what was calculated of it; what is
/// only copied takes its shadow along.
///
/// Requires: check_memory has run, so that no shadow is touched beyond its variable.
struct CheckUninitialized : llvm::PassInfoMixin<CheckUninitialized> {
  explicit CheckUninitialized(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
