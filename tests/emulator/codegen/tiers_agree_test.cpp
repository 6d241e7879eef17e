// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every kernel of kernels/*.cl in both tiers, optimized and as baseline code, over many launch shapes: the results must
// be the same.
#include "tests/emulator/codegen/kernel_runner.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

namespace us::test {
namespace {

constexpr uint32_t kWords = 4096;

struct Case {
  const char *file, *kernel;
  uint32_t largestGroup; ///< 0: any
};
#define US_KERNEL(file, name) Case{file, name, 256},
const Case kCases[] = {
#include "tests/emulator/codegen/kernels/kernels.def"
};

const LaunchShape kShapes[] = {
    {1, {256, 1, 1}, {64, 1, 1}}, {1, {250, 1, 1}, {50, 1, 1}}, {1, {1024, 1, 1}, {256, 1, 1}},
    {1, {37, 1, 1}, {1, 1, 1}},   {1, {100, 1, 1}, {32, 1, 1}}, {1, {128, 1, 1}, {32, 1, 1}, {5, 0, 0}},
    {2, {32, 16, 1}, {8, 4, 1}},  {2, {30, 7, 1}, {8, 3, 1}},   {3, {12, 6, 4}, {4, 3, 2}},
    {3, {9, 7, 5}, {4, 3, 2}},
};

std::vector<char> readFile(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The storage of kernels/plain.cl's program-scope variables: four words, a pointer to the third, and the
/// constants that point into it.
struct ProgramStorage {
  uint32_t storage[4] = {10, 20, 30, 40};
  uint32_t *pointer = &storage[2];
  uint32_t *pointers[2] = {nullptr, &storage[1]};
};

struct TiersAgree : testing::TestWithParam<Case> {};

TEST_P(TiersAgree, OnEveryShape) {
  const auto [file, kernel, largestGroup] = GetParam();
  const std::vector<char> ir = readFile(std::string(US_KERNEL_DIRECTORY "/") + file + ".bc");
  ASSERT_FALSE(ir.empty());
  std::mt19937 random(7);
  std::vector<uint32_t> in(kWords);
  for (uint32_t &word : in) word = random() >> 8;

  for (const LaunchShape &shape : kShapes) {
    SCOPED_TRACE(testing::Message() << "global " << shape.global[0] << "x" << shape.global[1] << "x" << shape.global[2]
                                    << " local " << shape.local[0] << "x" << shape.local[1] << "x" << shape.local[2]
                                    << " offset " << shape.offset[0]);
    struct Variant {
      abi::Tier tier;
      bool smallIndex, baseline;
      const char *name;
    };
    const Variant variants[] = {{abi::Tier::Fiber, true, false, "fibers"},
                                {abi::Tier::Loop, true, false, "32-bit indices"},
                                {abi::Tier::Loop, false, false, "64-bit indices"},
                                {abi::Tier::Loop, true, true, "baseline loops"},
                                {abi::Tier::Fiber, true, true, "baseline fibers"}};
    std::vector<uint32_t> results[std::size(variants)];
    for (size_t i = 0; i < std::size(variants); ++i) {
      results[i].assign(kWords, 0xabcd);
      ProgramStorage storage;
      LaunchInput input;
      input.shape = shape;
      input.programVariables = reinterpret_cast<std::byte *>(&storage);
      input.arguments.resize(24);
      const uint32_t *from = in.data();
      uint32_t *to = results[i].data();
      std::memcpy(input.arguments.data(), &to, 8);
      std::memcpy(input.arguments.data() + 8, &from, 8);
      std::memcpy(input.arguments.data() + 16, &kWords, 4);
      abi::Specialization specialization = specializationFor(shape, variants[i].tier);
      specialization.smallIndex = variants[i].smallIndex;
      specialization.baseline = variants[i].baseline;
      ASSERT_EQ(runKernel(ir, kernel, specialization, input), "");
      ASSERT_EQ(results[0], results[i]) << variants[i].name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, TiersAgree, testing::ValuesIn(kCases),
                         [](const auto &info) { return std::string(info.param.file) + "_" + info.param.kernel; });

} // namespace
} // namespace us::test
