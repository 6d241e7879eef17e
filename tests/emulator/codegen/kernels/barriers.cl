// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with barriers in every place where the specification allows one.
#include "prelude.h"
#define MAX_ITEMS 256

TEST(reverse_in_group) {
  local uint tile[MAX_ITEMS];
  tile[LINEAR_LOCAL] = in[LINEAR];
  barrier(LOCAL);
  out[LINEAR] = tile[GROUP_ITEMS - 1 - LINEAR_LOCAL];
}

TEST(barrier_first_and_last) {
  barrier(LOCAL);
  out[LINEAR] = in[LINEAR] + 1;
  barrier(GLOBAL);
}

TEST(only_barriers) {
  barrier(LOCAL);
  barrier(LOCAL);
}

TEST(reduce) {
  local uint tile[MAX_ITEMS];
  uint l = LINEAR_LOCAL;
  tile[l] = in[LINEAR];
  for (uint i = l + GROUP_ITEMS; i < MAX_ITEMS; i += GROUP_ITEMS) tile[i] = 0;
  barrier(LOCAL);
  for (uint d = MAX_ITEMS / 2; d > 0; d >>= 1) {
    for (uint i = l; i < d; i += GROUP_ITEMS) tile[i] += tile[i + d];
    barrier(LOCAL);
  }
  if (l == 0) out[LINEAR_GROUP] = tile[0];
}

TEST(scan) {
  local uint a[MAX_ITEMS], b[MAX_ITEMS];
  local uint *from = a, *to = b;
  uint l = LINEAR_LOCAL;
  from[l] = in[LINEAR];
  barrier(LOCAL);
  for (uint d = 1; d < GROUP_ITEMS; d *= 2) {
    to[l] = l >= d ? from[l] + from[l - d] : from[l];
    barrier(LOCAL);
    local uint *t = from;
    from = to;
    to = t;
  }
  out[LINEAR] = from[l];
}

TEST(uniform_branch) {
  local uint tile[MAX_ITEMS];
  uint x = in[LINEAR], l = LINEAR_LOCAL;
  if (get_group_id(0) & 1) {
    tile[l] = x;
    barrier(LOCAL);
    x += tile[(l + 1) % GROUP_ITEMS];
  } else if (n > 100) {
    tile[l] = x * 2;
    barrier(LOCAL);
    x ^= tile[GROUP_ITEMS - 1 - l];
    barrier(LOCAL);
    tile[l] = x;
    barrier(LOCAL);
    x += tile[(l + 3) % GROUP_ITEMS];
  }
  out[LINEAR] = x;
}

TEST(uniform_return) {
  local uint tile[MAX_ITEMS];
  if (get_group_id(0) == 1) return;
  tile[LINEAR_LOCAL] = in[LINEAR];
  barrier(LOCAL);
  if (tile[0] & 1) return;
  barrier(LOCAL);
  tile[LINEAR_LOCAL] += 7;
  barrier(LOCAL);
  out[LINEAR] = tile[(LINEAR_LOCAL + 5) % GROUP_ITEMS];
}

TEST(several_exits) {
  local uint tile[MAX_ITEMS];
  uint l = LINEAR_LOCAL, sum = 0;
  for (uint i = 0; i < 10; ++i) {
    tile[l] = in[(LINEAR + i * 17) % n] + sum;
    barrier(LOCAL);
    uint first = tile[0];
    sum += tile[(l + i) % GROUP_ITEMS];
    barrier(LOCAL);
    if ((first & 7) == 3) break;
    if ((first & 15) == 4) {
      sum += 1000;
      break;
    }
    if ((first & 31) == 8) {
      out[LINEAR] = sum + 5;
      return;
    }
  }
  out[LINEAR] = sum;
}

TEST(nested_loops) {
  local uint tile[MAX_ITEMS];
  uint l = LINEAR_LOCAL, acc = in[LINEAR];
  for (uint i = 0; i < 4; ++i) {
    tile[l] = acc;
    barrier(LOCAL);
    for (uint j = 0; j <= i; ++j) {
      acc += tile[(l + j) % GROUP_ITEMS];
      barrier(LOCAL);
      tile[(l + 1) % GROUP_ITEMS] = acc ^ j;
      barrier(LOCAL);
    }
    acc = acc * 3 + tile[l];
    barrier(LOCAL);
  }
  out[LINEAR] = acc;
}

