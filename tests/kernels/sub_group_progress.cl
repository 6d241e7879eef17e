// A sub-group may wait, in a loop, for what another one does later: the first for the last, each for the one behind it,
// by atomic loads; a lock among them by compare-exchange; and once by a volatile load.
//! kernel progress
//! options -cl-std=CL3.0
//! global 512
//! local 128
//! arg buffer int 4 expect(0)
//! arg buffer int 512 expect(3 - i % 128 / 32)
//! arg buffer int 4 expect(128)
//! arg local int 4
kernel void progress(global int *locks, global int *places, global int *counts, local int *shared) {
  const size_t id = get_local_id(0), group = get_group_id(0);
  local atomic_int *turn = (local atomic_int *)shared;
  local volatile int *go = shared + 1;
  if (id == 0) {
    atomic_store(turn, 0);
    *go = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int place = get_num_sub_groups() - 1 - get_sub_group_id();
  while (atomic_load(turn) != place) {}
  places[get_global_id(0)] = sub_group_broadcast(place, 3);
  if (get_sub_group_local_id() == 0) atomic_store(turn, place + 1);
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);

  // One work-item after the other, also within a sub-group.
  bool done = false;
  while (!done)
    if (atomic_cmpxchg((volatile global int *)locks + group, 0, 1) == 0) {
      counts[group] += 1;
      atomic_xchg((volatile global int *)locks + group, 0);
      done = true;
    }

  if (id == 127) *go = 1;
  while (*go == 0) {}
}
