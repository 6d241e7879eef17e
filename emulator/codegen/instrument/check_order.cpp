// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/check_order.h"

#include "emulator/codegen/instrument/check_site.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

namespace us::codegen {
namespace {

bool addsFloats(const llvm::Instruction &instruction) {
  auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  if (!update || update->getType()->isVectorTy()) return false;
  return update->getOperation() == llvm::AtomicRMWInst::FAdd || update->getOperation() == llvm::AtomicRMWInst::FSub;
}

/// That `number` is added to what was there `before`; both are floating-point numbers.
void tell(llvm::IRBuilder<> &builder, llvm::Instruction &at, llvm::Value *pointer, llvm::Value *before,
          llvm::Value *number) {
  const auto bits = [&](llvm::Value *value) {
    return builder.CreateBitCast(builder.CreateFPCast(value, builder.getDoubleTy()), builder.getInt64Ty());
  };
  llvm::Module &module = *at.getModule();
  const uint64_t bytes = module.getDataLayout().getTypeStoreSize(before->getType());
  createMachineCall(builder, "float_added", builder.getVoidTy(),
                    {builder.CreatePtrToInt(pointer, builder.getInt64Ty()), builder.getInt32(uint32_t(bytes)),
                     siteText(module, sourceSite(at)), bits(before), bits(number)});
}

void tell(llvm::AtomicRMWInst &update) {
  llvm::IRBuilder<> builder(update.getNextNode());
  builder.SetCurrentDebugLocation(update.getDebugLoc());
  llvm::Value *number = update.getValOperand();
  if (update.getOperation() == llvm::AtomicRMWInst::FSub) number = builder.CreateFNeg(number);
  tell(builder, update, update.getPointerOperand(), &update, number);
}

// --- Loops of compare-and-exchange ---

/// An exchange of a number with its sum with another one.
struct Exchange {
  llvm::AtomicCmpXchgInst *exchange;
  llvm::BinaryOperator *sum;
  unsigned addend; ///< which of its operands is not what was there
};

/// What a value is the bits of.
llvm::Value *bitsOf(llvm::Value *value) {
  while (true) {
    auto *merged = llvm::dyn_cast<llvm::PHINode>(value);
    if (llvm::isa<llvm::BitCastInst, llvm::FreezeInst>(value))
      value = llvm::cast<llvm::Instruction>(value)->getOperand(0);
    else if (llvm::Value *only = merged ? merged->hasConstantValue() : nullptr)
      value = only;
    else
      return value;
  }
}

std::optional<Exchange> exchangeOfSum(llvm::AtomicCmpXchgInst &exchange) {
  auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(bitsOf(exchange.getNewValOperand()));
  const bool adds = sum && sum->getOpcode() == llvm::Instruction::FAdd;
  if (!sum || !(adds || sum->getOpcode() == llvm::Instruction::FSub) || sum->getType()->isVectorTy()) return {};
  llvm::Value *there = bitsOf(exchange.getCompareOperand());
  if (bitsOf(sum->getOperand(0)) == there) return Exchange{&exchange, sum, 1};
  if (adds && bitsOf(sum->getOperand(1)) == there) return Exchange{&exchange, sum, 0};
  return {};
}

/// Checks that know where a variable lies keep it from becoming a value, and so do branches of theirs in front of it.
void forgetChecks(llvm::Function &copy) {
  llvm::SmallVector<llvm::AllocaInst *, 32> variables;
  for (llvm::Instruction &instruction : llvm::instructions(copy))
    if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        variable && llvm::isa<llvm::Constant>(variable->getArraySize()))
      variables.push_back(variable);
  for (llvm::AllocaInst *variable : variables)
    variable->moveBefore(copy.getEntryBlock(), copy.getEntryBlock().getFirstInsertionPt());
  for (const char *name : {"nan_at", "nan_stored", "check", "check_failed"})
    for (llvm::CallInst *call : machineCalls(copy, name)) {
      llvm::SmallVector<llvm::WeakTrackingVH, 8> operands(call->arg_begin(), call->arg_end());
      if (!call->getType()->isVoidTy()) call->replaceAllUsesWith(llvm::Constant::getNullValue(call->getType()));
      call->eraseFromParent();
      llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(operands);
    }
}

/// A union, or a variable that is read as what it was not written as, becomes a value in a copy of the kernel only:
/// what is not written of it is looked at later.
llvm::SmallVector<Exchange, 4> exchangesOfSums(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses) {
  llvm::SmallVector<llvm::AtomicCmpXchgInst *, 4> exchanges;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) exchanges.push_back(exchange);
  if (exchanges.empty()) return {};
  llvm::ValueToValueMapTy copies;
  llvm::Function *copy = llvm::CloneFunction(&kernel, copies);
  llvm::DenseMap<llvm::Value *, llvm::BinaryOperator *> originals;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) originals[copies[sum]] = sum;
  forgetChecks(*copy);
  llvm::SROAPass(llvm::SROAOptions::PreserveCFG).run(*copy, analyses);
  llvm::SmallVector<Exchange, 4> found;
  for (llvm::AtomicCmpXchgInst *exchange : exchanges) {
    auto *copied = llvm::dyn_cast_or_null<llvm::AtomicCmpXchgInst>(copies.lookup(exchange));
    const std::optional<Exchange> one = copied ? exchangeOfSum(*copied) : std::nullopt;
    llvm::BinaryOperator *sum = one ? originals.lookup(one->sum) : nullptr;
    if (sum) found.push_back({exchange, sum, one->addend});
  }
  analyses.clear(*copy, copy->getName());
  copy->eraseFromParent();
  return found;
}

