// Several exits of a loop with a barrier, all taken by the whole group.
//! kernel rounds
//! global 64
//! local 16
//! arg buffer int 64 expect((i / 16 + 1) * 16)
kernel void rounds(global int *out) {
  local int counter;
  uint group = get_group_id(0);
  if (get_local_id(0) == 0) counter = 0;
  for (uint round = 0; round < 10; ++round) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (round > group) break;
    atomic_inc(&counter);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (round == 8) return;
  }
  out[get_global_id(0)] = counter;
}
