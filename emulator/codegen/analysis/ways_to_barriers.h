// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which barriers work-items come to that have parted.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// The attribute of kernels whose work-items may end, or go elsewhere, before a barrier (docs/ir-conventions.md).
inline constexpr const char *kMaySkipBarriers = "us_barriers_may_be_skipped";

/// Of barriers and of boundaries, which part regions alike. A work-item that does not come to one any more has nothing
/// to do with it: it ends, and the others meet without it.
class WaysToBarriers {
public:
  /// Work-items that have parted may come to different barriers.
  bool mayPart() const { return mayPart_; }
  /// Behind the block some work-items may end while others go on to a barrier.
  bool mayEndBehind(const llvm::BasicBlock *block) const { return ends_.contains(block); }
  /// There is such a block.
  bool mayEnd() const { return !ends_.empty(); }
  void print(llvm::raw_ostream &stream, llvm::Function &function) const;

private:
  friend class WaysToBarriersAnalysis;
  bool mayPart_ = false;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> ends_;
};

class WaysToBarriersAnalysis : public llvm::AnalysisInfoMixin<WaysToBarriersAnalysis> {
  friend llvm::AnalysisInfoMixin<WaysToBarriersAnalysis>;
  static llvm::AnalysisKey Key;

public:
  using Result = WaysToBarriers;
  Result run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

} // namespace us::codegen
