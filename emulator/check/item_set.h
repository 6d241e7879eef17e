// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which work-items of a launch: kept in little memory, said in few words.
#pragma once

#include "runtime/base/geometry.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace us::check {

/// The shape of a launch, as far as names of work-items depend on it.
struct LaunchShape {
  uint32_t dimensions = 1;
  Size3 localSize{1, 1, 1}, numGroups{1, 1, 1};
};

class ItemSet {
public:
  /// Both linear, dimension 0 fastest.
  void add(uint64_t group, uint64_t item);
  void add(const ItemSet &other);
  /// Whether all of it is in another set, as far as that is known.
  bool isIn(const ItemSet &other) const;
  /// Whether all of its groups are in another set.
  bool hasGroupsOf(const ItemSet &other) const;
  uint64_t size() const { return size_; }
  /// The first group that has any, and which of its work-items.
  uint64_t firstGroup() const { return groups_.empty() ? 0 : groups_.begin()->first; }
  std::vector<uint64_t> itemsOfFirstGroup() const;
  /// "work-items 16-31 of work-groups 0-7; …": ids in so many dimensions as the launch has.
  std::string text(const LaunchShape &shape) const;

private:
  using Ranges = std::vector<std::pair<uint64_t, uint64_t>>; ///< from and up to, in order
  std::map<uint64_t, Ranges> groups_;
  uint64_t size_ = 0;
  bool hasMore_ = false; ///< there are groups that are not kept
};

} // namespace us::check
