// Halves of a sub-group exchange values of different sizes at the same time.
//! kernel halves
//! options -cl-std=CL3.0
//! global 64
//! local 64
//! arg buffer long 64 expect(i % 32 < 16 ? 160000000120 : 376)
kernel void halves(global long *sums) {
  const int lane = get_sub_group_local_id();
  if (lane < 16)
    sums[get_global_id(0)] = sub_group_non_uniform_reduce_add(10000000000L + lane);
  else
    sums[get_global_id(0)] = sub_group_non_uniform_reduce_add(lane);
}
