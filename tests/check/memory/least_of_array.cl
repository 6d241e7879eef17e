// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel sort
//! global 4
//! local 4
//! arg buffer int 20 fill((i * 7) % 5)
//! arg buffer int 4
// The place of the least one is chosen from what a loop counts, and from where it begins.
#ifdef FIXED
#define FIRST s
#else
#define FIRST s + 1
#endif
kernel void sort(global const int *a, global int *b) {
  int g = get_global_id(0), v[5], n = 0;
  for (int j = 0; j < 5; ++j) v[n++] = a[g * 5 + j];
  for (int s = 0; s < 5; ++s) {
    int least = FIRST;
    for (int i = s + 1; i < 5; ++i)
      if (v[i] < v[least]) least = i;
    int t = v[s];
    v[s] = v[least]; //~ out of bounds read: work-items 0-3 of work-group 0
    v[least] = t;    //~ out of bounds write: work-items 0-3 of work-group 0
  }
  b[g] = v[2];
}
