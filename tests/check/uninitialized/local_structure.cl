// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel use
//! global 8
//! local 8
//! arg buffer int 4096 fill(i)
//! arg buffer int 8
// A large structure is copied to local memory as a whole, where all see it behind the barrier.
typedef struct {
  int v[2048];
} Table;
kernel void use(global const Table *tables, global int *out) {
  local Table table;
  int i = get_local_id(0);
#ifdef FIXED
  if (i == 0) table = tables[1];
#else
  if (i == 0) table.v[0] = tables[1].v[0];
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = table.v[256 * i] + 1; //~ uninitialized store: work-items 1-7 of work-group 0
}
