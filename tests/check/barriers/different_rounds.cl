// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel rounds
//! global 4
//! local 4
//! arg buffer int 4
// Each work-item makes another number of rounds.
kernel void rounds(global int *out) {
  local int tile[4];
  int i = get_local_id(0);
  tile[i] = 0;
#ifdef FIXED
  for (int k = 0; k < 4; ++k)
#else
  for (int k = 0; k <= i; ++k)
#endif
  {
    barrier(CLK_LOCAL_MEM_FENCE); //~ barrier not reached by all: work-items 0-2 of work-group 0
    tile[i] += k;
  }
  out[i] = tile[i];
}
