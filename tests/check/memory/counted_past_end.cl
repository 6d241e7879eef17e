// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel count
//! global 65536
//! local 256
//! arg buffer uint 16 expect(4096)
// So many work-items count in copies of the buffer; what is checked is the place in the buffer itself.
kernel void count(global uint *bins) {
  uint i = get_global_id(0), bin = i % 16;
#ifndef FIXED
  if (i == 40000) bin = 16;
#endif
  atomic_inc(bins + bin); //~ out of bounds atomic operation: work-item 64 of work-group 156
}
