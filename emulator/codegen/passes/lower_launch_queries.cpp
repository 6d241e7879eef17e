// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/lower_launch_queries.h"

#include "emulator/codegen/machine_calls.h"

#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

constexpr std::pair<const char *, size_t> kFields[] = {
    {"global_size", offsetof(abi::LaunchContext, globalSize)},
    {"global_offset", offsetof(abi::LaunchContext, globalOffset)},
    {"enqueued_local_size", offsetof(abi::LaunchContext, localSize)},
    {"num_groups", offsetof(abi::LaunchContext, numGroups)},
    {"cluster_size", offsetof(abi::LaunchContext, clusterSize)},
};
constexpr std::pair<const char *, size_t> kWholeFields[] = {
    {"work_dim", offsetof(abi::LaunchContext, workDimensions)},
    {"grid_workspace", offsetof(abi::LaunchContext, gridWorkspace)},
    {"local_memory", offsetof(abi::LaunchContext, localMemory)},
    {"dynamic_local_memory", offsetof(abi::LaunchContext, dynamicMemory)},
    {"cluster_shift", offsetof(abi::LaunchContext, clusterShift)},
    {"is_clustered", offsetof(abi::LaunchContext, isClustered)},
};

void lowerQueries(llvm::Function &function) {
  auto replace = [](llvm::CallInst *call, llvm::Value *field) {
    if (llvm::MDNode *range = call->getMetadata(llvm::LLVMContext::MD_range))
      llvm::cast<llvm::Instruction>(field)->setMetadata(llvm::LLVMContext::MD_range, range);
    call->replaceAllUsesWith(field);
    call->eraseFromParent();
  };
  for (auto [name, offset] : kFields)
    for (llvm::CallInst *call : machineCalls(function, name)) {
      llvm::IRBuilder<> builder(call);
      replace(call, loadLaunchField(builder, call->getType(), offset + 8ull * *queryDimension(*call), name));
    }
  for (auto [name, offset] : kWholeFields)
    for (llvm::CallInst *call : machineCalls(function, name)) {
      llvm::IRBuilder<> builder(call);
      replace(call, loadLaunchField(builder, call->getType(), offset, name));
    }
}

} // namespace

llvm::PreservedAnalyses LowerLaunchQueries::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  // Beside the kernel there may be recursive functions.
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) lowerQueries(function);
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
