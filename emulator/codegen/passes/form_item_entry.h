// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// form_item_entry — fiber tier: the kernel becomes a function that runs one work-item.
///
///   before:  define void @k() { call @us.barrier(i32 1, i32 1)   %i = call i64 @us.local_id(i32 0) }
///   after:   define void @k(ptr %item) { call runtime->barrier(%item, 1, 1, <site>)   %i = load i64, %item->localId[0]
///   }
///
/// Recursive functions that ask the machine for something get %item as their first argument, and are treated alike.
/// Requires: lower_kernel_arguments, lower_launch_queries, lower_runtime_calls. Leaves: no call to a us.* function.
struct FormItemEntry : llvm::PassInfoMixin<FormItemEntry> {
  explicit FormItemEntry(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
