// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/accesses.h"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

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

} // namespace us::codegen
