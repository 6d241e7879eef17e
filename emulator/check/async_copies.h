// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous copies of one launch (OpenCL C 3.1, 6.15.13): each is made by a whole work-group, by one call in each of
// its work-items, and somebody has to wait for it.
#pragma once

#include "emulator/abi/launch_checks.h"
#include "emulator/check/item_set.h"

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace us::check {

class AsyncCopies {
public:
  enum class Mistake : uint8_t {
    NotReachedByAll,
    DifferentArguments,
    NotWaitedFor,
    DifferentEvents,
    NoEvent,
    FenceNotReachedByAll,
    DifferentFences
  };
  /// Where it is made, and which.
  using Place = std::pair<const char *, Mistake>;

  struct Copy {
    uint64_t event = 0;   ///< what the call returns: the same in all work-items
    uint32_t number = 0;  ///< of the launch's, from 0 on
    bool isFirst = false; ///< of its group's work-items
  };
  /// A work-item of a group of `items` has called.
  Copy copied(uint64_t group, uint64_t item, uint64_t items, const abi::AsyncCopy &copy);
  /// The same of a fence; true: it is the first of its group's work-items.
  bool fenced(uint64_t group, uint64_t item, uint64_t items, uint32_t fences, const char *site);
  /// The same of a wait; returned are the copies that are complete from now on.
  std::vector<uint32_t> awaited(uint64_t group, uint64_t item, uint64_t items, std::span<const uint64_t> events,
                                const char *site);
  /// After the launch, which has `ended`, or was ended: who made which mistake.
  const std::map<Place, ItemSet> &mistakes(bool ended);

private:
  /// What the work-items of a group do together: the n-th of their calls at one place.
  struct Call {
    bool isWait = false, isFence = false, isListed = false, isAwaited = false;
    uint32_t fences = 0;          ///< of a fence
    abi::AsyncCopy copy;          ///< with the event that it returns
    uint64_t givenEvent = 0;      ///< the one that it was given
    std::vector<uint64_t> events; ///< of a wait
    uint32_t number = 0;
    uint64_t arrived = 0;
    std::vector<bool> isThere; ///< by work-item
  };
  struct Group {
    std::map<const char *, std::vector<uint32_t>> calls; ///< by place and work-item: how many
    std::map<std::pair<const char *, uint32_t>, Call> open;
  };
  Call &arrive(Group &group, uint64_t item, uint64_t items, const char *site);

  std::map<uint64_t, Group> groups_;
  std::map<Place, ItemSet> mistakes_;
  uint32_t count_ = 0;
};

} // namespace us::check
