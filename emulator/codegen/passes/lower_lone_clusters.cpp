// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/lower_lone_clusters.h"

#include "emulator/abi/kernel_abi.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

bool lowerIn(llvm::Function &function) {
  bool changed = false;
  const auto each = [&](const char *name, auto make) {
    for (llvm::CallInst *call : machineCalls(function, name)) {
      llvm::IRBuilder<> builder(call);
      llvm::Value *value = make(builder, *call);
      if (value && !call->getType()->isVoidTy()) call->replaceAllUsesWith(value);
      call->eraseFromParent();
      changed = true;
    }
  };
  using Builder = llvm::IRBuilder<>;
  each("cluster_arrive", [](Builder &, llvm::CallInst &) -> llvm::Value * { return nullptr; });
  each("cluster_wait", [](Builder &builder, llvm::CallInst &) -> llvm::Value * {
    // Local and global memory, for the work-group (docs/ir-conventions.md).
    llvm::CallInst *barrier =
        createMachineCall(builder, "barrier", builder.getVoidTy(), {builder.getInt32(3), builder.getInt32(1)});
    barrier->setConvergent();
    return barrier;
  });
  each("cluster_size", [](Builder &builder, llvm::CallInst &) -> llvm::Value * { return builder.getInt64(1); });
  each("cluster_shift",
       [](Builder &builder, llvm::CallInst &) -> llvm::Value * { return builder.getInt32(abi::kLoneClusterShift); });
  each("cluster_arena", [](Builder &builder, llvm::CallInst &call) -> llvm::Value * {
    return createMachineCall(builder, "local_arena", call.getType());
  });
  return changed;
}

} // namespace

llvm::PreservedAnalyses LowerLoneClusters::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  if (request.specialization.tier != abi::Tier::Loop) return llvm::PreservedAnalyses::all();
  bool changed = false;
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) changed |= lowerIn(function);
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