TEST(private_array_across) {
  local uint tile[MAX_ITEMS];
  uint keep[9];
  uint l = LINEAR_LOCAL;
  for (uint i = 0; i < 9; ++i) keep[i] = in[(LINEAR + 13 * i) % n];
  uint at = in[LINEAR] % 9;
  for (uint i = 0; i < 5; ++i) {
    tile[l] = keep[at];
    barrier(LOCAL);
    keep[(at + 1) % 9] += tile[(l + 1) % GROUP_ITEMS];
    at = (at + tile[l]) % 9;
    barrier(LOCAL);
  }
  uint sum = 0;
  for (uint i = 0; i < 9; ++i) sum = sum * 5 + keep[i];
  out[LINEAR] = sum;
}

TEST(private_array_inside) {
  local uint tile[MAX_ITEMS];
  uint l = LINEAR_LOCAL, sum = 0;
  for (uint round = 0; round < 3; ++round) {
    {
      uint values[8];
      for (uint i = 0; i < 8; ++i) values[i] = in[(LINEAR + i + round) % n];
      uint at = 0;
      for (uint i = 0; i < 8; ++i) at = values[(at + values[i]) & 7];
      tile[l] = at;
    }
    barrier(LOCAL);
    sum += tile[(l * 3 + 1) % GROUP_ITEMS];
    barrier(LOCAL);
  }
  out[LINEAR] = sum;
}

struct State {
  uint4 v;
  ushort h;
  char c;
};
TEST(structures_across) {
  local uint4 tile[MAX_ITEMS];
  uint l = LINEAR_LOCAL;
  struct State s = {load4(in, LINEAR % (n / 4)), (ushort)in[LINEAR], (char)l};
  for (uint i = 0; i < 3; ++i) {
    tile[l] = s.v;
    barrier(LOCAL);
    s.v += tile[(l + s.h) % GROUP_ITEMS].wzyx;
    s.h ^= s.v.y;
    s.c += s.h;
    barrier(LOCAL);
  }
  out[LINEAR] = s.v.x ^ s.v.y ^ s.v.z ^ s.v.w ^ s.h ^ s.c;
}

TEST(local_atomics) {
  local uint bins[16];
  uint l = LINEAR_LOCAL;
  for (uint i = l; i < 16; i += GROUP_ITEMS) bins[i] = 0;
  barrier(LOCAL);
  LOCAL_ADD(&bins[in[LINEAR] & 15], 1);
  barrier(LOCAL);
  for (uint i = l; i < 16; i += GROUP_ITEMS) GLOBAL_ADD(&out[i], bins[i]);
}

static uint helper(local uint *tile, uint x) {
  tile[LINEAR_LOCAL] = x;
  barrier(LOCAL);
  uint r = tile[(LINEAR_LOCAL + 1) % GROUP_ITEMS];
  barrier(LOCAL);
  return r;
}
__attribute__((noinline)) static uint helpers(local uint *tile, uint x, uint times) {
  for (uint i = 0; i < times; ++i) x = helper(tile, x + i);
  return x;
}
TEST(barrier_in_function) {
  local uint tile[MAX_ITEMS];
  uint x = helpers(tile, in[LINEAR], 3);
  x += helpers(tile, x, 2);
  out[LINEAR] = x;
}

TEST(loop_bound_from_memory) {
  local uint tile[MAX_ITEMS];
  uint rounds = in[get_group_id(0)] % 5, x = in[LINEAR];
  for (uint i = 0; i < rounds; ++i) {
    tile[LINEAR_LOCAL] = x;
    barrier(LOCAL);
    x += tile[(LINEAR_LOCAL + i + 1) % GROUP_ITEMS];
    barrier(LOCAL);
  }
  out[LINEAR] = x;
}

TEST(divergent_before_barrier) {
  local uint tile[MAX_ITEMS];
  uint x = in[LINEAR], y = 1;
  if (x & 1) {
    for (uint i = 0; i < (x & 15); ++i) y = y * 3 + i;
  } else if (x & 2) {
    y = in[x % n];
  }
  tile[LINEAR_LOCAL] = y;
  barrier(LOCAL);
  x = x & 4 ? tile[(LINEAR_LOCAL + 7) % GROUP_ITEMS] : y;
  barrier(LOCAL);
  out[LINEAR] = x + y;
}

TEST(swap_across) {
  local uint tile[MAX_ITEMS];
  uint a = in[LINEAR], b = a * 7 + 1, c = 5;
  for (uint i = 0; i < 6; ++i) {
    tile[LINEAR_LOCAL] = a;
    barrier(LOCAL);
    uint t = a;
    a = b;
    b = c + tile[(LINEAR_LOCAL + 1) % GROUP_ITEMS];
    c = t;
    barrier(LOCAL);
  }
  out[LINEAR] = a ^ b ^ c;
}
