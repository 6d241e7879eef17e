// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/join_indices.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

namespace us::codegen {
namespace {

using namespace llvm::PatternMatch;

/// A part of a division by a constant; `isSigned`: of numbers with a sign.
struct Part {
  llvm::Value *number = nullptr;
  llvm::APInt divisor;
  bool isSigned = false;
};

Part quotient(llvm::Value *value) {
  llvm::Value *number;
  const llvm::APInt *divisor;
  if (match(value, m_UDiv(m_Value(number), m_APInt(divisor)))) return {number, *divisor, false};
  if (match(value, m_SDiv(m_Value(number), m_APInt(divisor)))) return {number, *divisor, true};
  if (match(value, m_LShr(m_Value(number), m_APInt(divisor))) && divisor->ult(divisor->getBitWidth() - 1))
    return {number, llvm::APInt::getOneBitSet(divisor->getBitWidth(), unsigned(divisor->getZExtValue())), false};
  return Part();
}

Part remainder(llvm::Value *value) {
  llvm::Value *number;
  const llvm::APInt *divisor;
  if (match(value, m_URem(m_Value(number), m_APInt(divisor)))) return {number, *divisor, false};
  if (match(value, m_SRem(m_Value(number), m_APInt(divisor)))) return {number, *divisor, true};
  if (match(value, m_And(m_Value(number), m_APInt(divisor))) && divisor->isMask() && !divisor->isAllOnes())
    return {number, *divisor + 1, false};
  return Part();
}

/// What a longer number was made of: as it was, with a sign or without one.
struct Longer {
  explicit Longer(llvm::Value *value) : value(value) {
    if (match(value, m_ZExt(m_Value(this->value))))
      isZero = true;
    else
      match(value, m_SExt(m_Value(this->value)));
    isSame = this->value == value;
  }
  llvm::Value *value;
  bool isZero = false, isSame = false;
};

/// The number whose quotient, times the divisor, and whose remainder two indices are; null: it is none.
llvm::Value *wholeOf(llvm::Value *row, llvm::Value *column, const llvm::APInt &columns, llvm::IRBuilder<> &builder) {
  const Longer high(row), low(column);
  const Part left = quotient(high.value), right = remainder(low.value);
  if (!left.number || left.number != right.number || left.divisor != right.divisor || left.isSigned != right.isSigned)
    return nullptr;
  const unsigned bits = left.divisor.getBitWidth();
  if (columns.getActiveBits() > bits || columns.trunc(bits) != left.divisor) return nullptr;
  if (high.isSame != low.isSame || (left.isSigned && left.divisor.isNegative())) return nullptr;
  if (high.isSame) return left.number;
  // What is made longer must be the numbers that were divided.
  if (left.isSigned ? high.isZero || low.isZero : !high.isZero || !low.isZero) return nullptr;
  return left.isSigned ? builder.CreateSExt(left.number, row->getType())
                       : builder.CreateZExt(left.number, row->getType());
}

bool join(llvm::GetElementPtrInst &place, const llvm::DataLayout &layout) {
  if (place.getType()->isVectorTy() || place.getNumIndices() < 2) return false;
  const unsigned bits = layout.getIndexTypeSizeInBits(place.getType());
  llvm::MapVector<llvm::Value *, llvm::APInt> distances;
  llvm::APInt constant(bits, 0);
  if (!place.collectOffset(layout, bits, distances, constant)) return false;
  llvm::IRBuilder<> builder(&place);
  for (auto &[row, rowSize] : distances)
    for (auto &[column, columnSize] : distances) {
      if (row == column || columnSize.isZero() || rowSize.ult(columnSize) || !rowSize.urem(columnSize).isZero())
        continue;
      llvm::Value *whole = wholeOf(row, column, rowSize.udiv(columnSize), builder);
      if (!whole) continue;
      const llvm::APInt size = columnSize;
      llvm::Value *first = row, *second = column;
      distances.erase(first);
      distances.erase(second);
      llvm::Value *made = place.getPointerOperand();
      const bool isOnly = distances.empty() && constant.isZero() && place.isInBounds();
      const auto step = [&](llvm::Value *index, const llvm::APInt &size) {
        const uint64_t bytes = size.getZExtValue();
        const bool isElement = llvm::isPowerOf2_64(bytes) && bytes <= 8;
        if (!isElement) index = builder.CreateMul(index, builder.getInt(size));
        llvm::Type *type = builder.getIntNTy(isElement ? unsigned(8 * bytes) : 8);
        made = builder.CreateGEP(type, made, index, place.getName(),
                                 isOnly ? llvm::GEPNoWrapFlags::inBounds() : llvm::GEPNoWrapFlags::none());
      };
      for (auto &[index, bytes] : distances) step(index, bytes);
      step(whole, size);
      if (!constant.isZero()) made = builder.CreateGEP(builder.getInt8Ty(), made, builder.getInt(constant));
      place.replaceAllUsesWith(made);
      llvm::RecursivelyDeleteTriviallyDeadInstructions(&place);
      return true;
    }
  return false;
}

} // namespace

llvm::PreservedAnalyses JoinIndices::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  llvm::SmallVector<llvm::WeakTrackingVH, 16> places;
  for (llvm::Instruction &instruction : llvm::instructions(kernel))
    if (llvm::isa<llvm::GetElementPtrInst>(instruction)) places.push_back(&instruction);
  bool changed = false;
  for (llvm::WeakTrackingVH &handle : places)
    if (auto *place = llvm::dyn_cast_or_null<llvm::GetElementPtrInst>(handle))
      changed |= join(*place, kernel.getDataLayout());
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
