// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses of what lies side by side: an element of each work-item behind its neighbor's, or several of each, the
// components of a vector or the members of a struct, or two of each anywhere. Without this each would be a gather or a
// scatter.
#pragma once

#include "emulator/codegen/vectorize/lane_function.h"
#include "emulator/codegen/vectorize/shapes.h"

#include <llvm/ADT/DenseMap.h>

#include <memory>
#include <vector>

namespace us::codegen {

/// Loads, or stores, of one block that may be done at once.
struct AccessGroup {
  unsigned members = 0;                               ///< elements from one work-item to the next
  bool isStore = false;                               ///< then there is an access for each member
  bool isApart = false;                               ///< pairs, anywhere: each is one number of twice the length
  llvm::Align alignment;                              ///< of the first member
  llvm::SmallVector<llvm::Instruction *, 4> accesses; ///< by member; null: none. The first has one.
  llvm::Instruction *place = nullptr;                 ///< where they are done: the first load, or the last store
  int64_t before = 0;                                 ///< bytes from the first member to what that accesses
  const Guess *guess = nullptr;                       ///< they only are likely to lie so
  llvm::SmallVector<const AccessGroup *, 4> together; ///< others, asked about and done at the same place
  bool isTaken = false;                               ///< it is one of those

  unsigned count() const;
};

class AccessGroups {
public:
  /// What is needed to ask about several accesses at once is brought before the first of them.
  AccessGroups(LaneFunction &lanes, const Shapes &shapes);
  AccessGroups(const AccessGroups &) = delete;
  AccessGroups &operator=(const AccessGroups &) = delete;
  /// Null: what it accesses lies anywhere, or is the same for all.
  const AccessGroup *of(const llvm::Instruction &access) const { return groups_.lookup(&access); }

private:
  void find(llvm::BasicBlock &block, LaneFunction &lanes, const Shapes &shapes);
  void join(llvm::BasicBlock &block);
  void add(AccessGroup group, const Shapes &shapes);

  std::vector<std::unique_ptr<AccessGroup>> all_;
  llvm::DenseMap<const llvm::Instruction *, AccessGroup *> groups_;
};

} // namespace us::codegen
