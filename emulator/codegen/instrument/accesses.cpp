// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/accesses.h"

#include "emulator/codegen/kernel_description.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

namespace us::codegen {
namespace {

/// The image argument whose descriptor a pointer comes from, if it does.
llvm::Argument *imageOf(const llvm::LoadInst &load) {
  auto *argument = llvm::dyn_cast<llvm::Argument>(withoutSteps(const_cast<llvm::Value *>(load.getPointerOperand())));
  return argument && argumentKind(*argument) == ArgumentKind::Image ? argument : nullptr;
}

/// A variable is written on all ways from the kernel's beginning, and from where its life begins anew, to each read.
bool isWrittenBeforeRead(const llvm::AllocaInst &variable) {
  using Block = const llvm::BasicBlock;
  llvm::DenseMap<Block *, llvm::SmallVector<const llvm::Instruction *, 4>> uses;
  for (const llvm::User *user : variable.users())
    if (const auto *use = llvm::cast<llvm::Instruction>(user);
        llvm::isa<llvm::LoadInst, llvm::StoreInst>(use) || llvm::isa<llvm::LifetimeIntrinsic>(use))
      uses[use->getParent()].push_back(use);
  llvm::SmallPtrSet<Block *, 16> seen;
  llvm::SmallVector<Block *, 16> needs; // at their beginning
  for (auto &[block, all] : uses) {
    llvm::sort(all, [](const auto *a, const auto *b) { return a->comesBefore(b); });
    for (size_t i = 0; i < all.size(); ++i) {
      if (!llvm::isa<llvm::LoadInst>(all[i])) continue;
      if (i == 0 && seen.insert(block).second) needs.push_back(block);
      if (i != 0 && llvm::isa<llvm::LifetimeIntrinsic>(all[i - 1])) return false;
    }
  }
  while (!needs.empty()) {
    Block *block = needs.pop_back_val();
    if (block->isEntryBlock()) return false;
    for (Block *before : llvm::predecessors(block)) {
      const auto known = uses.find(before);
      if (known != uses.end() && llvm::isa<llvm::LifetimeIntrinsic>(known->second.back())) return false;
      const bool isKnown = known != uses.end() && llvm::any_of(known->second, [](const llvm::Instruction *use) {
                             return llvm::isa<llvm::StoreInst>(use);
                           });
      if (!isKnown && seen.insert(before).second) needs.push_back(before);
    }
  }
  return true;
}

} // namespace

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

llvm::Value *withoutOneStep(llvm::Value *pointer) {
  if (auto *place = llvm::dyn_cast<llvm::GEPOperator>(pointer)) return place->getPointerOperand();
  if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(pointer)) return cast->getPointerOperand();
  if (auto *same = llvm::dyn_cast<llvm::FreezeInst>(pointer)) return same->getOperand(0);
  return nullptr;
}

llvm::Value *withoutSteps(llvm::Value *pointer) {
  while (llvm::Value *before = withoutOneStep(pointer)) pointer = before;
  return pointer;
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

llvm::GlobalVariable *variableOfNumber(llvm::Value *number) {
  using namespace llvm::PatternMatch;
  llvm::GlobalVariable *found = nullptr;
  llvm::SmallPtrSet<llvm::Value *, 8> seen;
  llvm::SmallVector<llvm::Value *, 8> open{number};
  while (!open.empty()) {
    llvm::Value *one = open.pop_back_val(), *first = nullptr, *second = nullptr;
    if (!seen.insert(one).second) continue;
    if (match(one, m_Sub(m_PtrToInt(m_Value(first)), m_PtrToInt(m_Value(second)))) &&
        machineName(second) == "local_arena") {
      auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(withoutSteps(first));
      if (!variable || (found && found != variable)) return nullptr;
      found = variable;
    } else if (match(one, m_Mul(m_Value(), m_Value())) || match(one, m_Shl(m_Value(), m_Value())) ||
               llvm::isa<llvm::ConstantInt>(one)) {
      continue; // a distance
    } else if (match(one, m_Add(m_Value(first), m_Value(second))) ||
               match(one, m_Sub(m_Value(first), m_Value(second))) ||
               match(one, m_Select(m_Value(), m_Value(first), m_Value(second)))) {
      open.append({first, second});
    } else if (match(one, m_ZExtOrSExt(m_Value(first))) || match(one, m_Trunc(m_Value(first)))) {
      open.push_back(first);
    } else if (auto *merged = llvm::dyn_cast<llvm::PHINode>(one)) {
      open.append(merged->value_op_begin(), merged->value_op_end());
    } else {
      return nullptr;
    }
  }
  return found;
}

llvm::GEPOperator *stepFromArena(llvm::Value *pointer) {
  llvm::GEPOperator *last = nullptr;
  while (true) {
    if (auto *place = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
      last = place;
      pointer = place->getPointerOperand();
    } else if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(pointer)) {
      pointer = cast->getPointerOperand();
    } else {
      return machineName(pointer) == "local_arena" ? last : nullptr;
    }
  }
}

