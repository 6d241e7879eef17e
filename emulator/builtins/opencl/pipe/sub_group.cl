// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reservations of a sub-group: the first work-item that takes part makes and commits them.
#include "emulator/builtins/opencl/pipe/ring.h"
#include "emulator/builtins/opencl/subgroup/collective.h"

US_INLINE us_reservation us_sub_group_reserve(us_pipe p, uint n, uint size, uint use) {
  __local ulong *shared = (__local ulong *)us_exchange() + us_sub_group_first() * (128u / sizeof(ulong));
  const uint leader = us_first_of(us_participants());
  if (us_sub_group_lane() == leader) shared[leader * (128u / sizeof(ulong))] = us_reserve(us_ring_of(p), n, size, use);
  us_participants();
  const ulong result = shared[leader * (128u / sizeof(ulong))];
  us_participants();
  return us_reservation_from(result);
}

US_INLINE void us_sub_group_commit(us_pipe p, us_reservation id, uint use) {
  if (us_sub_group_lane() == us_first_of(us_participants())) us_commit(us_ring_of(p), (ulong)id, use);
}

US_CONVERGENT us_reservation __sub_group_reserve_read_pipe(us_pipe p, uint n, uint size, uint alignment) {
  return us_sub_group_reserve(p, n, size, US_TO_READ);
}
US_CONVERGENT us_reservation __sub_group_reserve_write_pipe(us_pipe p, uint n, uint size, uint alignment) {
  return us_sub_group_reserve(p, n, size, US_TO_WRITE);
}
US_CONVERGENT void __sub_group_commit_read_pipe(us_pipe p, us_reservation id, uint size, uint alignment) {
  us_sub_group_commit(p, id, US_TO_READ);
}
US_CONVERGENT void __sub_group_commit_write_pipe(us_pipe p, us_reservation id, uint size, uint alignment) {
  us_sub_group_commit(p, id, US_TO_WRITE);
}
