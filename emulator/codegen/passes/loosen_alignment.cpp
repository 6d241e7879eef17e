// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/loosen_alignment.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

using namespace llvm;

/// Of variables the compiler itself says where they lie.
bool isVariable(const Value &pointer) { return isa<AllocaInst, GlobalVariable>(getUnderlyingObject(&pointer)); }

/// The alignment that the elements of a vector have; nothing: it is none.
MaybeAlign elementAlignment(Type &type, const DataLayout &layout) {
  auto *vector = dyn_cast<FixedVectorType>(&type);
  if (!vector) return {};
  return Align(std::max<uint64_t>(PowerOf2Ceil(layout.getTypeStoreSize(vector->getElementType())), 1));
}

template <typename Access> bool loosen(Access &access, const DataLayout &layout) {
  const MaybeAlign element = elementAlignment(*getLoadStoreType(&access), layout);
  if (!element || *element >= access.getAlign() || access.isAtomic() || isVariable(*access.getPointerOperand()))
    return false;
  access.setAlignment(*element);
  return true;
}

/// Structures may have vectors among their members.
bool loosen(MemTransferInst &copy) {
  bool changed = false;
  if (copy.getDestAlign().valueOrOne() > 1 && !isVariable(*copy.getRawDest())) {
    copy.setDestAlignment(Align(1));
    changed = true;
  }
  if (copy.getSourceAlign().valueOrOne() > 1 && !isVariable(*copy.getRawSource())) {
    copy.setSourceAlignment(Align(1));
    changed = true;
  }
  return changed;
}

} // namespace

PreservedAnalyses LoosenAlignment::run(Module &module, ModuleAnalysisManager &) {
  const DataLayout &layout = module.getDataLayout();
  bool changed = false;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function)) {
      if (auto *load = dyn_cast<LoadInst>(&instruction))
        changed |= loosen(*load, layout);
      else if (auto *store = dyn_cast<StoreInst>(&instruction))
        changed |= loosen(*store, layout);
      else if (auto *copy = dyn_cast<MemTransferInst>(&instruction))
        changed |= loosen(*copy);
    }
  if (!changed) return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace us::codegen
