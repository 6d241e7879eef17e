// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Races of one launch: two accesses of the same bytes by different work-items, one of them at least a write that is not
// atomic, and nothing orders them. The work-groups run one after the other on one thread, so every access has its place
// in one order; whether another order would also do is asked of each pair.
#pragma once

#include "emulator/abi/launch_checks.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace us::check {

/// One side of a race.
struct RaceParty {
  uint64_t group = 0;
  uint32_t item = 0;
  abi::AccessKind kind = abi::AccessKind::Read;
  const char *site = nullptr;
};

struct Race {
  RaceParty now, before;
  uint64_t address = 0;
  uint32_t bytes = 0; ///< of the access now
  bool isLocal = false;
  bool sameValue = false; ///< both write the same
};

/// Orders that it knows: a work-item's own; barriers, by the kind of memory that their fence is for; what was done
/// before an atomic operation, for who does another one on the same address later, if these are acquire, release or the
/// kernel has fences; operations of sub-groups, and barriers with a number. The last three count for more than the
/// languages say: races may be missed, none is invented.
class RaceDetector {
public:
  explicit RaceDetector(uint32_t subGroupSize = 32) : subGroupSize_(subGroupSize) {}
  /// True if it races with an earlier one, which `race` then tells. Of memory beyond the first pages nothing is known.
  bool access(uint64_t group, uint32_t item, const abi::MemoryAccess &access, Race &race);
  /// Takes the place of a work-item in what an asynchronous copy, the n-th of its launch, touches. It is ordered before
  /// nothing of its group until it is complete.
  static uint32_t itemOfCopy(uint32_t number) { return kFirstCopy + number; }
  static bool isCopy(uint32_t item) { return item >= kFirstCopy; }
  void begin(uint64_t group, uint32_t copy) { groupOf(group).incomplete.push_back(copy); }
  void complete(uint64_t group, uint32_t copy) { std::erase(groupOf(group).incomplete, copy); }
  /// What a group's copies have done before is ordered before what later ones do; `fences` as us.barrier has them.
  void fenceCopies(uint64_t group, uint32_t fences);
  /// What was there before is no longer.
  void forget(uint64_t begin, uint64_t size);
  /// All of a group have passed a barrier; `fences` as us.barrier has them.
  void barrier(uint64_t group, uint32_t fences);
  /// Work-items of a group go on together, who have waited for each other, or for all of the group that have come.
  void meet(uint64_t group, std::span<const uint32_t> items, abi::Meeting meeting);

private:
  static constexpr uint32_t kFirstCopy = 0x8000'0000;
  /// Who touched some bytes, and when.
  struct Party {
    Party() = default;
    Party(uint64_t group, uint32_t item, uint32_t epoch, uint64_t time, abi::AccessKind kind, const char *site)
        : group(group), item(item), epoch(epoch), time(time),
          place(uint64_t(kind) << kKindShift | reinterpret_cast<uint64_t>(site)) {}
    abi::AccessKind kind() const { return abi::AccessKind(place >> kKindShift); }
    const char *site() const { return reinterpret_cast<const char *>(place & ((uint64_t(1) << kKindShift) - 1)); }

    uint64_t group = 0;
    uint32_t item = 0, epoch = 0;
    uint64_t time = 0; ///< 0: nobody

  private:
    static constexpr unsigned kKindShift = 56;
    uint64_t place = 0;
  };
  /// The first and the last one that are in no order, if they are two.
  struct Cell {
    Party writes[2], reads[2];
  };
  struct Page {
    uint32_t shift = 2; ///< cells of 1 << shift bytes
    std::vector<Cell> cells;
  };
  /// Up to which times what was done is ordered before what a work-item does now.
  struct Known {
    uint64_t all = 0, ofGroup = 0, ofSubGroup = 0;
  };
  /// A work-group, and what is ordered before all of it, or before some of its work-items.
  struct Group {
    uint64_t number = 0;
    uint32_t localEpoch = 1, globalEpoch = 1;
    uint64_t orderedUpTo = 0;                 ///< a time
    std::vector<uint32_t> incomplete;         ///< copies
    uint64_t localFence = 0, globalFence = 0; ///< times up to which copies are ordered before later ones
    std::vector<Known> items;                 ///< as far as anything is known of one alone
  };

  Page *pageOf(uint64_t address, bool isWhole);
  Group &groupOf(uint64_t number);
  static Known &knownTo(Group &group, uint32_t item);
  bool isOrdered(const Party &party, const Group &group, uint32_t item, bool isLocal) const;
  void remember(Cell &cell, const Party &party, const Group &group, bool isLocal) const;

  uint32_t subGroupSize_;
  uint64_t time_ = 0;
  /// All that have begun: one that waits for others may be set aside.
  std::unordered_map<uint64_t, Group> groups_;
  Group *lastGroup_ = nullptr;
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages_;
  std::unordered_map<uint64_t, uint64_t> atomics_; ///< by address: when the last atomic operation was
  uint64_t lastNumber_ = ~uint64_t(0);
  Page *lastPage_ = nullptr;
};

} // namespace us::check
