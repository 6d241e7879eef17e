// Kernels may require sub-groups of 8: what they ask of their sub-group is of 8 work-items.
//! kernel eight
//! options -cl-std=CL3.0
//! global 96
//! local 48
//! arg buffer uint 96 expect(i / 8 * 8 * 8 + 28)
//! arg buffer uint 96 expect(i / 8 * 8 * (i % 8 + 1) + i % 8 * (i % 8 + 1) / 2)
//! arg buffer uint 96 expect(i / 8 * 8 + (i + 5) % 8)
//! arg buffer uint 96 expect(0xff & 0x7f * 2 << i % 8)
//! arg buffer uint 96 expect(3)
//! arg buffer uint 96 expect(8 * 10000 + 6 * 1000 + i % 48 / 8 * 100 + i % 8)
__attribute__((intel_reqd_sub_group_size(8))) kernel void eight(global uint *sums, global uint *scans,
                                                                global uint *rotated, global uint *masks,
                                                                global uint *parts, global uint *ids) {
  uint i = get_global_id(0), lane = get_sub_group_local_id();
  sums[i] = sub_group_reduce_add(i);
  scans[i] = sub_group_scan_inclusive_add(i);
  rotated[i] = sub_group_rotate(i, 5);
  masks[i] = get_sub_group_gt_mask().x;
  if (lane < 3)
    parts[i] = sub_group_non_uniform_reduce_add(1u);
  else
    parts[i] = popcount(sub_group_ballot(lane % 3 == 0).x) + sub_group_ballot_bit_count((uint4)(0x101, 0, 0, 0));
  ids[i] = get_max_sub_group_size() * 10000 + get_num_sub_groups() * 1000 + get_sub_group_id() * 100 + lane;
}
