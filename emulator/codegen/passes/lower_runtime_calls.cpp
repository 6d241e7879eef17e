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

llvm::Value *linearLocalId(llvm::IRBuilder<> &builder) {
  auto query = [&](const char *name, unsigned dimension) {
    return createMachineCall(builder, name, builder.getInt64Ty(), {builder.getInt32(dimension)});
  };
  llvm::Value *rows =
      builder.CreateAdd(builder.CreateMul(query("local_id", 2), query("local_size", 1)), query("local_id", 1));
  return builder.CreateAdd(builder.CreateMul(rows, query("local_size", 0)), query("local_id", 0));
}

} // namespace

llvm::PreservedAnalyses LowerRuntimeCalls::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  auto group = [](llvm::IRBuilder<> &builder) { return createMachineCall(builder, "group", builder.getPtrTy()); };
  auto replace = [](llvm::CallInst *call, llvm::CallInst *replacement) {
    call->replaceAllUsesWith(replacement);
    call->eraseFromParent();
  };
  for (llvm::CallInst *call : machineCalls(kernel, "printf")) {
    llvm::IRBuilder<> builder(call);
    llvm::Value *format = builder.CreateAddrSpaceCast(call->getArgOperand(0), builder.getPtrTy());
    replace(call, callRuntime(builder, offsetof(abi::RuntimeFunctions, print), builder.getInt32Ty(),
                              {group(builder), linearLocalId(builder), format, call->getArgOperand(1),
                               call->getArgOperand(2)}));
  }
  for (llvm::CallInst *call : machineCalls(kernel, "trap")) {
    llvm::IRBuilder<> builder(call);
    llvm::CallInst *trap = callRuntime(builder, offsetof(abi::RuntimeFunctions, trap), builder.getVoidTy(),
                                       {group(builder), call->getArgOperand(0)});
    trap->setDoesNotReturn();
    replace(call, trap);
  }
  for (llvm::CallInst *call : machineCalls(kernel, "clock")) {
    llvm::IRBuilder<> builder(call);
    replace(call, callRuntime(builder, offsetof(abi::RuntimeFunctions, clock), builder.getInt64Ty(), {}));
  }
  for (llvm::CallInst *call : machineCalls(kernel, "device_queue")) {
    llvm::IRBuilder<> builder(call);
    replace(call, callRuntime(builder, offsetof(abi::RuntimeFunctions, deviceQueue), builder.getInt64Ty(),
                              {group(builder), call->getArgOperand(0), call->getArgOperand(1)}));
  }
  for (llvm::CallInst *call : machineCalls(kernel, "address_space")) {
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
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
