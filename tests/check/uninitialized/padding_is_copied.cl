// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel copy
//! global 4
//! local 4
//! arg buffer int 8 unwritten
//! arg buffer int 8 unwritten
//! arg buffer int 4
// Nobody has written what lies between the members; to copy it is no mistake, to look at it is one.
typedef struct {
  char tag;
  int value;
} Entry;
kernel void copy(global Entry *entries, global Entry *copies, global int *out) {
  int i = get_global_id(0);
  entries[i].tag = 1;
  entries[i].value = i;
  copies[i] = entries[i];
  global const int *words = (global const int *)copies;
  int word = words[2 * i];
  ((global int *)entries)[2 * i] = word;
#ifdef FIXED
  word &= 0xff;
#endif
  out[i] = word + copies[i].value; //~ uninitialized store: work-items 0-3 of work-group 0
}
