// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is the same for all work-items of a sub-group.
#pragma once

#include "emulator/abi/compiler_api.h"
#include "emulator/codegen/analysis/chosen_apart.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/PassManager.h>

#include <array>
#include <cstdint>
#include <optional>

namespace us::codegen {

/// Which work-items of a group a sub-group is.
class SubGroups {
public:
  explicit SubGroups(const abi::Specialization &specialization);
  /// The same for all of a sub-group, though what it is made of differs: an id of a dimension of which it has only one,
  /// its beginning or its number, which are made of the linear local id, and what it votes.
  bool isSame(const llvm::Value &value) const;

private:
  struct Dimension {
    bool varies = false;
    uint64_t step = 0;    ///< how much the linear local id grows with this one; 0: not known
    bool isWhole = false; ///< what the global id is more than this one is a multiple of the sub-group's size
  };
  using Steps = std::array<uint64_t, 3>;

  bool hasOne(const Dimension &dimension) const;
  bool isPlace(const llvm::Value &value) const;
  std::optional<Steps> stepsOf(const llvm::Value &value, unsigned depth) const;
  bool isWhole(const llvm::APInt &number) const;

  uint32_t size_;
  std::array<Dimension, 3> dimensions_{};
};

/// LLVM's uniformity analysis of a kernel, whose parts are sub-groups (`phis`: see uniformityOf).
llvm::UniformityInfo uniformityOfSubGroups(llvm::Function &kernel, llvm::FunctionAnalysisManager &analyses,
                                           const Meetings &meetings, NothingIs nothing,
                                           const abi::Specialization &specialization,
                                           llvm::SmallPtrSetImpl<const llvm::Instruction *> &phis);

} // namespace us::codegen
