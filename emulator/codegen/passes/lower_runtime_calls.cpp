// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/lower_runtime_calls.h"

#include "emulator/codegen/machine_calls.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

llvm::CallInst *callRuntime(llvm::IRBuilder<> &builder, uint64_t function, llvm::Type *result,
                            llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::Value *table = loadLaunchField(builder, builder.getPtrTy(), offsetof(abi::LaunchContext, runtime), "runtime");
  llvm::Value *target = loadInvariant(builder, builder.getPtrTy(), table, function);
  llvm::SmallVector<llvm::Type *, 6> types;
  for (llvm::Value *argument : arguments) types.push_back(argument->getType());
  llvm::CallInst *call = builder.CreateCall(llvm::FunctionType::get(result, types, false), target, arguments);
  call->setDoesNotThrow();
  return call;
}

/// A number in three dimensions as one, dimension 0 fastest.
llvm::Value *linear(llvm::IRBuilder<> &builder, const char *id, const char *size) {
  auto query = [&](const char *name, unsigned dimension) {
    return createMachineCall(builder, name, builder.getInt64Ty(), {builder.getInt32(dimension)});
  };
  llvm::Value *rows = builder.CreateAdd(builder.CreateMul(query(id, 2), query(size, 1)), query(id, 1));
  return builder.CreateAdd(builder.CreateMul(rows, query(size, 0)), query(id, 0));
}

void lowerIn(llvm::Function &function) {
  auto group = [](llvm::IRBuilder<> &builder) { return createMachineCall(builder, "group", builder.getPtrTy()); };
  auto replace = [](llvm::CallInst *call, llvm::CallInst *replacement) {
    call->replaceAllUsesWith(replacement);
    call->eraseFromParent();
  };
  for (llvm::CallInst *call : machineCalls(function, "printf")) {
    llvm::IRBuilder<> builder(call);
    llvm::Value *format = builder.CreateAddrSpaceCast(call->getArgOperand(0), builder.getPtrTy());
    replace(call, callRuntime(builder, offsetof(abi::RuntimeFunctions, print), builder.getInt32Ty(),
                              {group(builder), linear(builder, "local_id", "local_size"), format,
                               call->getArgOperand(1), call->getArgOperand(2)}));
  }
  for (llvm::CallInst *call : machineCalls(function, "trap")) {
    llvm::IRBuilder<> builder(call);
    llvm::CallInst *trap = callRuntime(builder, offsetof(abi::RuntimeFunctions, trap), builder.getVoidTy(),
                                       {group(builder), call->getArgOperand(0)});
    trap->setDoesNotReturn();
    replace(call, trap);
  }
  for (llvm::CallInst *call : machineCalls(function, "clock")) {
    llvm::IRBuilder<> builder(call);
    replace(call, callRuntime(builder, offsetof(abi::RuntimeFunctions, clock), builder.getInt64Ty(), {}));
  }
  for (llvm::CallInst *call : machineCalls(function, "device_queue")) {
    llvm::IRBuilder<> builder(call);
    replace(call, callRuntime(builder, offsetof(abi::RuntimeFunctions, deviceQueue), builder.getInt64Ty(),
                              {group(builder), call->getArgOperand(0), call->getArgOperand(1)}));
  }
  for (llvm::CallInst *call : machineCalls(function, "allocate")) {
    llvm::IRBuilder<> builder(call);
    replace(call, callRuntime(builder, offsetof(abi::RuntimeFunctions, allocate), builder.getInt64Ty(),
                              {group(builder), call->getArgOperand(0)}));
  }
  for (llvm::CallInst *call : machineCalls(function, "release")) {
    llvm::IRBuilder<> builder(call);
    replace(call, callRuntime(builder, offsetof(abi::RuntimeFunctions, release), builder.getVoidTy(),
                              {group(builder), call->getArgOperand(0)}));
  }
  for (llvm::CallInst *call : machineCalls(function, "assert_fail")) {
    llvm::IRBuilder<> builder(call);
    auto plain = [&](unsigned i) { return builder.CreateAddrSpaceCast(call->getArgOperand(i), builder.getPtrTy()); };
    llvm::CallInst *end =
        callRuntime(builder, offsetof(abi::RuntimeFunctions, assertFail), builder.getVoidTy(),
                    {group(builder), linear(builder, "group_id", "num_groups"),
                     linear(builder, "local_id", "local_size"), plain(0), plain(1), call->getArgOperand(2), plain(3)});
    end->setDoesNotReturn();
    replace(call, end);
  }
  for (llvm::CallInst *call : machineCalls(function, "address_space")) {
    llvm::IRBuilder<> builder(call);
    llvm::Value *address = call->getArgOperand(0);
    // Where inlining has shown what the pointer is made from, nothing needs to be asked.
    const unsigned known = llvm::getUnderlyingObject(address)->getType()->getPointerAddressSpace();
    if (known == 0 || known == 1 || known == 3) {
      call->replaceAllUsesWith(builder.getInt32(known));
      call->eraseFromParent();
      continue;
    }
    llvm::CallInst *query = callRuntime(builder, offsetof(abi::RuntimeFunctions, addressSpace), builder.getInt32Ty(),
                                        {builder.CreateAddrSpaceCast(address, builder.getPtrTy())});
    query->setDoesNotAccessMemory();
    replace(call, query);
  }
}

} // namespace

llvm::PreservedAnalyses LowerRuntimeCalls::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  // Beside the kernel there may be recursive functions.
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) lowerIn(function);
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
