// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/check/race_detector.h"

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

uint64_t &RaceDetector::orderedUpTo(Group &group, uint32_t item) {
  if (item >= group.itemOrderedUpTo.size()) group.itemOrderedUpTo.resize(item + 1, group.orderedUpTo);
  return group.itemOrderedUpTo[item];
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

bool RaceDetector::isOrdered(const Party &party, const Group &group, uint32_t item, bool isLocal) {
  if (party.time == 0) return true;
  if (isCopy(party.item) && party.group == group.number)
    return std::ranges::find(group.incomplete, party.item - kFirstCopy) == group.incomplete.end();
  const bool isKnown = item < group.itemOrderedUpTo.size();
  if (party.time <= (isKnown ? group.itemOrderedUpTo[item] : group.orderedUpTo)) return true;
  // Local memory of a group that has ended is this one's now.
  if (party.group != group.number) return isLocal;
  return party.item == item || party.epoch < (isLocal ? group.localEpoch : group.globalEpoch);
}

void RaceDetector::remember(Cell &cell, const Party &party, const Group &group, bool isLocal) {
  if (isWrite(party.kind)) {
    cell.write = party;
    return;
  }
  // Readers of an earlier interval do not matter any more.
  if (isOrdered(cell.reads[0], group, party.item, isLocal)) {
    cell.reads[0] = party;
    return;
  }
  cell.reads[1] = party;
}

bool RaceDetector::access(uint64_t number, uint32_t item, const abi::MemoryAccess &access, Race &race) {
  Group &group = groupOf(number);
  ++time_;
  if (isAtomic(access.kind) && access.isOrdering) {
    uint64_t &last = atomics_[access.address];
    uint64_t &known = orderedUpTo(group, item);
    known = std::max(known, last);
    last = time_;
  }
  const bool isLocal = access.isLocal;
  // A compare-and-exchange that fails has only read.
  const bool fails = access.compares && access.hasValue && access.before != access.value;
  const AccessKind kind = fails ? AccessKind::AtomicRead : access.kind;
  const Party now{number, item, isLocal ? group.localEpoch : group.globalEpoch, time_, access.site, kind};
  const bool isWhole = access.address % 4 == 0 && access.bytes % 4 == 0;
  const Party *other = nullptr;
  for (uint64_t at = access.address, end = at + access.bytes; at < end;) {
    Page *page = pageOf(at, isWhole);
    if (!page) break;
    Cell &cell = page->cells[at % kPageBytes >> page->shift];
    const auto conflicts = [&](const Party &party) {
      return (isWrite(now.kind) || isWrite(party.kind)) && !(isAtomic(now.kind) && isAtomic(party.kind)) &&
             !isOrdered(party, group, item, isLocal);
    };
    if (!other && conflicts(cell.write)) other = &cell.write;
    for (const Party &read : cell.reads)
      if (!other && conflicts(read)) other = &read;
    if (other) {
      race.now = {now.group, now.item, now.kind, now.site};
      race.before = {other->group, other->item, other->kind, other->site};
      race.address = access.address;
      race.isLocal = isLocal;
      race.bytes = uint32_t(access.bytes);
      race.sameValue = access.hasValue && access.kind == AccessKind::Write && other->kind == AccessKind::Write &&
                       access.before == access.value;
    }
    remember(cell, now, group, isLocal);
    at += uint64_t(1) << page->shift;
  }
  return other != nullptr;
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
  for (uint64_t known : group.itemOrderedUpTo) group.orderedUpTo = std::max(group.orderedUpTo, known);
  group.itemOrderedUpTo.clear();
}

void RaceDetector::meet(uint64_t number, const std::vector<uint32_t> &items) {
  for (uint32_t item : items) orderedUpTo(groupOf(number), item) = time_;
}

} // namespace us::check
