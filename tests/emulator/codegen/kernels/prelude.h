// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work-item functions straight from the machine, so that these tests need no builtin library. Every kernel has the
// same parameters: results, input words, the number of input words.
#include "machine.h"
void us_trap(int code) US_MACHINE("trap");
#define get_global_id us_global_id
#define get_local_id us_local_id
#define get_group_id us_group_id
#define get_global_size us_global_size
#define get_local_size us_local_size
#define get_num_groups us_num_groups
#define barrier(flags) us_barrier(flags, 1)
#define LOCAL 1
#define GLOBAL 2
#define LINEAR ((get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0))
#define LINEAR_LOCAL ((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0))
#define LINEAR_GROUP ((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0))
#define GROUP_ITEMS (get_local_size(0) * get_local_size(1) * get_local_size(2))
#define GLOBAL_ADD(p, v) __sync_fetch_and_add(p, v)
#define GLOBAL_MAX(p, v) __sync_fetch_and_umax(p, v)
#define LOCAL_ADD(p, v) __sync_fetch_and_add(p, v)
#define TEST(name) kernel void name(global uint *out, global const uint *in, uint n)

static inline uint4 load4(global const uint *p, size_t i) {
  return (uint4)(p[4 * i], p[4 * i + 1], p[4 * i + 2], p[4 * i + 3]);
}
