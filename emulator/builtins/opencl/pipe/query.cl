// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// get_pipe_num_packets and get_pipe_max_packets, for pipes that are read (ro) and pipes that are written (wo).
#include "emulator/builtins/opencl/pipe/ring.h"

// Committed and not yet reserved for reading. Another work-item may be between the two counters: never below 0.
US_INLINE uint us_packets(us_pipe p) {
  __global us_ring *ring = us_ring_of(p);
  const uint taken = (uint)__opencl_atomic_load(&ring->readPosition, memory_order_acquire, memory_scope_device);
  const int left = (int)(__opencl_atomic_load(&ring->written, memory_order_acquire, memory_scope_device) - taken);
  return left < 0 ? 0 : (uint)left;
}

uint __get_pipe_num_packets_ro(us_pipe p, uint size, uint alignment) { return us_packets(p); }
uint __get_pipe_num_packets_wo(us_pipe p, uint size, uint alignment) { return us_packets(p); }
uint __get_pipe_max_packets_ro(us_pipe p, uint size, uint alignment) { return us_ring_of(p)->maxPackets; }
uint __get_pipe_max_packets_wo(us_pipe p, uint size, uint alignment) { return us_ring_of(p)->maxPackets; }
