// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A work-item of the fiber tier: its context, its stack, and where it waits.
#pragma once

#include "emulator/abi/kernel_abi.h"
#include "emulator/exec/stack_pool.h"

#include <cstdint>

namespace us::exec {

/// Yielded: it waits for memory to change, and looks again in each round.
enum class FiberState : uint8_t {
  New,
  Ready,
  AtBarrier,
  AtSubGroupSync,
  AtNamedBarrier,
  AtClusterBarrier,
  Yielded,
  Ended
};

struct Fiber : abi::ItemContext {
  FiberState state = FiberState::New;
  uint32_t site = 0;           ///< where it waits: the sync point's number
  uint32_t members = 0;        ///< at a sub-group operation: the lanes it waits for; 0: whoever comes
  bool isForAll = false;       ///< and all of its sub-group have to come there
  bool isOnlyInStep = false;   ///< at one that orders nothing
  uint32_t released = 0;       ///< what subGroupSync or namedBarrier returns
  uint32_t fences = 0;         ///< of the barrier where it waits: us.barrier's flags
  uint32_t barrier = 0;        ///< the number of the barrier where it waits
  abi::BarrierUse use{};       ///< and what it does there
  uint32_t clusterTurn = 0;    ///< it has come to the cluster's barrier, this time (ClusterBarrier::opened + 1)
  uint64_t waitPc = 0;         ///< where it waits: the address
  bool changed = true;         ///< Yielded: its last round may have changed something
  uint32_t watchedBytes = 0;   ///< and has looked at so many bytes of memory, 0: unknown,
  uint64_t watched = 0;        ///< there
  Stack *stack = nullptr;      ///< while started and not ended
  const Stack *home = nullptr; ///< the stack that resume() was called on
  abi::ItemEntry entry = nullptr;
  abi::RangeEntry groupEntry = nullptr; ///< in its place: this is all of the group

  /// Runs the work-item from where it is until it waits or ends.
  void resume(const Stack &from);
  /// Called on the work-item's own stack: goes back to resume().
  void suspend(FiberState as);
  /// Forgets a suspended work-item; its stack is the caller's again.
  Stack *abandon();

private:
  friend struct FiberStart;
  void *suspended_ = nullptr; ///< this work-item's context, while it waits
  void *resumer_ = nullptr;   ///< the context that resumed it, while it runs
  // For the sanitizers.
  void *fakeStack_ = nullptr, *homeFakeStack_ = nullptr, *threadFiber_ = nullptr, *homeThreadFiber_ = nullptr;
};

} // namespace us::exec
