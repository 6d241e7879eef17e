// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier of a cluster of work-groups, which opens when all work-items that have not ended have come. One thread
// runs the cluster, so nothing here is atomic.
#pragma once

#include <cstdint>

namespace us::exec {

struct ClusterBarrier {
  uint32_t opened = 0; ///< so many times
  uint64_t live = 0, missing = 0;

  void begin(uint64_t items) {
    opened = 0;
    live = missing = items;
  }
  /// What a work-item has come to, as Fiber::clusterTurn.
  bool isOver(uint32_t turn) const { return turn <= opened; }
  void arrive() {
    if (--missing == 0) open();
  }
  /// A work-item ends that was there last at `turn`.
  void leave(uint32_t turn) {
    --live;
    if (isOver(turn) && --missing == 0) open();
  }

private:
  void open() {
    ++opened;
    missing = live;
  }
};

} // namespace us::exec
