// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel member
//! global 8
//! local 8
//! arg buffer int 64
// The index leaves the member, not the struct.
typedef struct {
  int head[4];
  int tail[4];
} Record;
kernel void member(global Record *records) {
  int i = get_global_id(0);
#ifdef FIXED
  records[i].head[i % 4] = i;
#else
  records[i].head[i] = i; //~ wrong array index: work-items 4-7 of work-group 0
#endif
}
