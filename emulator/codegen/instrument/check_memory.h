// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// check_memory — an access is made only where its pointer may point.
///
///   before:  %x = load i32, ptr addrspace(1) %p           (%p is %argument plus something)
///   after:   %distance = %p - (where the memory of %argument begins)
///            br (%distance < its bytes - 3), %access, %failed
///   failed:  call void @us.check_failed(i32 Access, site, %p, begin, bytes)       and %x is 0
///   access:  %x = load …
///
/// An index of an array inside of something larger is compared with the array's elements, too, and an address with the
/// access's alignment where that is not known. What is certain is not looked at. Variables of one work-item that
/// nothing but loads and stores refer to become values before.
///
/// Requires: calls are inlined (inline_calls). Leaves: no getelementptr promises what is looked at.
struct CheckMemory : llvm::PassInfoMixin<CheckMemory> {
  explicit CheckMemory(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
