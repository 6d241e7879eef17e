// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs beside it report: a line for each thing that is not as it should be, and their exit status.
#pragma once
#include <cstdio>

inline int failures = 0;

#define CHECK(...)                                                                                                     \
  do {                                                                                                                 \
    if (!(__VA_ARGS__) && ++failures < 20) std::printf("%s:%d: %s\n", __FILE__, __LINE__, #__VA_ARGS__);               \
  } while (false)
#define EXPECT(error, ...)                                                                                             \
  do {                                                                                                                 \
    const cudaError_t got_ = (__VA_ARGS__);                                                                            \
    if (got_ != (error) && ++failures < 20)                                                                            \
      std::printf("%s:%d: %s: %s (%d)\n", __FILE__, __LINE__, #__VA_ARGS__, cudaGetErrorName(got_), got_);             \
  } while (false)
#define OK(...) EXPECT(cudaSuccess, __VA_ARGS__)
