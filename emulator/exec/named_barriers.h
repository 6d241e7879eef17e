// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sixteen barriers of a block that PTX knows by number: who has come to each, and whether those are enough.
#pragma once

#include "emulator/abi/kernel_abi.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace us::exec {

class NamedBarriers {
public:
  static constexpr uint32_t kCount = 16;
  struct Outcome {
    uint32_t trues = 0;  ///< of the predicates of those that reduce
    bool allTrue = true; ///< of these
  };

  /// Nobody is at any of them. The group has so many work-items.
  void begin(uint64_t items);
  /// `threads`: how many are waited for; 0: all of the group. True if some of those at the barrier reduce predicates
  /// and others do not.
  bool arrive(uint32_t number, uint32_t threads, uint32_t item, abi::BarrierUse use, bool predicate);
  bool anyoneArrived() const { return arrivals_ != 0; }
  /// If enough have come: what the predicates came to; nobody is at the barrier any more. `ended` has a bit for each
  /// work-item that has ended or does not exist, 32 of a word. "The arrival count is incremented by the warp size":
  /// those that have ended count with the others of their warp.
  std::optional<Outcome> complete(uint32_t number, std::span<const uint32_t> ended);

private:
  struct Barrier {
    std::vector<uint32_t> arrived; ///< by warps
    uint32_t threads = 0, arrivals = 0;
    bool reduces = false, onlyWaits = false; ///< some do
    Outcome outcome;
  };
  std::vector<Barrier> barriers_; ///< made when first used
  uint64_t warps_ = 0, arrivals_ = 0;
};

} // namespace us::exec
