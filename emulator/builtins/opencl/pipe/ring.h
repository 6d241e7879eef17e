// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ring of packets behind a pipe (emulator/abi/pipe_abi.h). Places are counted from the beginning of time; a place's
// slot is its remainder, its lap the quotient. A slot's state in lap n is 2n while it may be written, 2n + 1 while it
// may be read, and then 2n + 2, where lap n + 1 begins. Whoever moves a position past places owns them until they
// commit, in whatever order: nobody ever waits for anybody.
#pragma once
#include "emulator/builtins/opencl/support.h"

typedef struct {
  uint packetSize, maxPackets;
  ulong packets;
  uchar unused0[48];
  atomic_ulong writePosition;
  atomic_uint written;
  uchar unused1[52];
  atomic_ulong readPosition;
  uchar unused2[56];
} us_ring;

// Kernel IR has plain pointers in the place of pipe and reserve_id_t. A reservation is its first slot in the upper half
// and the number of packets in the lower half; what none was made for is CLK_NULL_RESERVE_ID, all bits.
typedef __private void *us_pipe;
typedef __private void *us_reservation;
#define US_NO_RESERVATION (~0ul)
#define US_TO_WRITE 0u
#define US_TO_READ 1u

US_INLINE __global us_ring *us_ring_of(us_pipe p) { return (__global us_ring *)(ulong)p; }
US_INLINE us_reservation us_reservation_from(ulong bits) { return (us_reservation)bits; }
US_INLINE bool us_is_reservation(ulong bits) { return bits != US_NO_RESERVATION && (uint)bits != 0; }

US_INLINE __global atomic_uint *us_states(__global us_ring *ring) { return (__global atomic_uint *)(ring + 1); }

// n places, in a row; US_NO_RESERVATION if they are not there, or if the pipe's packets have another size.
static __attribute__((noinline)) ulong us_reserve(__global us_ring *ring, uint n, uint size, uint use) {
  const uint slots = ring->maxPackets;
  if (n == 0 || n > slots || size != ring->packetSize) return US_NO_RESERVATION;
  __global atomic_ulong *next = use == US_TO_READ ? &ring->readPosition : &ring->writePosition;
  ulong position = __opencl_atomic_load(next, memory_order_acquire, memory_scope_device);
  while (true) {
    const uint first = (uint)(position % slots), wanted = (uint)(position / slots) * 2 + use;
    uint ready = 0;
    for (; ready < n; ++ready) {
      const uint slot = first + ready;
      const bool wraps = slot >= slots;
      const uint state = __opencl_atomic_load(us_states(ring) + (wraps ? slot - slots : slot), memory_order_acquire,
                                              memory_scope_device);
      if (state != wanted + (wraps ? 2 : 0)) break;
    }
    if (ready < n) {
      // Positions only grow: if this one stands where it stood, the slot was looked at when its turn was.
      const ulong now = __opencl_atomic_load(next, memory_order_acquire, memory_scope_device);
      if (now == position) return US_NO_RESERVATION;
      position = now;
    } else if (__opencl_atomic_compare_exchange_weak(next, &position, position + n, memory_order_acq_rel,
                                                     memory_order_acquire, memory_scope_device)) {
      return (ulong)first << 32 | n;
    }
  }
}

US_INLINE uint us_slot(__global us_ring *ring, ulong reservation, uint index) {
  const uint slot = (uint)(reservation >> 32) + index;
  return slot >= ring->maxPackets ? slot - ring->maxPackets : slot;
}

US_INLINE __global uchar *us_packet(__global us_ring *ring, ulong reservation, uint index) {
  return (__global uchar *)ring + ring->packets + (ulong)us_slot(ring, reservation, index) * ring->packetSize;
}

static __attribute__((noinline)) void us_commit(__global us_ring *ring, ulong reservation, uint use) {
  if (!us_is_reservation(reservation)) return;
  const uint n = (uint)reservation;
  for (uint i = 0; i < n; ++i) {
    __global atomic_uint *state = us_states(ring) + us_slot(ring, reservation, i);
    // The slots are ours: nobody else changes their states.
    __opencl_atomic_store(state, __opencl_atomic_load(state, memory_order_relaxed, memory_scope_device) + 1,
                          memory_order_release, memory_scope_device);
  }
  if (use == US_TO_WRITE) __opencl_atomic_fetch_add(&ring->written, n, memory_order_relaxed, memory_scope_device);
}
