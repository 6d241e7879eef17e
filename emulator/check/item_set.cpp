// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/check/item_set.h"

#include <algorithm>

namespace us::check {
namespace {

constexpr size_t kMostGroups = 4096; ///< that are kept
constexpr size_t kMostParts = 4;     ///< that are told

std::string idText(uint64_t linear, const Size3 &size, uint32_t dimensions) {
  if (dimensions == 1) return std::to_string(linear);
  std::string text = "(";
  for (uint32_t i = 0; i < dimensions; ++i) {
    text += (i ? "," : "") + std::to_string(i + 1 < dimensions ? linear % size[i] : linear);
    linear /= std::max<uint64_t>(size[i], 1);
  }
  return text + ")";
}

std::string rangeText(uint64_t from, uint64_t last, const Size3 &size, uint32_t dimensions) {
  const std::string text = idText(from, size, dimensions);
  return from == last ? text : text + (dimensions == 1 ? "-" : " to ") + idText(last, size, dimensions);
}

} // namespace

void ItemSet::add(uint64_t group, uint64_t item) {
  auto found = groups_.find(group);
  if (found == groups_.end() && groups_.size() == kMostGroups) {
    ++size_;
    hasMore_ = true;
    return;
  }
  Ranges &ranges = groups_[group];
  auto after = std::ranges::upper_bound(ranges, item, {}, &std::pair<uint64_t, uint64_t>::first);
  const auto before = after == ranges.begin() ? ranges.end() : std::prev(after);
  if (before != ranges.end() && item < before->second) return;
  ++size_;
  const bool extends = before != ranges.end() && before->second == item;
  const bool precedes = after != ranges.end() && after->first == item + 1;
  if (extends && precedes) {
    before->second = after->second;
    ranges.erase(after);
  } else if (extends) {
    ++before->second;
  } else if (precedes) {
    --after->first;
  } else {
    ranges.insert(after, {item, item + 1});
  }
}

void ItemSet::add(const ItemSet &other) {
  for (const auto &[group, ranges] : other.groups_)
    for (const auto &[from, upTo] : ranges)
      for (uint64_t item = from; item < upTo; ++item) add(group, item);
}

bool ItemSet::isIn(const ItemSet &other) const {
  if (size_ > other.size_ || hasMore_) return false;
  return std::ranges::all_of(groups_, [&](const auto &one) {
    const auto at = other.groups_.find(one.first);
    return at != other.groups_.end() && std::ranges::all_of(one.second, [&](const auto &range) {
             return std::ranges::any_of(at->second, [&](const auto &around) {
               return around.first <= range.first && range.second <= around.second;
             });
           });
  });
}

bool ItemSet::hasGroupsOf(const ItemSet &other) const {
  return !hasMore_ && std::ranges::all_of(groups_, [&](const auto &one) { return other.groups_.contains(one.first); });
}

std::vector<uint64_t> ItemSet::itemsOfFirstGroup() const {
  std::vector<uint64_t> items;
  if (groups_.empty()) return items;
  for (const auto &[from, upTo] : groups_.begin()->second)
    for (uint64_t item = from; item < upTo; ++item) items.push_back(item);
  return items;
}

std::string ItemSet::text(const LaunchShape &shape) const {
  std::string text;
  size_t parts = 0;
  bool more = hasMore_;
  for (auto group = groups_.begin(); group != groups_.end();) {
    auto last = group, next = std::next(group);
    while (next != groups_.end() && next->first == last->first + 1 && next->second == group->second) last = next++;
    if (parts++ == kMostParts) {
      more = true;
      break;
    }
    std::string items;
    size_t ranges = 0;
    for (const auto &[from, upTo] : group->second) {
      if (ranges++ == kMostParts) {
        items += ", …";
        break;
      }
      items += (items.empty() ? "" : ", ") + rangeText(from, upTo - 1, shape.localSize, shape.dimensions);
    }
    const bool isOne = group->second.size() == 1 && group->second[0].second - group->second[0].first == 1;
    text += (text.empty() ? "" : "; ") + std::string(isOne ? "work-item " : "work-items ") + items + " of work-group" +
            (group == last ? " " : "s ") + rangeText(group->first, last->first, shape.numGroups, shape.dimensions);
    group = next;
  }
  return more ? text + "; and others" : text;
}

} // namespace us::check
