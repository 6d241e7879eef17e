// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The groups of a launch that have begun and wait, each for others: any thread of the launch may give one its next
// turn.
#pragma once

#include "emulator/exec/scheduler.h"
#include "emulator/exec/work_group.h"

#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace us::exec {

class SuspendedGroups {
public:
  SuspendedGroups() = default;
  SuspendedGroups(const SuspendedGroups &) = delete;
  SuspendedGroups &operator=(const SuspendedGroups &) = delete;
  ~SuspendedGroups() { release(); }

  void put(WorkGroup &group);
  /// The one that is chosen; null if there is none.
  WorkGroup *take(TicketSource &chooser);
  size_t count() const;
  /// Tells in `finding` who waits where, of not too many groups. `place` says what an address in the code is,
  /// `memory` what is at one that is watched, `id` of a linear number which group.
  void describe(Finding &finding, const PlaceNamer &place, const MemoryNamer &memory,
                const std::function<Size3(uint64_t group)> &id) const;
  /// Each for its own local memory, which no other group can change.
  bool allWaitForThemselves() const;
  /// What they look at in loops.
  std::vector<uint64_t> watched() const;
  /// Forgets them.
  void release();

private:
  mutable std::mutex mutex_;                        ///< guards the next
  std::unique_ptr<std::deque<WorkGroup *>> groups_; ///< null: none was put; an empty one takes memory, too
};

} // namespace us::exec
