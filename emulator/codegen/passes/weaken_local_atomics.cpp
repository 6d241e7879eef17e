// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/weaken_local_atomics.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

namespace us::codegen {
namespace {

// What replaces them stays "monotonic": plain moves on the host, but nothing merges or vectorizes them, because
// work-items of one loop do depend on each other through them.
llvm::LoadInst *load(llvm::IRBuilder<> &builder, llvm::Type *type, llvm::Value *pointer, llvm::Align alignment) {
  llvm::LoadInst *result = builder.CreateAlignedLoad(type, pointer, alignment);
  result->setAtomic(llvm::AtomicOrdering::Monotonic);
  return result;
}

void store(llvm::IRBuilder<> &builder, llvm::Value *value, llvm::Value *pointer, llvm::Align alignment) {
  builder.CreateAlignedStore(value, pointer, alignment)->setAtomic(llvm::AtomicOrdering::Monotonic);
}

void replaceUpdate(llvm::AtomicRMWInst &update) {
  llvm::IRBuilder<> builder(&update);
  llvm::Value *old = load(builder, update.getType(), update.getPointerOperand(), update.getAlign());
  llvm::Value *changed = llvm::buildAtomicRMWValue(update.getOperation(), builder, old, update.getValOperand());
  store(builder, changed, update.getPointerOperand(), update.getAlign());
  update.replaceAllUsesWith(old);
  update.eraseFromParent();
}

void replaceExchange(llvm::AtomicCmpXchgInst &exchange) {
  llvm::IRBuilder<> builder(&exchange);
  llvm::Value *expected = exchange.getCompareOperand();
  llvm::Value *old = load(builder, expected->getType(), exchange.getPointerOperand(), exchange.getAlign());
  llvm::Value *equal = builder.CreateICmpEQ(old, expected);
  llvm::Value *changed = builder.CreateSelect(equal, exchange.getNewValOperand(), old);
  store(builder, changed, exchange.getPointerOperand(), exchange.getAlign());
  llvm::Value *result = builder.CreateInsertValue(llvm::PoisonValue::get(exchange.getType()), old, 0);
  exchange.replaceAllUsesWith(builder.CreateInsertValue(result, equal, 1));
  exchange.eraseFromParent();
}

/// Whether an exchange does what a store does: it orders nothing, and nobody asks for what was there.
bool isStore(const llvm::AtomicRMWInst &update) {
  return update.getOperation() == llvm::AtomicRMWInst::Xchg && update.use_empty() &&
         update.getOrdering() == llvm::AtomicOrdering::Monotonic && !update.isVolatile();
}

void replaceByStore(llvm::AtomicRMWInst &update) {
  llvm::IRBuilder<> builder(&update);
  store(builder, update.getValOperand(), update.getPointerOperand(), update.getAlign());
  update.eraseFromParent();
}

/// A fiber is switched only at sync points, so nothing comes between the load and the store.
void weaken(llvm::Instruction &instruction) {
  if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    if (becomesPlain(instruction, *exchange->getPointerOperand())) replaceExchange(*exchange);
  } else if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    if (isStore(*update))
      replaceByStore(*update);
    else if (becomesPlain(instruction, *update->getPointerOperand()) && !update->getType()->isVectorTy())
      replaceUpdate(*update);
  } else if (auto *read = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (read->isAtomic() && becomesPlain(instruction, *read->getPointerOperand()))
      read->setAtomic(llvm::AtomicOrdering::Monotonic);
  } else if (auto *write = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (write->isAtomic() && becomesPlain(instruction, *write->getPointerOperand()))
      write->setAtomic(llvm::AtomicOrdering::Monotonic);
  }
}

} // namespace

bool becomesPlain(const llvm::Instruction &instruction, const llvm::Value &pointer) {
  return instruction.hasMetadata(kOnPrivateCopy) ||
         pointer.stripPointerCasts()->getType()->getPointerAddressSpace() == 3;
}

llvm::PreservedAnalyses WeakenLocalAtomics::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(kernel))) weaken(instruction);
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
