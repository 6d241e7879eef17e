// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reservations of a work-group: work-item 0 makes and commits them, the others get to know what came of it.
#include "emulator/builtins/opencl/pipe/ring.h"
#include "emulator/builtins/opencl/workgroup/collective.h"

US_INLINE us_reservation us_group_reserve(us_pipe p, uint n, uint size, uint use) {
  __local ulong *shared = (__local ulong *)us_group_slots();
  if (us_linear_id() == 0) *shared = us_reserve(us_ring_of(p), n, size, use);
  us_group_wait();
  const ulong result = *shared;
  us_group_wait();
  return us_reservation_from(result);
}

// All packets must be there before they are committed.
US_INLINE void us_group_commit(us_pipe p, us_reservation id, uint use) {
  us_group_wait();
  if (us_linear_id() == 0) us_commit(us_ring_of(p), (ulong)id, use);
}

US_CONVERGENT us_reservation __work_group_reserve_read_pipe(us_pipe p, uint n, uint size, uint alignment) {
  return us_group_reserve(p, n, size, US_TO_READ);
}
US_CONVERGENT us_reservation __work_group_reserve_write_pipe(us_pipe p, uint n, uint size, uint alignment) {
  return us_group_reserve(p, n, size, US_TO_WRITE);
}
US_CONVERGENT void __work_group_commit_read_pipe(us_pipe p, us_reservation id, uint size, uint alignment) {
  us_group_commit(p, id, US_TO_READ);
}
US_CONVERGENT void __work_group_commit_write_pipe(us_pipe p, us_reservation id, uint size, uint alignment) {
  us_group_commit(p, id, US_TO_WRITE);
}
