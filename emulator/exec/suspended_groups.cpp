// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/exec/suspended_groups.h"

#include <algorithm>

namespace us::exec {

void SuspendedGroups::put(WorkGroup &group) {
  std::lock_guard lock(mutex_);
  groups_.push_back(&group);
}

WorkGroup *SuspendedGroups::take(TicketSource &chooser) {
  std::lock_guard lock(mutex_);
  if (groups_.empty()) return nullptr;
  const auto chosen = groups_.begin() + static_cast<ptrdiff_t>(chooser.chooseWaiting(groups_.size()));
  WorkGroup *const group = *chosen;
  groups_.erase(chosen);
  return group;
}

size_t SuspendedGroups::count() const {
  std::lock_guard lock(mutex_);
  return groups_.size();
}

std::string SuspendedGroups::waiting(const std::function<std::string(uint64_t)> &place,
                                     const std::function<std::string(uint64_t)> &name) const {
  constexpr size_t kMostSentences = 16;
  std::lock_guard lock(mutex_);
  std::vector<WorkGroup *> groups(groups_.begin(), groups_.end());
  std::ranges::sort(groups, {}, &WorkGroup::linearGroup);
  std::string text;
  size_t sentences = 0;
  for (size_t first = 0, last; first < groups.size(); first = last) {
    const std::string one = groups[first]->waiting(place);
    for (last = first + 1; last < groups.size(); ++last)
      if (groups[last]->linearGroup != groups[last - 1]->linearGroup + 1 || groups[last]->waiting(place) != one) break;
    if (one.empty()) continue;
    if (!text.empty()) text += "; ";
    if (++sentences > kMostSentences) return text + "and others";
    text += "in work-group" + (last - first == 1 ? "" : "s " + name(groups[first]->linearGroup) + " to") + " " +
            name(groups[last - 1]->linearGroup) + ": " + one;
  }
  return text;
}

void SuspendedGroups::release() {
  for (WorkGroup *group : groups_) group->release();
  groups_.clear();
}

} // namespace us::exec
