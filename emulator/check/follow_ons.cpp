// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/check/follow_ons.h"

#include <algorithm>
#include <optional>

namespace us::check {
namespace {

bool takesValueOf(const CheckFinding &effect, const CheckFinding &cause) {
  const SourcePlace &read = cause.place.place;
  return cause.checkClass == "memory" && effect.items.isIn(cause.items) &&
         std::ranges::find(effect.reads, std::pair<uint64_t, uint64_t>(read.line, read.column)) != effect.reads.end();
}

bool usesUnwritten(const CheckFinding &effect, const CheckFinding &cause) {
  return cause.checkClass == "uninitialized" && (effect.checkClass == "memory" || effect.checkClass == "arithmetic") &&
         cause.place.place.line != 0 && effect.place.place == cause.place.place && effect.items.isIn(cause.items);
}

bool missesBarrier(const CheckFinding &effect, const CheckFinding &cause) {
  return cause.checkClass == "barriers" && effect.isOfLocal && effect.items.hasGroupsOf(cause.items);
}

/// Read before it was written, as nothing orders the two.
bool readsTooEarly(const CheckFinding &effect, const CheckFinding &cause) {
  const auto isIn = [&](const FoundPlace &side) {
    return side.place.line == effect.place.place.line && side.place.file == effect.place.place.file;
  };
  return cause.checkClass == "races" && cause.isOfLocal && effect.checkClass == "uninitialized" && effect.isOfLocal &&
         (isIn(cause.place) || isIn(cause.second)) && effect.items.hasGroupsOf(cause.items);
}

/// Which of all it follows from; the first access that was left out comes before what is made of its value.
std::optional<size_t> causeOf(const std::vector<CheckFinding> &all, size_t effect) {
  for (size_t cause = 0; cause < all.size(); ++cause) {
    if (cause == effect) continue;
    if (cause < effect && takesValueOf(all[effect], all[cause])) return cause;
    if (usesUnwritten(all[effect], all[cause]) || missesBarrier(all[effect], all[cause]) ||
        readsTooEarly(all[effect], all[cause]))
      return cause;
  }
  return {};
}

} // namespace

std::vector<CheckFinding> withFollowOns(std::vector<CheckFinding> all) {
  constexpr size_t kMost = 500; // of more, nobody reads
  if (all.size() > kMost) return all;
  std::vector<size_t> root(all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    size_t at = i;
    while (const std::optional<size_t> cause = causeOf(all, at)) at = *cause;
    root[i] = at;
  }
  std::vector<CheckFinding> left;
  std::vector<size_t> place(all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    if (root[i] != i) continue;
    place[i] = left.size();
    left.push_back(all[i]);
  }
  for (size_t i = 0; i < all.size(); ++i)
    if (root[i] != i) left[place[root[i]]].followOns.push_back(std::move(all[i]));
  return left;
}

} // namespace us::check
