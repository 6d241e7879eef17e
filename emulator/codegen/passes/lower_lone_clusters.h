// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// lower_lone_clusters — where a work-group is always a cluster of its own, which is so in the loop tier.
///
///   before:  call void @us.cluster_arrive()   call void @us.cluster_wait()   %s = call i64 @us.cluster_size(i32 0)
///   after:                                    call void @us.barrier(i32 3, i32 1)           %s = 1
struct LowerLoneClusters : llvm::PassInfoMixin<LowerLoneClusters> {
  explicit LowerLoneClusters(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
