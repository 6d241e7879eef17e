// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/exec/named_barriers.h"

#include <bit>

namespace us::exec {

void NamedBarriers::begin(uint64_t items) {
  warps_ = (items + abi::kWarpSize - 1) / abi::kWarpSize;
  if (arrivals_) barriers_.clear();
  arrivals_ = 0;
}

bool NamedBarriers::arrive(uint32_t number, uint32_t threads, uint32_t item, abi::BarrierUse use, bool predicate) {
  if (barriers_.empty()) barriers_.resize(kCount);
  Barrier &barrier = barriers_[number];
  barrier.arrived.resize(warps_);
  barrier.arrived[item / abi::kWarpSize] |= 1u << item % abi::kWarpSize;
  barrier.threads = threads;
  ++barrier.arrivals;
  ++arrivals_;
  const bool onlyWaits = use == abi::BarrierUse::Sync || use == abi::BarrierUse::Arrive;
  (onlyWaits ? barrier.onlyWaits : barrier.reduces) = true;
  if (!onlyWaits) {
    barrier.outcome.trues += predicate;
    barrier.outcome.allTrue &= predicate;
  }
  return barrier.onlyWaits && barrier.reduces;
}

std::optional<NamedBarriers::Outcome> NamedBarriers::complete(uint32_t number, std::span<const uint32_t> ended) {
  if (barriers_.empty() || barriers_[number].arrivals == 0) return std::nullopt;
  Barrier &barrier = barriers_[number];
  uint64_t present = 0;
  const uint64_t wanted = barrier.threads ? barrier.threads : warps_ * abi::kWarpSize;
  for (uint64_t warp = 0; warp < warps_; ++warp)
    if (barrier.arrived[warp] || barrier.threads == 0)
      present += uint64_t(std::popcount(barrier.arrived[warp] | ended[warp]));
  if (present < wanted) return std::nullopt;
  const Outcome outcome = barrier.outcome;
  arrivals_ -= barrier.arrivals;
  barrier = {};
  return outcome;
}

} // namespace us::exec
