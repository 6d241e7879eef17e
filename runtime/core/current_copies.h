// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CurrentCopies: which of several copies of a buffer have its contents, by range. Numbers only: it knows no memory.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>

namespace us::core {

/// A set of copies, one bit each. Empty: nobody has written there yet.
using CopySet = uint64_t;

/// Not thread-safe by itself: Buffer guards it.
class CurrentCopies {
public:
  /// Calls `visit(begin, end, copies)` for each part of [begin, end) that has one answer, in order.
  template <class Visit> void visit(uint64_t begin, uint64_t end, Visit visit) const {
    if (sets_.empty()) {
      if (begin < end) visit(begin, end, CopySet{0});
      return;
    }
    auto at = std::prev(sets_.upper_bound(begin));
    while (begin < end) {
      const auto next = std::next(at);
      const uint64_t stop = next == sets_.end() || next->first > end ? end : next->first;
      visit(begin, stop, at->second);
      begin = stop;
      at = next;
    }
  }
  void set(uint64_t begin, uint64_t end, CopySet copies) {
    if (begin >= end) return;
    if (sets_.empty()) sets_[0] = 0;
    const CopySet after = std::prev(sets_.upper_bound(end))->second;
    sets_.erase(sets_.lower_bound(begin), sets_.upper_bound(end));
    sets_[begin] = copies;
    sets_[end] = after;
    // Neighbours that say the same are one.
    auto at = sets_.find(end);
    if (at->second == copies) sets_.erase(at);
    at = sets_.find(begin);
    if (at != sets_.begin() && std::prev(at)->second == copies) sets_.erase(at);
  }
  size_t parts() const { return sets_.size(); } ///< for tests

private:
  std::map<uint64_t, CopySet> sets_; ///< from each key up to the next; none: 0 everywhere, as in most buffers
};

} // namespace us::core
