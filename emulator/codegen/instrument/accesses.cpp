// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/accesses.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

namespace us::codegen {

llvm::SmallVector<Access, 2> accessesOf(llvm::Instruction &instruction) {
  const llvm::DataLayout &layout = instruction.getDataLayout();
  llvm::Type *number = llvm::Type::getInt64Ty(instruction.getContext());
  const auto bytes = [&](llvm::Type *type) { return llvm::ConstantInt::get(number, layout.getTypeStoreSize(type)); };
  if (instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load)) return {};
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return {{load, load->getPointerOperand(), bytes(load->getType()), load->getAlign(), "read"}};
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return {
        {store, store->getPointerOperand(), bytes(store->getValueOperand()->getType()), store->getAlign(), "write"}};
  if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return {{atomic, atomic->getPointerOperand(), bytes(atomic->getType()), atomic->getAlign(), "update"}};
  if (auto *atomic = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return {{atomic, atomic->getPointerOperand(), bytes(atomic->getNewValOperand()->getType()), atomic->getAlign(),
             "update"}};
  if (auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction))
    return {{copy, copy->getRawSource(), copy->getLength(), llvm::Align(), "read"},
            {copy, copy->getRawDest(), copy->getLength(), llvm::Align(), "write"}};
  if (auto *fill = llvm::dyn_cast<llvm::MemSetInst>(&instruction))
    return {{fill, fill->getRawDest(), fill->getLength(), llvm::Align(), "write"}};
  return {};
}

llvm::Value *withoutSteps(llvm::Value *pointer) {
  while (true) {
    if (auto *place = llvm::dyn_cast<llvm::GEPOperator>(pointer))
      pointer = place->getPointerOperand();
    else if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(pointer))
      pointer = cast->getPointerOperand();
    else if (auto *same = llvm::dyn_cast<llvm::FreezeInst>(pointer))
      pointer = same->getOperand(0);
    else
      return pointer;
  }
}

llvm::Argument *baseOfNumber(llvm::Value *number) {
  using namespace llvm::PatternMatch;
  llvm::Argument *base = nullptr;
  llvm::SmallPtrSet<llvm::Value *, 8> seen;
  llvm::SmallVector<llvm::Value *, 8> open{number};
  while (!open.empty()) {
    llvm::Value *one = open.pop_back_val(), *first = nullptr, *second = nullptr;
    if (!seen.insert(one).second) continue;
    if (match(one, m_Add(m_Value(first), m_Value(second))) || match(one, m_Sub(m_Value(first), m_Value(second))) ||
        match(one, m_Select(m_Value(), m_Value(first), m_Value(second)))) {
      open.append({first, second});
    } else if (auto *merged = llvm::dyn_cast<llvm::PHINode>(one)) {
      open.append(merged->value_op_begin(), merged->value_op_end());
    } else if (auto *argument = llvm::dyn_cast<llvm::Argument>(one)) {
      if (base || !argument->getType()->isIntegerTy(64)) return nullptr;
      base = argument;
    } else if (!llvm::isa<llvm::ConstantInt>(one) && !match(one, m_ZExtOrSExt(m_Value())) &&
               !match(one, m_Mul(m_Value(), m_Value())) && !match(one, m_Shl(m_Value(), m_Value()))) {
      return nullptr;
    }
  }
  return base;
}

namespace {

/// Before anything else is done with the variable, all of it is written: a parameter's copy, or a register of PTX.
bool beginsWritten(const llvm::AllocaInst &slot) {
  for (const llvm::Instruction *next = slot.getNextNode(); next; next = next->getNextNode()) {
    if (llvm::is_contained(next->operands(), &slot)) {
      auto *store = llvm::dyn_cast<llvm::StoreInst>(next);
      if (store)
        return store->getPointerOperand() == &slot && store->getValueOperand()->getType() == slot.getAllocatedType();
      if (!llvm::isa<llvm::IntrinsicInst>(next)) return false;
    }
  }
  return false;
}

void promote(llvm::Function &function, llvm::function_ref<bool(const llvm::AllocaInst &)> isPromoted) {
  llvm::DominatorTree dominators(function);
  llvm::AssumptionCache assumptions(function);
  llvm::SmallVector<llvm::AllocaInst *, 32> slots;
  for (llvm::Instruction &instruction : function.getEntryBlock())
    if (auto *slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction); slot && llvm::isAllocaPromotable(slot))
      if (isPromoted(*slot)) slots.push_back(slot);
  llvm::PromoteMemToReg(slots, dominators, &assumptions);
}

} // namespace

void promoteTypes(llvm::Function &function, llvm::function_ref<bool(const llvm::Type &)> isPromoted) {
  promote(function, [&](const llvm::AllocaInst &slot) { return isPromoted(*slot.getAllocatedType()); });
}

void promoteVariables(llvm::Function &kernel, abi::CheckSet checks) {
  const bool onlyPointers = abi::isIn(checks, abi::CheckClass::Uninitialized);
  promote(kernel, [&](const llvm::AllocaInst &slot) {
    return !onlyPointers || slot.getAllocatedType()->isPointerTy() || beginsWritten(slot);
  });
}

} // namespace us::codegen