llvm::Value *rootOf(llvm::Value *pointer) {
  llvm::Value *root = nullptr;
  llvm::SmallPtrSet<llvm::Value *, 8> seen;
  llvm::SmallVector<llvm::Value *, 8> open{pointer};
  while (!open.empty()) {
    llvm::Value *one = withoutSteps(open.pop_back_val());
    if (!seen.insert(one).second) continue;
    if (auto *merged = llvm::dyn_cast<llvm::PHINode>(one)) {
      open.append(merged->value_op_begin(), merged->value_op_end());
      continue;
    }
    if (auto *choice = llvm::dyn_cast<llvm::SelectInst>(one)) {
      open.append({choice->getTrueValue(), choice->getFalseValue()});
      continue;
    }
    if (auto *made = llvm::dyn_cast<llvm::IntToPtrInst>(one)) one = baseOfNumber(made->getOperand(0));
    if (auto *loaded = llvm::dyn_cast_or_null<llvm::LoadInst>(one)) one = imageOf(*loaded);
    if (!one || (root && root != one)) return nullptr;
    root = one;
  }
  return root;
}

llvm::Value *privateRootOf(llvm::Value *pointer) {
  llvm::Value *root = withoutSteps(pointer);
  return llvm::isa<llvm::AllocaInst>(root) ? root : nullptr;
}

llvm::Value *localRootOf(llvm::Value *pointer) {
  llvm::GEPOperator *const step = stepFromArena(pointer);
  llvm::Value *root = step ? variableOfNumber(step->idx_begin()->get()) : rootOf(pointer);
  const bool isOfKind = llvm::isa_and_nonnull<llvm::Argument, llvm::GlobalVariable>(root);
  return isOfKind && root->getType()->isPointerTy() && root->getType()->getPointerAddressSpace() == 3 ? root : nullptr;
}

void promoteTypes(llvm::Function &function, llvm::function_ref<bool(const llvm::AllocaInst &)> isPromoted) {
  llvm::DominatorTree dominators(function);
  llvm::AssumptionCache assumptions(function);
  llvm::SmallVector<llvm::AllocaInst *, 32> slots;
  for (llvm::Instruction &instruction : function.getEntryBlock())
    if (auto *slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction); slot && llvm::isAllocaPromotable(slot))
      if (isPromoted(*slot)) slots.push_back(slot);
  llvm::PromoteMemToReg(slots, dominators, &assumptions);
}

void promoteVariables(llvm::Function &kernel, abi::CheckSet checks) {
  const bool onlyWritten = abi::isIn(checks, abi::CheckClass::Uninitialized);
  promoteTypes(kernel, [&](const llvm::AllocaInst &variable) {
    return !onlyWritten || variable.getAllocatedType()->isPointerTy() || isWrittenBeforeRead(variable);
  });
}

} // namespace us::codegen
