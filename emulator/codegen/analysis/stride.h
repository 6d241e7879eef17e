// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far an address moves from one work-item to the next.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

#include <optional>

namespace us::codegen {

class Uniformity;

class Stride {
public:
  Stride(const Uniformity &uniformity, const llvm::DataLayout &layout) : uniformity_(uniformity), layout_(layout) {}

  /// Bytes (of an address) or units (of an index) between neighbours along dimension 0; nothing: not known.
  std::optional<int64_t> of(llvm::Value *value, unsigned depth = 0);
  void print(llvm::raw_ostream &stream, llvm::Function &function);
  bool invalidate(llvm::Function &function, const llvm::PreservedAnalyses &preserved,
                  llvm::FunctionAnalysisManager::Invalidator &invalidator);

private:
  std::optional<int64_t> ofAddress(llvm::GetElementPtrInst &address, unsigned depth);

  const Uniformity &uniformity_;
  const llvm::DataLayout &layout_;
};

class StrideAnalysis : public llvm::AnalysisInfoMixin<StrideAnalysis> {
  friend llvm::AnalysisInfoMixin<StrideAnalysis>;
  static llvm::AnalysisKey Key;

public:
  using Result = Stride;
  Result run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

} // namespace us::codegen
