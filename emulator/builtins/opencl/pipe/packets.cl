// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// read_pipe and write_pipe of one packet, with and without a reservation, by the names that Clang gives them. 0, or a
// negative number: the pipe is empty or full, the reservation is none, or the index is not in it.
#include "emulator/builtins/opencl/pipe/ring.h"

#define US_HOT __attribute__((hot))

US_HOT int __read_pipe_2(us_pipe p, __generic void *packet, uint size, uint alignment) {
  __global us_ring *ring = us_ring_of(p);
  const ulong place = us_reserve(ring, 1, size, US_TO_READ);
  if (place == US_NO_RESERVATION) return -1;
  __builtin_memcpy(packet, us_packet(ring, place, 0), size);
  us_commit(ring, place, US_TO_READ);
  return 0;
}

US_HOT int __write_pipe_2(us_pipe p, __generic void *packet, uint size, uint alignment) {
  __global us_ring *ring = us_ring_of(p);
  const ulong place = us_reserve(ring, 1, size, US_TO_WRITE);
  if (place == US_NO_RESERVATION) return -1;
  __builtin_memcpy(us_packet(ring, place, 0), packet, size);
  us_commit(ring, place, US_TO_WRITE);
  return 0;
}

US_INLINE bool us_is_reserved(ulong reservation, uint index) {
  return us_is_reservation(reservation) && index < (uint)reservation;
}

US_HOT int __read_pipe_4(us_pipe p, us_reservation id, uint index, __generic void *packet, uint size, uint alignment) {
  if (!us_is_reserved((ulong)id, index)) return -1;
  __builtin_memcpy(packet, us_packet(us_ring_of(p), (ulong)id, index), size);
  return 0;
}

US_HOT int __write_pipe_4(us_pipe p, us_reservation id, uint index, __generic void *packet, uint size, uint alignment) {
  if (!us_is_reserved((ulong)id, index)) return -1;
  __builtin_memcpy(us_packet(us_ring_of(p), (ulong)id, index), packet, size);
  return 0;
}
