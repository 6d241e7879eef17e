// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel sum
//! options -cl-std=CL3.0
//! global 64
//! local 64
//! arg buffer int 64
// "These built-in functions must be encountered by all work-items in a subgroup": half of the first one does not come.
kernel void sum(global int *out) {
  int i = get_local_id(0), all = 0;
#ifdef FIXED
  if (i < 32)
#else
  if (i < 16)
#endif
    all = sub_group_reduce_add(i); //~ sub-group function not reached by all: work-items 0-15 of work-group 0
  out[i] = all;
}
