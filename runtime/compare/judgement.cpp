// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compare/judgement.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace us::compare {
namespace {

constexpr uint64_t kBlock = 4096;

class Judge {
public:
  Judge(const Outputs &outputs, const Layout &layout, const Tolerance &tolerance)
      : outputs_(outputs), layout_(layout), tolerance_(tolerance) {}

  Judgement run() {
    const uint64_t size = outputs_.reference.size(), lane = layout_.type.size;
    const uint64_t begin = std::min(layout_.origin % lane, size), end = begin + (size - begin) / lane * lane;
    bytes(0, begin);
    for (uint64_t at = begin; at < end;) {
      const uint64_t until = std::min(at + kBlock / lane * lane, end);
      if (isSame(at, until - at))
        result_.elements += (until - at) / lane;
      else
        for (uint64_t one = at; one < until; one += lane) look(layout_.type.kind, one, lane);
      at = until;
    }
    bytes(end, size);
    return std::move(result_);
  }

private:
  bool isSteady(uint64_t at, uint64_t size) const {
    return outputs_.unsteady.empty() ||
           std::ranges::all_of(outputs_.unsteady.subspan(at, size), [](std::byte byte) { return byte == std::byte{}; });
  }
  bool isSame(uint64_t at, uint64_t size) const {
    return std::memcmp(outputs_.reference.data() + at, outputs_.candidate.data() + at, size) == 0 && isSteady(at, size);
  }

  /// Where no whole element has room.
  void bytes(uint64_t begin, uint64_t end) {
    for (uint64_t at = begin; at < end; ++at) look(ElementKind::Unsigned, at, 1);
  }

  void look(ElementKind kind, uint64_t at, uint64_t size) {
    ++result_.elements;
    if (isSame(at, size)) return;
    const ElementType &type = layout_.type;
    const int64_t away = static_cast<int64_t>(at) - static_cast<int64_t>(layout_.origin);
    const int64_t width = int64_t(type.size) * type.stride;
    const int64_t element = away >= 0 ? away / width : -((width - 1 - away) / width);
    const auto lane = static_cast<uint32_t>((away - element * width) / type.size);
    if (lane >= type.lanes) return; // the room behind a vector of three
    if (!isSteady(at, size)) {
      ++result_.unsteady;
      return;
    }
    const std::byte *const reference = outputs_.reference.data() + at, *const candidate =
                                                                           outputs_.candidate.data() + at;
    std::optional<uint64_t> ulps;
    if (kind == ElementKind::Float) ulps = ulpDistance(type.size, reference, candidate);
    if (kind == ElementKind::Float ? isNear(type.size, reference, candidate)
                                   : kind == ElementKind::Unknown && isNearUnknown(at)) {
      ++result_.tolerated;
      if (ulps && *ulps != kFarApart) result_.largestUlps = std::max(result_.largestUlps, *ulps);
      return;
    }
    ++result_.differing;
    if (result_.first.size() == kMostDifferences) return;
    const auto bytesOf = static_cast<uint32_t>(size);
    if (ulps == kFarApart) ulps.reset();
    result_.first.push_back({element, lane, textOf(kind, bytesOf, reference), textOf(kind, bytesOf, candidate), ulps});
  }

  bool isNear(uint32_t size, const std::byte *reference, const std::byte *candidate) const {
    const uint64_t distance = ulpDistance(size, reference, candidate);
    if (distance <= (size == 2 ? tolerance_.ulps / 4 : tolerance_.ulps)) return true;
    if (distance == kFarApart) return false;
    if (tolerance_.flushesDenormals && isBelowNormal(size, reference) && isBelowNormal(size, candidate)) return true;
    const double a = floatValue(size, reference), b = floatValue(size, candidate), apart = std::fabs(a - b);
    return apart <= tolerance_.absolute || (std::isfinite(apart) && apart <= tolerance_.relative * std::fabs(a));
  }

  /// Nobody says what the word is: it, or the pair of words that it is in, may be a float.
  bool isNearUnknown(uint64_t at) const {
    if (isNearIfFloat(at, 4)) return true;
    const uint64_t pair = at - (at - layout_.origin % 8) % 8;
    return at >= layout_.origin % 8 && pair + 8 <= outputs_.reference.size() && isNearIfFloat(pair, 8);
  }
  bool isNearIfFloat(uint64_t at, uint32_t size) const {
    const std::byte *const reference = outputs_.reference.data() + at, *const candidate =
                                                                           outputs_.candidate.data() + at;
    return looksLikeFloat(size, reference) && looksLikeFloat(size, candidate) && isNear(size, reference, candidate);
  }

  const Outputs &outputs_;
  const Layout &layout_;
  const Tolerance &tolerance_;
  Judgement result_;
};

/// The whole elements, in an order that does not depend on where they lie.
std::vector<std::span<const std::byte>> sortedElements(std::span<const std::byte> memory, const Layout &layout) {
  const uint64_t width = uint64_t(layout.type.size) * layout.type.stride;
  std::vector<std::span<const std::byte>> elements;
  for (uint64_t at = layout.origin % width; at + width <= memory.size(); at += width)
    elements.push_back(memory.subspan(at, width));
  std::ranges::sort(elements, [](const auto &a, const auto &b) { return std::ranges::lexicographical_compare(a, b); });
  return elements;
}

bool holdSameElements(const Outputs &outputs, const Layout &layout) {
  const uint64_t width = uint64_t(layout.type.size) * layout.type.stride, size = outputs.reference.size();
  const uint64_t begin = std::min(layout.origin % width, size), end = size - (size - begin) % width;
  const auto isSame = [&](uint64_t from, uint64_t until) {
    return std::ranges::equal(outputs.reference.subspan(from, until - from),
                              outputs.candidate.subspan(from, until - from));
  };
  // No element has room at the ends.
  if (!isSame(0, begin) || !isSame(end, size)) return false;
  return std::ranges::equal(sortedElements(outputs.reference, layout), sortedElements(outputs.candidate, layout),
                            [](const auto &a, const auto &b) { return std::ranges::equal(a, b); });
}

} // namespace

Judgement judge(const Outputs &outputs, const Layout &layout, const Tolerance &tolerance, bool mayReorder) {
  Judgement judgement = Judge(outputs, layout, tolerance).run();
  if (judgement.differing && mayReorder && holdSameElements(outputs, layout)) {
    judgement.reordered = std::exchange(judgement.differing, 0);
    judgement.first.clear();
  }
  return judgement;
}

} // namespace us::compare
