// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/analysis/stride.h"

#include "emulator/codegen/analysis/outdated.h"
#include "emulator/codegen/analysis/uniformity.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/raw_ostream.h>

namespace us::codegen {

llvm::AnalysisKey StrideAnalysis::Key;

Stride StrideAnalysis::run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  return {manager.getResult<UniformityAnalysis>(function), function.getDataLayout()};
}

std::optional<int64_t> Stride::of(llvm::Value *value, unsigned depth) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || uniformity_.isUniform(*instruction)) return 0;
  if (depth > 12) return std::nullopt;
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(instruction)) {
    const llvm::StringRef name = machineName(call);
    if (name != "global_id" && name != "local_id") return std::nullopt;
    return queryDimension(*call) == 0u ? 1 : 0;
  }
  if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction)) return ofAddress(*address, depth);
  if (llvm::isa<llvm::CastInst>(instruction)) return of(instruction->getOperand(0), depth + 1);
  auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(instruction);
  if (!operation) return std::nullopt;
  const auto left = of(operation->getOperand(0), depth + 1), right = of(operation->getOperand(1), depth + 1);
  if (!left || !right) return std::nullopt;
  if (*left == 0 && *right == 0) return 0;
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(operation->getOperand(1));
  switch (operation->getOpcode()) {
  case llvm::Instruction::Add:
    return *left + *right;
  case llvm::Instruction::Sub:
    return *left - *right;
  case llvm::Instruction::Or:
    if (llvm::cast<llvm::PossiblyDisjointInst>(operation)->isDisjoint()) return *left + *right;
    return std::nullopt;
  case llvm::Instruction::Mul:
    return constant ? std::optional(*left * constant->getSExtValue()) : std::nullopt;
  case llvm::Instruction::Shl:
    return constant ? std::optional(*left << constant->getZExtValue()) : std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<int64_t> Stride::ofAddress(llvm::GetElementPtrInst &address, unsigned depth) {
  auto total = of(address.getPointerOperand(), depth + 1);
  llvm::MapVector<llvm::Value *, llvm::APInt> variables;
  llvm::APInt constant(64, 0);
  if (!total || !address.collectOffset(layout_, 64, variables, constant)) return std::nullopt;
  for (auto &[index, scale] : variables) {
    const auto stride = of(index, depth + 1);
    if (!stride) return std::nullopt;
    *total += *stride * scale.getSExtValue();
  }
  return total;
}

bool Stride::invalidate(llvm::Function &function, const llvm::PreservedAnalyses &preserved,
                        llvm::FunctionAnalysisManager::Invalidator &invalidator) {
  return isOutdated<StrideAnalysis, UniformityAnalysis>(function, preserved, invalidator);
}

/// Of each load and store.
void Stride::print(llvm::raw_ostream &stream, llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer) continue;
    const auto stride = of(pointer);
    stream << (stride ? std::to_string(*stride) : "unknown") << instruction << "\n";
  }
}

} // namespace us::codegen
