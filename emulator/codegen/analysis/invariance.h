// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What does not change in a group or a launch.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instruction.h>
#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// Values that can be computed before any work-item runs, without looking at memory that may change. What lies outside
/// the kernel's function has been computed there already. Each value is judged when it is first asked for.
class Invariance {
public:
  explicit Invariance(const llvm::Function &kernel) : kernel_(kernel) {}
  enum class Level : uint8_t { Item, Group, Launch };
  Level of(llvm::Value *value);
  void print(llvm::raw_ostream &stream, llvm::Function &function);

private:
  Level compute(llvm::Instruction &instruction);
  const llvm::Function &kernel_;
  llvm::DenseMap<llvm::Value *, Level> known_;
};

class InvarianceAnalysis : public llvm::AnalysisInfoMixin<InvarianceAnalysis> {
  friend llvm::AnalysisInfoMixin<InvarianceAnalysis>;
  static llvm::AnalysisKey Key;

public:
  using Result = Invariance;
  Result run(llvm::Function &function, llvm::FunctionAnalysisManager &) { return Invariance(function); }
};

} // namespace us::codegen
