// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/lower_runtime_calls.h"

#include "emulator/codegen/machine_calls.h"
#include "emulator/codegen/machine_functions.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

/// What a function of the runtime is told before the call's own arguments.
llvm::SmallVector<llvm::Value *, 8> contextOf(llvm::IRBuilder<> &builder, RuntimeContext context) {
  llvm::SmallVector<llvm::Value *, 8> values;
  if (context == RuntimeContext::Nothing) return values;
  values.push_back(createMachineCall(builder, "group", builder.getPtrTy()));
  if (context == RuntimeContext::GroupAndIds) values.push_back(createLinear(builder, "group_id", "num_groups"));
  if (context != RuntimeContext::Group) values.push_back(createLinear(builder, "local_id", "local_size"));
  return values;
}

void lower(llvm::CallInst &call, const MachineFunction &function) {
  llvm::IRBuilder<> builder(&call);
  llvm::SmallVector<llvm::Value *, 8> arguments = contextOf(builder, function.runtime->context);
  for (llvm::Value *argument : call.args())
    arguments.push_back(argument->getType()->isPointerTy() ? builder.CreateAddrSpaceCast(argument, builder.getPtrTy())
                                                           : argument);
  llvm::CallInst *made = callRuntime(builder, createMachineCall(builder, "launch", builder.getPtrTy()),
                                     function.runtime->slot, call.getType(), arguments);
  if (function.effects == MachineEffects::NoReturn) made->setDoesNotReturn();
  if (function.effects == MachineEffects::Query) made->setDoesNotAccessMemory();
  call.replaceAllUsesWith(made);
  call.eraseFromParent();
}

/// Where inlining has shown what the pointer is made from, nothing needs to be asked.
bool foldAddressSpace(llvm::CallInst &call) {
  const unsigned known = llvm::getUnderlyingObject(call.getArgOperand(0))->getType()->getPointerAddressSpace();
  if (known != 0 && known != 1 && known != 3) return false;
  call.replaceAllUsesWith(llvm::ConstantInt::get(call.getType(), known));
  call.eraseFromParent();
  return true;
}

void lowerCalls(llvm::Function &function, abi::Tier tier) {
  for (const MachineFunction &known : machineFunctions()) {
    if (!known.runtime || known.runtime->context == RuntimeContext::ItemAndSite) continue;
    if (known.name == "require" && abi::tierInfo(tier).entry == abi::EntryShape::Range) continue; // before work-items
    for (llvm::CallInst *call : machineCalls(function, known.name))
      if (known.name != "address_space" || !foldAddressSpace(*call)) lower(*call, known);
  }
}

} // namespace

llvm::PreservedAnalyses LowerRuntimeCalls::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  // Beside the kernel there may be recursive functions.
  for (llvm::Function &function : module)
    if (!function.isDeclaration()) lowerCalls(function, request.specialization.tier);
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
