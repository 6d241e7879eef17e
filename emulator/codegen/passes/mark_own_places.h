// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// Of a kernel: what it writes outside local and private memory, each work-item writes at a place of its own.
inline constexpr const char *kOwnPlaces = "us_own_places";

/// mark_own_places — says of a kernel that its work-items write global memory only where no other one does.
///
///   before:  define void @k(...) { ... store i32 %v, p1 (%d + %n * global_id(1) + global_id(0)) ... }
///   after:   define void @k(...) "us_own_places" { ... }
///
/// A place is a work-item's own if it is a sum in which each number of its own that the kernel asks for is there once,
/// times what all share. Of two stores to one argument's memory nothing is known unless their place is the same.
///
/// Requires: arguments are still arguments; what the kernel calls is inlined.
struct MarkOwnPlaces : llvm::PassInfoMixin<MarkOwnPlaces> {
  explicit MarkOwnPlaces(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  const KernelRequest &request;
};

} // namespace us::codegen