/// What is added is remembered where the sum is made, which is the place that is told: the exchange may be a header's.
/// One that fails adds nothing.
void tell(const Exchange &one) {
  llvm::Type *type = one.sum->getType();
  llvm::IRBuilder<> builder(&*one.sum->getFunction()->getEntryBlock().getFirstInsertionPt());
  llvm::AllocaInst *added = builder.CreateAlloca(type);
  builder.CreateStore(llvm::ConstantFP::getZero(type), added);
  builder.SetInsertPoint(one.sum);
  builder.SetCurrentDebugLocation(one.exchange->getDebugLoc());
  llvm::Value *number = one.sum->getOperand(one.addend);
  if (one.sum->getOpcode() == llvm::Instruction::FSub) number = builder.CreateFNeg(number);
  builder.CreateStore(number, added);
  builder.SetInsertPoint(one.exchange->getNextNode());
  builder.SetCurrentDebugLocation(one.exchange->getDebugLoc());
  llvm::Value *before = builder.CreateBitCast(one.exchange->getCompareOperand(), type);
  llvm::Value *hasAdded = builder.CreateExtractValue(one.exchange, 1);
  llvm::Value *told = builder.CreateSelect(hasAdded, builder.CreateLoad(type, added), llvm::ConstantFP::getZero(type));
  tell(builder, *one.sum, one.exchange->getPointerOperand(), before, told);
}

} // namespace

llvm::PreservedAnalyses CheckOrder::run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses) {
  if (!abi::isIn(request.specialization.instrumentation, abi::CheckClass::Order)) return llvm::PreservedAnalyses::all();
  llvm::Function &kernel = *module.getFunction(request.kernel);
  llvm::SmallVector<llvm::AtomicRMWInst *, 8> updates;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (addsFloats(instruction)) updates.push_back(llvm::cast<llvm::AtomicRMWInst>(&instruction));
  const llvm::SmallVector<Exchange, 4> exchanges =
      exchangesOfSums(kernel, analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager());
  for (llvm::AtomicRMWInst *update : updates) tell(*update);
  for (const Exchange &exchange : exchanges) tell(exchange);
  return updates.empty() && exchanges.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
