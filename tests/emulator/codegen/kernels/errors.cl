// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels for codegen_test.cpp; their lines are counted there.
#include "prelude.h"

TEST(store_on_line_six) {
  out[get_global_id(0)] = 7;
}

TEST(large_private_array_across) {
  uint values[8192];
  for (uint i = 0; i < 8192; ++i) values[i] = in[i % n];
  barrier(LOCAL);
  out[LINEAR] = values[in[LINEAR] % 8192];
}

TEST(sub_groups) { out[LINEAR] = us_sub_group_sync(1, ~0u); }

uint missing(uint x);
TEST(calls_what_is_not_there) { out[LINEAR] = missing(in[LINEAR]); }

__attribute__((noinline)) static uint down(uint x) { return x < 2 ? x : down(x - 1) + down(x - 2); }
TEST(recursive) { out[LINEAR] = down(in[LINEAR] % 10); }
