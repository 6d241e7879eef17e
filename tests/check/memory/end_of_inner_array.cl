// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel ends
//! global 4
//! local 4
//! arg buffer int 32
// A pointer to behind the last element of a member is right as long as it is not followed.
typedef struct {
  int head[4];
  int tail[4];
} Record;
kernel void ends(global Record *records) {
  int i = get_global_id(0);
  global int *end = &records[i].head[4];
  Record mine;
  int *mineEnd = &mine.tail[4];
  mineEnd[-4] = i;
#ifdef FIXED
  end[-1 - i] = mine.tail[0];
#else
  end[i - 1] = mine.tail[0]; //~ wrong array index: work-items 1-3 of work-group 0
#endif
}
