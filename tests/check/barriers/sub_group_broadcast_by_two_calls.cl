// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel pass
//! options -cl-std=CL3.0
//! global 64
//! local 64
//! arg buffer int 64
// Two calls are not one, even though each work-item makes one of them; of the non-uniform functions that is right.
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
kernel void pass(global int *out) {
  int i = get_local_id(0);
  int of = 0;
#ifdef FIXED
  if (i >= 40)
    of = sub_group_non_uniform_broadcast(i, 10);
  else
    of = sub_group_non_uniform_broadcast(i, 0);
#else
  if (i >= 40)
    of = sub_group_broadcast(i, 10); //~ sub-group function not reached by all: work-items 40-63 of work-group 0
  else
    of = sub_group_broadcast(i, 0); //~ sub-group function not reached by all: work-items 32-39 of work-group 0
#endif
  out[i] = of;
}
