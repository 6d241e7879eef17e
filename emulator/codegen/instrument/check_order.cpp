// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/check_order.h"

#include "emulator/codegen/instrument/check_site.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

bool addsFloats(const llvm::Instruction &instruction) {
  auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  if (!update || update->getType()->isVectorTy()) return false;
  return update->getOperation() == llvm::AtomicRMWInst::FAdd || update->getOperation() == llvm::AtomicRMWInst::FSub;
}

void tell(llvm::AtomicRMWInst &update) {
  llvm::IRBuilder<> builder(update.getNextNode());
  builder.SetCurrentDebugLocation(update.getDebugLoc());
  llvm::Value *number = update.getValOperand();
  if (update.getOperation() == llvm::AtomicRMWInst::FSub) number = builder.CreateFNeg(number);
  const auto bits = [&](llvm::Value *value) {
    return builder.CreateBitCast(builder.CreateFPCast(value, builder.getDoubleTy()), builder.getInt64Ty());
  };
  llvm::Module &module = *update.getModule();
  const uint64_t bytes = module.getDataLayout().getTypeStoreSize(update.getType());
  createMachineCall(builder, "float_added", builder.getVoidTy(),
                    {builder.CreatePtrToInt(update.getPointerOperand(), builder.getInt64Ty()),
                     builder.getInt32(uint32_t(bytes)), siteText(module, sourceSite(update)), bits(&update),
                     bits(number)});
}

} // namespace

llvm::PreservedAnalyses CheckOrder::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  if (!abi::isIn(request.specialization.instrumentation, abi::CheckClass::Order)) return llvm::PreservedAnalyses::all();
  llvm::SmallVector<llvm::AtomicRMWInst *, 8> updates;
  for (llvm::Instruction &instruction : llvm::instructions(*module.getFunction(request.kernel)))
    if (addsFloats(instruction)) updates.push_back(llvm::cast<llvm::AtomicRMWInst>(&instruction));
  for (llvm::AtomicRMWInst *update : updates) tell(*update);
  return updates.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
