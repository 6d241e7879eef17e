// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/exec/suspended_groups.h"

#include <algorithm>
#include <iterator>

namespace us::exec {

void SuspendedGroups::put(WorkGroup &group) {
  std::lock_guard lock(mutex_);
  if (!groups_) groups_ = std::make_unique<std::deque<WorkGroup *>>();
  groups_->push_back(&group);
}

WorkGroup *SuspendedGroups::take(TicketSource &chooser) {
  std::lock_guard lock(mutex_);
  if (!groups_ || groups_->empty()) return nullptr;
  const auto chosen = groups_->begin() + static_cast<ptrdiff_t>(chooser.chooseWaiting(groups_->size()));
  WorkGroup *const group = *chosen;
  groups_->erase(chosen);
  return group;
}

size_t SuspendedGroups::count() const {
  std::lock_guard lock(mutex_);
  return groups_ ? groups_->size() : 0;
}

bool SuspendedGroups::allWaitForThemselves() const {
  std::lock_guard lock(mutex_);
  return !groups_ || std::ranges::all_of(*groups_, [](const WorkGroup *group) { return group->waitsForItself(); });
}

std::vector<uint64_t> SuspendedGroups::watched() const {
  std::lock_guard lock(mutex_);
  std::vector<uint64_t> addresses;
  if (!groups_) return addresses;
  for (const WorkGroup *group : *groups_) std::ranges::copy(group->watched(), std::back_inserter(addresses));
  std::ranges::sort(addresses);
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  return addresses;
}

void SuspendedGroups::describe(Finding &finding, const PlaceNamer &place, const MemoryNamer &memory,
                               const std::function<Size3(uint64_t)> &id) const {
  constexpr size_t kMostTold = 16;
  std::lock_guard lock(mutex_);
  if (!groups_) return;
  std::vector<WorkGroup *> groups;
  for (const WorkGroup *group : *groups_) std::ranges::copy(group->members(), std::back_inserter(groups));
  std::ranges::sort(groups, {}, &WorkGroup::linearGroup);
  for (size_t first = 0, last; first < groups.size(); first = last) {
    std::vector<FoundWait> waits = groups[first]->waiting(place, memory);
    for (last = first + 1; last < groups.size(); ++last)
      if (groups[last]->linearGroup != groups[last - 1]->linearGroup + 1 ||
          groups[last]->waiting(place, memory) != waits)
        break;
    if (waits.empty()) continue;
    if ((finding.moreWait = finding.waitingGroups.size() == kMostTold)) return;
    finding.waitingGroups.push_back(
        {id(groups[first]->linearGroup), id(groups[last - 1]->linearGroup), std::move(waits)});
  }
}

void SuspendedGroups::release() {
  if (!groups_) return;
  for (WorkGroup *group : *groups_) group->release();
  groups_.reset();
}

} // namespace us::exec
