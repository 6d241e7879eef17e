// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's mbarrier objects, whose 64 bits are ours to define: how many arrivals the phase still waits for (20 bits), how
// many each phase has (20 bits), how many bytes are under way that it waits for (21 bits, with a sign: they may come
// before somebody says so), the phase's number (3 bits: who asks, asks about this one or the one before).
#include "emulator/builtins/opencl/ptx/ptx.h"

#define US_COUNT 0xffffful
#define US_BYTES 0x1ffffful
#define US_PHASE 61

typedef volatile __generic atomic_ulong *us_mbarrier;

void us_ptx_mbarrier_init(__generic void *at, uint count) {
  atomic_store_explicit((us_mbarrier)at, (ulong)count << 20 | count, memory_order_relaxed, memory_scope_device);
}

// The state before. "arrive_drop: decrements the expected arrival count of the mbarrier's later phases too." A phase
// ends "when its pending count and its tx-count are zero".
ulong us_ptx_mbarrier_update(__generic void *at, uint arrivals, uint drops, int bytes) {
  us_mbarrier barrier = (us_mbarrier)at;
  ulong before = atomic_load_explicit(barrier, memory_order_relaxed, memory_scope_device), after;
  do {
    ulong expected = ((before >> 20) - (drops ? arrivals : 0)) & US_COUNT;
    ulong pending = (before - arrivals) & US_COUNT, coming = ((before >> 40) + (ulong)(long)bytes) & US_BYTES;
    ulong phase = before >> US_PHASE;
    if (pending == 0 && coming == 0) {
      pending = expected;
      ++phase;
    }
    after = phase << US_PHASE | coming << 40 | expected << 20 | pending;
  } while (!atomic_compare_exchange_strong_explicit(barrier, &before, after, memory_order_acq_rel, memory_order_relaxed,
                                                    memory_scope_device));
  return before;
}

// Has the phase of that state ended?
uint us_ptx_mbarrier_test(__generic void *at, ulong state) {
  return (atomic_load_explicit((us_mbarrier)at, memory_order_acquire, memory_scope_device) ^ state) >> US_PHASE != 0;
}
// Of the current phase and the one before: has the one with that parity ended?
uint us_ptx_mbarrier_test_parity(__generic void *at, uint parity) {
  ulong phase = atomic_load_explicit((us_mbarrier)at, memory_order_acquire, memory_scope_device) >> US_PHASE;
  return (phase & 1) != (parity & 1);
}
uint us_ptx_mbarrier_pending(ulong state) { return state & US_COUNT; }
