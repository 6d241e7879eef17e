// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel scan
//! options -cl-std=CL3.0
//! global 32
//! local 32
//! arg buffer int 32
// Those without work have left before the others need them.
kernel void scan(global int *out) {
  int i = get_local_id(0);
#ifndef FIXED
  if (i >= 30) return;
#endif
  int before = sub_group_scan_exclusive_add(i); //~ sub-group function not reached by all: work-items 0-29 of work-group 0
  if (i < 30) out[i] = before;
}
