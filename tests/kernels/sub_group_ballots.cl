// The sub-group extensions, part two: ballots, elections, shuffles, scans of a part of the lanes, rotation in clusters.
//! kernel lanes
//! options -cl-std=CL3.0
//! global 64
//! local 64
//! arg buffer uint 64 expect(1431655765)
//! arg buffer int 64 expect(i % 2 == 0 ? 16 : 100 + i % 32)
//! arg buffer int 64 expect(i / 32 * 32 + (i % 32 < 16 ? i % 32 + 16 : i % 32 - 16))
//! arg buffer int 64 expect(i / 32 * 32 + 31 - i % 32)
//! arg buffer int 64 expect(i % 32 < 4 ? i % 32 + 1 : i % 32 == 4 ? 3 : 0)
//! arg buffer int 64 expect(i / 8 * 8 + (i + 3) % 8)
//! arg buffer int 64 expect(i % 32 < 20 ? i % 32 * (i % 32 - 1) / 2 : 1)
#if !defined(cl_khr_subgroup_ballot) || !defined(cl_khr_subgroup_shuffle) || !defined(cl_khr_subgroup_rotate)
#error a macro is not defined
#endif
kernel void lanes(global uint *ballots, global int *counts, global int *exchanged, global int *reversed,
                  global int *scans, global int *rotated, global int *sums) {
  int i = get_global_id(0), lane = get_sub_group_local_id();
  uint4 even = sub_group_ballot(lane % 2 == 0);
  ballots[i] = even.x + even.y + even.z + even.w;
  counts[i] = sub_group_inverse_ballot(even) ? (int)sub_group_ballot_bit_count(even) : 100 + lane;
  exchanged[i] = sub_group_shuffle_xor(i, 16u);
  reversed[i] = sub_group_shuffle(i, 31u - lane);
  // The set bits up to the own lane, and the elected one of those that come here.
  scans[i] = 0;
  if (lane < 4) scans[i] = (int)sub_group_ballot_inclusive_scan((uint4)(15, 0, 0, 0));
  if (lane >= 4 && lane < 10) scans[i] = sub_group_elect() ? 3 : 0;
  rotated[i] = sub_group_clustered_rotate(i, 3, 8);
  sums[i] = 1;
  if (lane < 20) sums[i] = sub_group_non_uniform_scan_exclusive_add(lane);
}
