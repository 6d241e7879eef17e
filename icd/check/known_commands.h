// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which commands are known to have ended: to the host, or to a command that comes after them.
#pragma once

#include <cstdint>
#include <map>
#include <set>

namespace us::icd {

class KnownCommands {
public:
  void add(uint64_t queue, uint64_t number) {
    OfQueue &known = queues_[queue];
    if (number < known.before) return;
    known.more.insert(number);
    known.settle();
  }
  void join(const KnownCommands &others) {
    for (const auto &[queue, other] : others.queues_) {
      OfQueue &known = queues_[queue];
      if (other.before > known.before) known.before = other.before;
      known.more.insert(other.more.begin(), other.more.end());
      known.settle();
    }
  }
  bool has(uint64_t queue, uint64_t number) const {
    const auto known = queues_.find(queue);
    return known != queues_.end() && (number < known->second.before || known->second.more.contains(number));
  }

private:
  struct OfQueue {
    uint64_t before = 0;     ///< all of these
    std::set<uint64_t> more; ///< and these
    void settle() {
      more.erase(more.begin(), more.lower_bound(before));
      while (!more.empty() && *more.begin() == before) more.erase(more.begin()), ++before;
    }
  };
  std::map<uint64_t, OfQueue> queues_;
};

} // namespace us::icd
