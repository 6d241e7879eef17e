// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels without barriers.
#include "prelude.h"

TEST(copy) { out[LINEAR] = in[LINEAR] * 3u + 1u; }

TEST(int_index) {
  int i = get_global_id(0);
  if (i < (int)n) out[i] = in[i] + i;
}

TEST(ids) {
  out[LINEAR] = get_local_id(0) + 10 * get_local_id(1) + 100 * get_local_id(2) + 1000 * get_group_id(0) +
                100000 * get_group_id(1) + 1000000 * get_group_id(2) + 10000000 * get_local_size(0) +
                100000000 * get_num_groups(1) + get_global_size(0);
}

TEST(variable_dimension) {
  uint sum = 0;
  for (uint d = 0; d < 3; ++d) sum = sum * 64 + get_global_id((in[0] + d) % 3) + get_local_size((in[1] + d) % 3);
  out[LINEAR] = sum;
}

TEST(early_return) {
  if (in[LINEAR] & 1) return;
  out[LINEAR] = in[LINEAR];
}

TEST(divergent_loop) {
  uint v = in[LINEAR], steps = 0;
  while (v > 1 && steps < 100) {
    v = v & 1 ? v * 3 + 1 : v / 2;
    if (v == 17) break;
    ++steps;
  }
  out[LINEAR] = steps * 1000 + v;
}

TEST(private_array) {
  uint values[16];
  for (int i = 0; i < 16; ++i) values[i] = in[(LINEAR * 7 + i) % n];
  uint pick = 0;
  for (int i = 0; i < 16; ++i) pick = values[(pick + values[i]) & 15];
  out[LINEAR] = pick;
}

TEST(vectors) {
  uint4 v = load4(in, LINEAR % 1000);
  float4 f = (float4)(v.x & 255, v.y & 255, v.z & 255, v.w & 255) * 0.5f;
  f += f.yxwz * 3.0f;
  uint4 bits;
  __builtin_memcpy(&bits, &f, sizeof bits);
  out[LINEAR] = bits.x ^ bits.y ^ bits.z ^ bits.w;
}

struct Pair {
  uint first, second;
  uint tail[3];
};
static struct Pair mix(struct Pair a, uint k) {
  a.first += a.tail[k % 3];
  a.second ^= a.first;
  a.tail[(k + 1) % 3] = a.second;
  return a;
}
TEST(structures) {
  struct Pair p = {in[LINEAR], in[LINEAR + 1 < n ? LINEAR + 1 : 0], {1, 2, 3}};
  for (uint i = 0; i < 5; ++i) p = mix(p, i + in[LINEAR]);
  out[LINEAR] = p.first + p.second + p.tail[0] + p.tail[1] + p.tail[2];
}

TEST(global_atomics) {
  GLOBAL_ADD(&out[in[LINEAR] & 15], 1);
  GLOBAL_MAX(&out[16 + (in[LINEAR] & 15)], (uint)LINEAR);
}

constant uint table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
TEST(constants) { out[LINEAR] = table[in[LINEAR] & 7] + table[LINEAR & 7]; }

global uint storage[4] = {10, 20, 30, 40};
global uint *global pointer = &storage[2];
global uint *constant pointers[2] = {0, &storage[1]};
TEST(program_variables) { out[LINEAR] = storage[LINEAR & 3] + *pointer + *pointers[n > 0]; }

TEST(trap_not_taken) {
  if (n == 0) us_trap(3);
  out[LINEAR] = 5;
}

TEST(switches) {
  uint v = in[LINEAR];
  switch (v & 7) {
  case 0: v += 1; break;
  case 1: v *= 3;
  case 2: v ^= 5; break;
  case 5: return;
  case 6: for (uint i = 0; i < (v & 31); ++i) v += in[(v + i) % n]; break;
  default: v = 99;
  }
  out[LINEAR] = v;
}

TEST(guarded) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= 25 || y >= (int)(n & 7) + 5) return;
  uint sum = 0;
  for (uint k = 0; k < n / 64; ++k) sum += in[k] * in[x + k];
  out[LINEAR] = sum;
}

TEST(guarded_unsigned) {
  if (get_global_id(0) < n / 61) out[LINEAR] = in[LINEAR] + 1;
}

TEST(guarded_by_nothing_positive) {
  int x = get_global_id(0);
  if (x < (int)(n - 5000)) out[LINEAR] = 1;
}

TEST(uniform_loops) {
  uint acc = in[LINEAR], other = 1, i = 0;
  for (; i < n / 200; ++i) {
    for (uint k = 0; k < (in[i] & 3) + 1; ++k) {
      acc += in[k] * (uint)get_global_id(0);
      uint t = acc;
      acc = other;
      other = t + k;
    }
    if (acc & 1) acc += in[get_global_id(0)];
    out[LINEAR] = acc;
  }
  out[LINEAR] += acc + other + i;
}
