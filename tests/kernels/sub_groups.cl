// Sub-groups of 32 consecutive work-items: ids, shuffle, ballot, a reduction, and one of their own barriers.
//! kernel lanes
//! options -cl-std=CL3.0
//! global 96
//! local 96
//! arg buffer int 96 expect((i / 32) * 1000 + i % 32)
//! arg buffer int 96 expect(i / 32 * 32 + (i % 32 ^ 5))
//! arg buffer int 96 expect(sum(j, i / 32 * 32, i / 32 * 32 + 32, j))
//! arg buffer int 96 expect(16)
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
kernel void lanes(global int *ids, global int *shuffled, global int *sums, global int *votes) {
  int i = get_global_id(0);
  ids[i] = get_sub_group_id() * 1000 + get_sub_group_local_id();
  shuffled[i] = sub_group_shuffle_xor(i, 5);
  sums[i] = sub_group_reduce_add(i);
  votes[i] = sub_group_ballot_bit_count(sub_group_ballot(i & 1));
}
