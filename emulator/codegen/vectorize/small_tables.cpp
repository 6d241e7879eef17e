// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/vectorize/small_tables.h"

#include <llvm/Analysis/Loads.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/PatternMatch.h>

namespace us::codegen {
namespace {

constexpr unsigned kWordBytes = 4;

/// The greatest number that it may be, without a sign: by its bits, but for what is added to it at the end.
llvm::APInt mostOf(const llvm::Value &index, const llvm::DataLayout &layout) {
  using namespace llvm::PatternMatch;
  const unsigned bits = index.getType()->getScalarSizeInBits();
  llvm::Value *number;
  const llvm::APInt *added;
  if (match(&index, m_ZExt(m_Value(number)))) return mostOf(*number, layout).zext(bits);
  const llvm::APInt most = llvm::computeKnownBits(&index, layout).getMaxValue();
  if (!match(&index, m_NUWAdd(m_Value(number), m_APInt(added)))) return most;
  return llvm::APIntOps::umin(most, llvm::computeKnownBits(number, layout).getMaxValue().uadd_sat(*added));
}

} // namespace

unsigned SmallTable::steps(unsigned lanes, bool takesTwo) const {
  const unsigned permutations = llvm::divideCeil(words, takesTwo ? 2 * lanes : lanes);
  const unsigned taken = elementBytes < kWordBytes ? 3 : 0; // out of a word
  return 2 * permutations - 1 + llvm::Log2_32_Ceil(permutations) + taken;
}

std::optional<SmallTable> smallTable(const llvm::Value &place, llvm::Type &element, const llvm::Instruction &at,
                                     const VectorCosts &costs) {
  auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&place);
  const llvm::DataLayout &layout = at.getDataLayout();
  auto *scanned = const_cast<llvm::Instruction *>(&at); // back from there, for who has accessed all of it
  const uint64_t bytes = layout.getTypeStoreSize(&element);
  if (!costs.tableWords || !address || address->getPointerOperandType()->isVectorTy() || element.isVectorTy() ||
      !llvm::isPowerOf2_64(bytes) || bytes > kWordBytes ||
      layout.getTypeAllocSize(address->getResultElementType()) != bytes)
    return std::nullopt;
  auto index = address->op_end() - 1;
  if (!llvm::all_of(llvm::make_range(address->idx_begin(), index),
                    [](const llvm::Use &one) { return match(one.get(), llvm::PatternMatch::m_Zero()); }))
    return std::nullopt;
  const llvm::APInt most = mostOf(**index, layout);
  if (most.uge(costs.tableWords * kWordBytes / bytes)) return std::nullopt;
  const auto words = unsigned(llvm::divideCeil((most.getZExtValue() + 1) * bytes, kWordBytes));
  llvm::Value *base = const_cast<llvm::Value *>(address->getPointerOperand());
  const llvm::APInt size(64, uint64_t(words) * kWordBytes);
  if (words == 1 || !llvm::isSafeToLoadUnconditionally(base, llvm::Align(1), size, layout, scanned))
    return std::nullopt;
  return SmallTable{base, *index, unsigned(bytes), words};
}

std::optional<SmallTable> smallTable(const llvm::LoadInst &load, const Shapes &shapes, const VectorCosts &costs) {
  std::optional<SmallTable> table = smallTable(*load.getPointerOperand(), *load.getType(), load, costs);
  if (table && !shapes.of(*table->base).isUniform()) table.reset();
  return table;
}

} // namespace us::codegen
