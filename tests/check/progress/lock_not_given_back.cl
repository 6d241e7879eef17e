// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! options -cl-std=CL3.0
//! kernel count
//! global 4
//! local 4
//! arg buffer int 1
//! arg buffer int 1
kernel void count(global int *word, global int *out) {
  volatile global atomic_int *lock = (volatile global atomic_int *)word;
  int expected = 0;
  while (!atomic_compare_exchange_strong(lock, &expected, 1)) //~ wait that cannot end: work-items 1-3 of work-group 0
    expected = 0;
  ++*out;
#ifdef FIXED
  atomic_store(lock, 0);
#else
  if (*out > 1) atomic_store(lock, 0);
#endif
}
