// The sub-group extensions: extended types, votes and arithmetic of a part of the lanes, shuffles, clusters, rotation.
//! kernel lanes
//! options -cl-std=CL3.0
//! global 64
//! local 64
//! arg buffer int 64 expect(i % 32 / 8 * 8 * 8 + 28)
//! arg buffer int 64 expect(i % 32 < 10 ? 45 : 0)
//! arg buffer int 64 expect(i % 32 < 20 ? 1 : 2)
//! arg buffer short 64 expect(i / 32 * 32 + min(i % 32 + 3, 31))
//! arg buffer int 64 expect(i / 32 * 32 + (i + 5) % 32)
//! arg buffer double 64 expect(i / 32 * 32 + 7.5)
#if !defined(cl_khr_subgroup_extended_types) || !defined(cl_khr_subgroup_non_uniform_vote) ||                          \
    !defined(cl_khr_subgroup_ballot) || !defined(cl_khr_subgroup_non_uniform_arithmetic) ||                            \
    !defined(cl_khr_subgroup_shuffle) || !defined(cl_khr_subgroup_shuffle_relative) ||                                 \
    !defined(cl_khr_subgroup_clustered_reduce) || !defined(cl_khr_subgroup_rotate)
#error a macro is not defined
#endif
kernel void lanes(global int *clusters, global int *parts, global int *votes, global short *shuffled,
                  global int *rotated, global double *broadcast) {
  int i = get_global_id(0), lane = get_sub_group_local_id();
  clusters[i] = sub_group_clustered_reduce_add(lane, 8);
  parts[i] = 0;
  if (lane < 10) parts[i] = sub_group_non_uniform_reduce_add(lane);
  votes[i] = sub_group_non_uniform_all(lane < 20) ? 0 : lane < 20 ? 1 : 2;
  short down = sub_group_shuffle_down((short)i, 3u);
  shuffled[i] = lane + 3 < 32 ? down : (short)(i / 32 * 32 + 31);
  rotated[i] = sub_group_rotate(i, 5);
  broadcast[i] = sub_group_broadcast((double)i + 0.5, 7);
}
