// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! options -cl-std=CL3.0
//! kernel pass_on
//! global 4
//! local 4
//! arg buffer int 1
//! arg buffer int 4
// All give the token to the next one and wait for it to come back: it goes round for ever.
kernel void pass_on(global int *word, global int *out) {
  volatile global atomic_int *token = (volatile global atomic_int *)word;
  const int self = get_local_id(0);
  int rounds = 0;
#ifdef FIXED
  while (rounds < 4) {
#else
  while (atomic_load(token) < 100) { //~ no progress: work-item 0 of work-group 0
#endif
    if (atomic_load(token) == self) {
      atomic_store(token, (self + 1) % 4);
      ++rounds;
    }
  }
  out[get_global_id(0)] = rounds;
}
