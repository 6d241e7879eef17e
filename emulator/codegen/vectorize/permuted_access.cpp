// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/vectorize/permuted_access.h"

#include <llvm/IR/PatternMatch.h>

#include <utility>

namespace us::codegen {

std::optional<PermutedPlace> permutedPlace(const llvm::Value &pointer, const llvm::Type &accessed, bool isQuick,
                                           const Shapes &shapes, unsigned width) {
  using namespace llvm::PatternMatch;
  const auto *place = llvm::dyn_cast<llvm::GetElementPtrInst>(&pointer);
  if (!place || place->getNumIndices() != 1 || accessed.isVectorTy() || width < 2 || !llvm::isPowerOf2_32(width))
    return std::nullopt;
  const llvm::DataLayout &layout = place->getDataLayout();
  llvm::Type *element = place->getSourceElementType();
  if (!element->isSized() ||
      layout.getTypeAllocSize(element) != layout.getTypeStoreSize(const_cast<llvm::Type *>(&accessed)))
    return std::nullopt;
  if (!shapes.of(*place->getPointerOperand()).isUniform()) return std::nullopt;
  llvm::Value *index = place->getOperand(1), *number = nullptr, *turned = nullptr, *shorter = nullptr;
  const bool isUnsigned = match(index, m_ZExt(m_Value(shorter)));
  if (isUnsigned || match(index, m_SExt(m_Value(shorter)))) index = shorter;
  if (!match(index, m_Xor(m_Value(number), m_Value(turned)))) return std::nullopt;
  if (!shapes.of(*turned).isUniform()) std::swap(number, turned);
  const Shape shape = shapes.of(*number);
  if (!shapes.of(*turned).isUniform() || !shape.isAffine() || shape.stride != 1) return std::nullopt;
  if (width > 1u << shape.zeros || (!isQuick && !llvm::isa<llvm::Constant>(turned))) return std::nullopt;
  return PermutedPlace{place, number, turned, !isUnsigned};
}

} // namespace us::codegen
