// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels' objects hold: several functions, a table of constants, and calls of the host's memory functions.
// Compiled to an object that object_linker_test links.
typedef unsigned long size_t;
void *memcpy(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);

static const int kPrimes[] = {2, 3, 5, 7, 11, 13, 17, 19};

__attribute__((noinline)) static int square(int x) { return x * x; }
__attribute__((noinline)) static int negate(int x) { return -x; }

// The sum of the first `count` primes, each squared or negated, over a copy that the host's functions make.
int linked_entry(int count, int which) {
  int copy[64];
  memset(copy, 0, (size_t)count * sizeof(int));
  memcpy(copy, kPrimes, (size_t)count * sizeof(int));
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += which ? negate(copy[i]) : square(copy[i]);
  return sum;
}
