// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A target driven by libFuzzer, which brings main. With US_FUZZ_SEEDS the seeds are written to that folder first.
#include "tests/fuzz/fuzz_target.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fstream>

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  const char *const folder = std::getenv("US_FUZZ_SEEDS");
  if (!folder) return 0;
  size_t number = 0;
  for (const std::string &seed : us::fuzz::seeds())
    std::ofstream(std::string(folder) + "/seed-" + std::to_string(number++), std::ios::binary) << seed;
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  us::fuzz::run({reinterpret_cast<const char *>(data), size});
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t maxSize, unsigned seed) {
  us::fuzz::Random random(seed);
  if (random() % 2) {
    std::string input(reinterpret_cast<const char *>(data), size);
    if (us::fuzz::damage(input, random) && input.size() <= maxSize) {
      std::memcpy(data, input.data(), input.size());
      return input.size();
    }
  }
  return LLVMFuzzerMutate(data, size, maxSize);
}
