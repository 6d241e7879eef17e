// Atomic operations of all work-items on one place, in global and local memory, with and without their results.
//! kernel updates
//! global 5000
//! local 250
//! arg buffer uint 8 fill(i == 1 || i == 4 ? 4294967295 : 0) expect(i == 0 ? 12497500 : i == 1 ? 4294967295 - 5000 * 4999 : i == 2 ? 4999 : i == 3 ? 4095 : i == 4 ? 3 : i == 5 ? 1 : i == 6 ? 1667 : 12497500)
//! arg buffer uint 5000 fill(0) expect(1)
//! arg buffer uint 1667 fill(0) expect(1)
//! arg buffer uint 20 fill(0) expect(250 * i * 250 + 250 * 249 / 2)
//! arg buffer int 1 fill(7) expect(-4999)
kernel void updates(global uint *places, global uint *seen, global uint *numbers, global uint *sums, global int *least) {
  local uint sum;
  uint i = get_global_id(0);
  if (get_local_id(0) == 0) sum = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&places[0], i);
  atomic_sub(&places[1], 2 * i);
  atomic_max(&places[2], i);
  if (i < 4096) atomic_or(&places[3], i);
  atomic_min(&places[4], i + 3);
  if (i < 4098) atomic_xor(&places[5], i);
  if (i % 3 == 0) atomic_inc(&seen[atomic_inc(&places[6]) * 3]);
  if (i % 3 != 0) atomic_inc(&seen[i]);
  atomic_min(least, -(int)i);
  atomic_add(&sum, i);
  if (i < 1667) atomic_inc(&numbers[i]);
  uint before = atomic_add(&places[7], i);
  if (before + i > 12497500) atomic_inc(&numbers[0]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) sums[get_group_id(0)] = sum;
}
