// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/check_copies.h"

#include "emulator/codegen/address_spaces.h"
#include "emulator/codegen/instrument/check_site.h"
#include "emulator/codegen/instrument/library_names.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

llvm::Value *address(llvm::IRBuilderBase &builder, llvm::Value *pointer) {
  return builder.CreatePtrToInt(pointer, builder.getInt64Ty());
}

void toldElsewhere(llvm::Function &library) {
  for (llvm::Instruction &instruction : llvm::instructions(library))
    if (instruction.mayReadOrWriteMemory() && !llvm::isa<llvm::CallBase>(instruction))
      instruction.setMetadata(kToldElsewhere, llvm::MDNode::get(library.getContext(), {}));
}

void tellCopy(llvm::CallInst &call, uint64_t bytes) {
  llvm::IRBuilder<> builder(&call);
  const bool isStrided = call.arg_size() == 5;
  llvm::Value *to = call.getArgOperand(0), *from = call.getArgOperand(1);
  uint32_t what = uint32_t(bytes);
  if (to->getType()->getPointerAddressSpace() == kLocalSpace) what |= abi::AsyncCopy::kToLocal;
  llvm::Value *stride = isStrided ? call.getArgOperand(3) : builder.getInt64(1);
  llvm::Value *event = call.getArgOperand(call.arg_size() - 1);
  llvm::json::Object site = sourceSite(call);
  site["operation"] = "copy";
  llvm::CallInst *told = createMachineCall(builder, "async_copy", builder.getInt64Ty(),
                                           {address(builder, to), address(builder, from), call.getArgOperand(2), stride,
                                            builder.getInt32(what), address(builder, event),
                                            siteText(*call.getModule(), std::move(site))});
  call.replaceAllUsesWith(builder.CreateIntToPtr(told, event->getType()));
  toldElsewhere(*call.getCalledFunction());
}

void tellWait(llvm::CallInst &call) {
  llvm::IRBuilder<> builder(&call);
  llvm::json::Object site = sourceSite(call);
  site["operation"] = "wait";
  createMachineCall(
      builder, "await_copies", builder.getVoidTy(),
      {call.getArgOperand(0), address(builder, call.getArgOperand(1)), siteText(*call.getModule(), std::move(site))});
}

} // namespace

llvm::PreservedAnalyses CheckCopies::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  const abi::CheckSet checks = request.specialization.instrumentation;
  if (!abi::isIn(checks, abi::CheckClass::Barriers) && !(checks & abi::kRaceChecks))
    return llvm::PreservedAnalyses::all();
  llvm::SmallVector<llvm::CallInst *, 8> calls;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction)) calls.push_back(call);
  bool changes = false;
  for (llvm::CallInst *call : calls) {
    const LibraryName name = libraryName(*call);
    const bool isCopy = name.function == "async_work_group_copy" || name.function == "async_work_group_strided_copy";
    // "PU3AS3Dv4_f…": what the first argument points to.
    const uint64_t bytes = isCopy ? pointeeBytes(name.parameters) : 0;
    if (bytes) tellCopy(*call, bytes);
    if (name.function == "wait_group_events") tellWait(*call);
    changes |= bytes || name.function == "wait_group_events";
  }
  return changes ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
