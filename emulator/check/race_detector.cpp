// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/check/race_detector.h"

#include "emulator/abi/kernel_abi.h"

#include <algorithm>

namespace us::check {
namespace {

using abi::AccessKind;

constexpr uint64_t kPageBytes = 4096;
/// Of cells, in all: about 1.2 GB.
constexpr size_t kMostPages = 10'000;

bool isWrite(AccessKind kind) { return kind != AccessKind::Read && kind != AccessKind::AtomicRead; }
bool isAtomic(AccessKind kind) { return kind >= AccessKind::AtomicRead; }

} // namespace

RaceDetector::Group &RaceDetector::groupOf(uint64_t number) {
  if (lastGroup_ && lastGroup_->number == number) return *lastGroup_;
  lastGroup_ = &groups_[number];
  lastGroup_->number = number;
  return *lastGroup_;
}

RaceDetector::Known &RaceDetector::knownTo(Group &group, uint32_t item) {
  if (item >= group.items.size()) group.items.resize(item + 1);
  return group.items[item];
}

RaceDetector::Page *RaceDetector::pageOf(uint64_t address, bool isWhole) {
  const uint64_t number = address / kPageBytes;
  if (number != lastNumber_) {
    auto known = pages_.find(number);
    if (known == pages_.end()) {
      if (pages_.size() == kMostPages) return nullptr;
      known = pages_.emplace(number, std::make_unique<Page>()).first;
      Page *page = known->second.get();
      page->cells.resize(kPageBytes >> page->shift);
    }
    lastNumber_ = number;
    lastPage_ = known->second.get();
  }
  if (isWhole || lastPage_->shift == 0) return lastPage_;
  // Somebody touches single bytes: from now on each has a cell of its own.
  std::vector<Cell> cells(kPageBytes);
  for (uint64_t byte = 0; byte < kPageBytes; ++byte) cells[byte] = lastPage_->cells[byte >> lastPage_->shift];
  lastPage_->cells = std::move(cells);
  lastPage_->shift = 0;
  return lastPage_;
}

bool RaceDetector::isOrdered(const Party &party, const Group &group, uint32_t item, bool isLocal) const {
  if (party.time == 0) return true;
  if (isCopy(party.item) && party.group == group.number) {
    if (isCopy(item) && party.time <= (isLocal ? group.localFence : group.globalFence)) return true;
    return std::ranges::find(group.incomplete, party.item - kFirstCopy) == group.incomplete.end();
  }
  const Known known = item < group.items.size() ? group.items[item] : Known();
  if (party.time <= std::max(group.orderedUpTo, known.all)) return true;
  // Local memory of a group that has ended is this one's now.
  if (party.group != group.number) return isLocal;
  const bool isOfSubGroup = party.item / subGroupSize_ == item / subGroupSize_;
  if (party.time <= (isOfSubGroup ? std::max(known.ofGroup, known.ofSubGroup) : known.ofGroup)) return true;
  return party.item == item || party.epoch < (isLocal ? group.localEpoch : group.globalEpoch);
}

void RaceDetector::remember(Cell &cell, const Party &party, const Group &group, bool isLocal) const {
  Party *const parties = isWrite(party.kind()) ? cell.writes : cell.reads;
  // Those of an earlier interval do not matter any more.
  parties[isOrdered(parties[0], group, party.item, isLocal) ? 0 : 1] = party;
}

bool RaceDetector::access(uint64_t number, uint32_t item, const abi::MemoryAccess &access, Race &race) {
  Group &group = groupOf(number);
  ++time_;
  if (isAtomic(access.kind) && access.isOrdering) {
    uint64_t &last = atomics_[access.address];
    uint64_t &known = knownTo(group, item).all;
    known = std::max(known, last);
    last = time_;
  }
  const bool isLocal = access.isLocal;
  // A compare-and-exchange that fails has only read.
  const bool fails = access.compares && access.hasValue && !access.isAsBefore;
  const AccessKind kind = fails ? AccessKind::AtomicRead : access.kind;
  const Party now(number, item, isLocal ? group.localEpoch : group.globalEpoch, time_, kind, access.site);
  const bool isWhole = access.address % 4 == 0 && access.bytes % 4 == 0;
  bool isRace = false;
  for (uint64_t at = access.address, end = at + access.bytes; at < end;) {
    Page *page = pageOf(at, isWhole);
    if (!page) break;
    Cell &cell = page->cells[at % kPageBytes >> page->shift];
    const auto conflicts = [&](const Party &party) {
      return (isWrite(kind) || isWrite(party.kind())) && !(isAtomic(kind) && isAtomic(party.kind())) &&
             !isOrdered(party, group, item, isLocal);
    };
    for (const Party *party : {&cell.writes[0], &cell.writes[1], &cell.reads[0], &cell.reads[1]}) {
      if (isRace || !conflicts(*party)) continue;
      isRace = true;
      race.now = {number, item, kind, access.site};
      race.before = {party->group, party->item, party->kind(), party->site()};
      race.address = access.address;
      race.isLocal = isLocal;
      race.bytes = uint32_t(access.bytes);
      race.sameValue = access.isAsBefore && access.kind == AccessKind::Write && party->kind() == AccessKind::Write;
    }
    remember(cell, now, group, isLocal);
    at += uint64_t(1) << page->shift;
  }
  return isRace;
}

void RaceDetector::forget(uint64_t begin, uint64_t size) {
  for (uint64_t at = begin, end = begin + size; at < end;) {
    const uint64_t next = std::min((at / kPageBytes + 1) * kPageBytes, end);
    if (const auto page = pages_.find(at / kPageBytes); page != pages_.end())
      for (uint64_t byte = at; byte < next; ++byte) page->second->cells[byte % kPageBytes >> page->second->shift] = {};
    at = next;
  }
}

void RaceDetector::barrier(uint64_t number, uint32_t fences) {
  Group &group = groupOf(number);
  if (fences & abi::kLocalFence) ++group.localEpoch;
  if (fences & abi::kGlobalFences) ++group.globalEpoch;
  // What one of them knows to be before it, all do now.
  for (const Known &known : group.items) group.orderedUpTo = std::max(group.orderedUpTo, known.all);
}

void RaceDetector::fenceCopies(uint64_t number, uint32_t fences) {
  Group &group = groupOf(number);
  if (fences & abi::kLocalFence) group.localFence = time_;
  if (fences & abi::kGlobalFences) group.globalFence = time_;
}

void RaceDetector::meet(uint64_t number, std::span<const uint32_t> items, abi::Meeting meeting) {
  Group &group = groupOf(number);
  Known together;
  for (uint32_t item : items) {
    const Known &known = knownTo(group, item);
    together.all = std::max(together.all, known.all);
    together.ofGroup = std::max(together.ofGroup, known.ofGroup);
  }
  (meeting == abi::Meeting::OfSubGroup ? together.ofSubGroup : together.ofGroup) = time_;
  for (uint32_t item : items) {
    Known &known = knownTo(group, item);
    known = {together.all, together.ofGroup, std::max(known.ofSubGroup, together.ofSubGroup)};
  }
}

} // namespace us::check
