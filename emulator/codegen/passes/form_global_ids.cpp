// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/form_global_ids.h"

#include "emulator/codegen/machine_calls.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

namespace us::codegen {
namespace {

using namespace llvm::PatternMatch;

/// The query behind a number of any width; extensions of an id that was cut down are not looked through unless they
/// give the id again.
const llvm::CallInst *queryOf(llvm::Value *value, llvm::StringRef name) {
  llvm::Value *inner = value;
  if (auto *cast = llvm::dyn_cast<llvm::ZExtInst>(inner)) {
    inner = cast->getOperand(0);
    const auto *cut = llvm::dyn_cast<llvm::TruncInst>(inner);
    if (!cut || !cut->hasNoUnsignedWrap()) return nullptr;
  }
  if (auto *cut = llvm::dyn_cast<llvm::TruncInst>(inner)) inner = cut->getOperand(0);
  return machineName(inner) == name ? llvm::cast<llvm::CallInst>(inner) : nullptr;
}

/// group_id times a number: the query, and the number.
std::pair<const llvm::CallInst *, uint64_t> scaledGroupId(llvm::Value *value) {
  llvm::Value *number = nullptr;
  const llvm::APInt *factor = nullptr;
  if (match(value, m_Shl(m_Value(number), m_APInt(factor))) && factor->ult(32))
    return {queryOf(number, "group_id"), uint64_t(1) << factor->getZExtValue()};
  if (match(value, m_Mul(m_Value(number), m_APInt(factor))))
    return {queryOf(number, "group_id"), factor->getZExtValue()};
  return {nullptr, 0};
}

} // namespace

llvm::PreservedAnalyses FormGlobalIds::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  const abi::Specialization &known = request.specialization;
  if (!known.zeroOffset) return llvm::PreservedAnalyses::all();
  llvm::Function &kernel = *module.getFunction(request.kernel);
  std::vector<std::pair<llvm::Instruction *, unsigned>> sums;
  for (llvm::Instruction &instruction : llvm::instructions(kernel)) {
    llvm::Value *left = nullptr, *right = nullptr;
    if (!match(&instruction, m_AddLike(m_Value(left), m_Value(right)))) continue;
    for (const auto &[scaled, local] : {std::pair(left, right), std::pair(right, left)}) {
      const auto [group, factor] = scaledGroupId(scaled);
      const llvm::CallInst *id = group ? queryOf(local, "local_id") : nullptr;
      if (!id) continue;
      const unsigned dimension = *queryDimension(*id);
      if (dimension == *queryDimension(*group) && factor == known.localSize[dimension] && factor != 0)
        sums.emplace_back(&instruction, dimension);
    }
  }
  for (const auto &[sum, dimension] : sums) {
    llvm::IRBuilder<> builder(sum);
    llvm::CallInst *id = createMachineCall(builder, "global_id", builder.getInt64Ty(), {builder.getInt32(dimension)});
    llvm::Value *result = id;
    const bool fits = known.smallIndex && sum->getType()->getIntegerBitWidth() >= 32;
    if (known.smallIndex)
      id->setMetadata(
          llvm::LLVMContext::MD_range,
          llvm::MDBuilder(id->getContext()).createRange(llvm::APInt(64, 0), llvm::APInt(64, uint64_t(1) << 31)));
    if (!sum->getType()->isIntegerTy(64)) result = builder.CreateTrunc(id, sum->getType(), "", fits, fits);
    sum->replaceAllUsesWith(result);
    llvm::RecursivelyDeleteTriviallyDeadInstructions(sum);
  }
  return sums.empty() ? llvm::PreservedAnalyses::all() : llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
