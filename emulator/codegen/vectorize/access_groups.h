// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that together cover what lies side by side: the components of a vector or the members of a struct, of which
// each work-item has its own behind its neighbor's. Each access alone would be a gather or a scatter.
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
  llvm::Align alignment;                              ///< of the first member
  llvm::SmallVector<llvm::Instruction *, 4> accesses; ///< by member; null: none. The first has one.
  llvm::Instruction *place = nullptr;                 ///< where they are done: the first load, or the last store
  int64_t before = 0;                                 ///< bytes from the first member to what that accesses

  unsigned count() const;
};

class AccessGroups {
public:
  AccessGroups(LaneFunction &lanes, const Shapes &shapes);
  AccessGroups(const AccessGroups &) = delete;
  AccessGroups &operator=(const AccessGroups &) = delete;
  /// Null: the access is alone.
  const AccessGroup *of(const llvm::Instruction &access) const { return groups_.lookup(&access); }

private:
  void look(llvm::BasicBlock &block, LaneFunction &lanes, const Shapes &shapes);

  std::vector<std::unique_ptr<AccessGroup>> all_;
  llvm::DenseMap<const llvm::Instruction *, const AccessGroup *> groups_;
};

} // namespace us::codegen
