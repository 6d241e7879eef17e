// Work-group functions; their trees are fixed, so that integer results are exact and all tiers agree.
//! kernel collect
//! options -cl-std=CL3.0
//! global 128
//! local 64
//! arg buffer int 128 random(-100, 100)
//! arg buffer int 128 expect(sum(j, i / 64 * 64, i / 64 * 64 + 64, a0[j]))
//! arg buffer int 128 expect(sum(j, i / 64 * 64, i + 1, a0[j]))
//! arg buffer int 128 expect(a0[i / 64 * 64 + 3])
//! arg buffer int 128 expect(1)
kernel void collect(global const int *in, global int *sums, global int *scans, global int *third, global int *any) {
  int i = get_global_id(0);
  sums[i] = work_group_reduce_add(in[i]);
  scans[i] = work_group_scan_inclusive_add(in[i]);
  third[i] = work_group_broadcast(in[i], 3);
  any[i] = work_group_any(get_local_id(0) == 5) && !work_group_all(get_local_id(0) == 5);
}
