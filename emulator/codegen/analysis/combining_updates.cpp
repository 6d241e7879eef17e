// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/analysis/combining_updates.h"

#include <llvm/IR/Constants.h>

namespace us::codegen {
namespace {

using abi::Combination;
using llvm::AtomicRMWInst;

constexpr CombiningUpdate kUpdates[] = {
    {AtomicRMWInst::Add, Combination::Add, llvm::Intrinsic::vector_reduce_add, false},
    {AtomicRMWInst::Sub, Combination::Add, llvm::Intrinsic::vector_reduce_add, false},
    {AtomicRMWInst::And, Combination::And, llvm::Intrinsic::vector_reduce_and, true},
    {AtomicRMWInst::Or, Combination::Or, llvm::Intrinsic::vector_reduce_or, true},
    {AtomicRMWInst::Xor, Combination::Xor, llvm::Intrinsic::vector_reduce_xor, false},
    {AtomicRMWInst::Max, Combination::Max, llvm::Intrinsic::vector_reduce_smax, true},
    {AtomicRMWInst::Min, Combination::Min, llvm::Intrinsic::vector_reduce_smin, true},
    {AtomicRMWInst::UMax, Combination::UMax, llvm::Intrinsic::vector_reduce_umax, true},
    {AtomicRMWInst::UMin, Combination::UMin, llvm::Intrinsic::vector_reduce_umin, true},
};

} // namespace

const CombiningUpdate *combiningUpdate(const AtomicRMWInst &update) {
  if (!update.getType()->isIntegerTy()) return nullptr;
  for (const CombiningUpdate &known : kUpdates)
    if (known.operation == update.getOperation()) return &known;
  return nullptr;
}

llvm::Constant *identityOf(Combination combination, llvm::Type *type) {
  return llvm::ConstantInt::get(
      type, llvm::APInt(type->getScalarSizeInBits(), abi::identityOf(combination, type->getScalarSizeInBits())));
}

} // namespace us::codegen
