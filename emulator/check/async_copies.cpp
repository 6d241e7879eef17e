// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/check/async_copies.h"

#include <algorithm>
#include <tuple>

namespace us::check {

AsyncCopies::Call &AsyncCopies::arrive(Group &group, uint64_t item, uint64_t items, const char *site) {
  std::vector<uint32_t> &calls = group.calls[site];
  calls.resize(items);
  Call &call = group.open[{site, calls[item]++}];
  call.isThere.resize(items);
  call.isThere[item] = true;
  ++call.arrived;
  return call;
}

AsyncCopies::Copy AsyncCopies::copied(uint64_t number, uint64_t item, uint64_t items, const abi::AsyncCopy &copy) {
  Call &call = arrive(groups_[number], item, items, copy.site);
  const bool isFirst = call.arrived == 1;
  if (isFirst) {
    call.number = count_++;
    call.copy = copy;
    call.givenEvent = copy.event;
    // "If the event argument supplied is non-zero, the event object supplied in event argument will be returned."
    if (copy.event == 0) call.copy.event = count_;
  }
  const auto arguments = [](const abi::AsyncCopy &of) {
    return std::tuple(of.to, of.from, of.bytes, of.elements, of.lines, of.planes);
  };
  // "must be encountered by all work-items in a work-group executing the kernel with the same argument values"
  if (arguments(copy) != arguments(call.copy) || copy.event != call.givenEvent)
    mistakes_[{copy.site, Mistake::DifferentArguments}].add(number, item);
  return {call.copy.event, call.number, isFirst};
}

bool AsyncCopies::fenced(uint64_t number, uint64_t item, uint64_t items, uint32_t fences, const char *site) {
  Group &group = groups_[number];
  Call &call = arrive(group, item, items, site);
  const bool isFirst = call.arrived == 1;
  if (isFirst) {
    call.isFence = true;
    call.fences = fences;
  }
  // "must therefore be encountered by all work-items in a work-group executing the kernel with the same argument
  // values"
  if (fences != call.fences) mistakes_[{site, Mistake::DifferentFences}].add(number, item);
  if (call.arrived == items) std::erase_if(group.open, [&](const auto &one) { return &one.second == &call; });
  if (group.open.empty()) groups_.erase(number);
  return isFirst;
}

std::vector<uint32_t> AsyncCopies::awaited(uint64_t number, uint64_t item, uint64_t items,
                                           std::span<const uint64_t> events, const char *site) {
  Group &group = groups_[number];
  Call &call = arrive(group, item, items, site);
  const auto isIn = [](std::span<const uint64_t> list, uint64_t event) {
    return std::ranges::find(list, event) != list.end();
  };
  const auto forEachListed = [&](std::span<const uint64_t> list, auto use) {
    for (auto &[where, other] : group.open)
      if (!other.isWait && !other.isFence && isIn(list, other.copy.event)) use(other);
  };
  if (call.arrived == 1) {
    call.isWait = true;
    call.events.assign(events.begin(), events.end());
    forEachListed(events, [](Call &copy) { copy.isListed = true; });
  }
  // "with the same num_events and event objects specified in event_list"
  if (!std::ranges::equal(events, call.events)) mistakes_[{site, Mistake::DifferentEvents}].add(number, item);
  for (uint64_t event : events) {
    bool isKnown = event != 0 && event <= count_;
    forEachListed({&event, 1}, [&](Call &) { isKnown = true; });
    if (!isKnown) mistakes_[{site, Mistake::NoEvent}].add(number, item);
  }
  std::vector<uint32_t> complete;
  if (call.arrived != items) return complete;
  forEachListed(call.events, [&](Call &copy) {
    copy.isAwaited = true;
    complete.push_back(copy.number);
  });
  // What all have come to, and is over, is forgotten.
  std::erase_if(group.open, [&](const auto &one) {
    return one.second.arrived == items && (one.second.isWait || one.second.isAwaited);
  });
  if (group.open.empty()) groups_.erase(number);
  return complete;
}

const std::map<AsyncCopies::Place, ItemSet> &AsyncCopies::mistakes(bool ended) {
  for (const auto &[number, group] : groups_)
    for (const auto &[where, call] : group.open) {
      // Waits that not all come to are barriers that not all come to.
      if (!ended || call.isWait) continue;
      const bool isReached = call.arrived == call.isThere.size();
      // "The kernel must wait for the completion of all async copies using the wait_group_events built-in function
      // before exiting; otherwise the behavior is undefined."
      const Mistake mistake = call.isFence ? Mistake::FenceNotReachedByAll
                              : isReached  ? Mistake::NotWaitedFor
                                           : Mistake::NotReachedByAll;
      if (isReached && call.isListed) continue;
      for (uint64_t item = 0; item < call.isThere.size(); ++item)
        if (call.isThere[item] == isReached) mistakes_[{where.first, mistake}].add(number, item);
    }
  groups_.clear();
  return mistakes_;
}

} // namespace us::check
