// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The groups of a launch that have begun and wait, each for others: any thread of the launch may give one its next
// turn.
#pragma once

#include "emulator/exec/scheduler.h"
#include "emulator/exec/work_group.h"

#include <deque>
#include <functional>
#include <mutex>
#include <string>

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
  /// Who waits where, group by group: groups in which the same work-items wait at the same places share a sentence.
  /// `place` names an address, `name` a group.
  std::string waiting(const std::function<std::string(uint64_t pc)> &place,
                      const std::function<std::string(uint64_t group)> &name) const;
  /// Forgets them.
  void release();

private:
  mutable std::mutex mutex_; ///< guards groups_
  std::deque<WorkGroup *> groups_;
};

} // namespace us::exec
