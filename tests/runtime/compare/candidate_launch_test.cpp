// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compare/candidate_launch.h"
#include "tests/support/fake_device.h"

#include <gtest/gtest.h>

namespace us::compare {
namespace {

using test::fakeKernel;
using test::fakeKernelInfo;
using enum ArgumentKind;

Ref<DeviceKernel> kernelOf(KernelInfo info) {
  return fakeKernel(std::move(info), [](const auto &) { return Expected<void>(); });
}

ComparedKernel pairOf(KernelInfo reference, KernelInfo candidate) {
  return {kernelOf(std::move(reference)), kernelOf(std::move(candidate)), {}, std::make_shared<ProgramNotes>(), {}};
}

uint64_t wordAt(const LaunchCommand &launch, size_t offset) {
  uint64_t word = 0;
  std::memcpy(&word, launch.arguments.data() + offset, sizeof word);
  return word;
}
void setWord(LaunchCommand &launch, size_t offset, uint64_t word) {
  std::memcpy(launch.arguments.data() + offset, &word, sizeof word);
}

const Translate kThousandMore = [](uint64_t address) { return address + 1000; };

TEST(CandidateLaunch, HasTheCandidatesLayoutAndAddresses) {
  KernelInfo reference = fakeKernelInfo("k", {GlobalPointer, Value, LocalPointer, LocalPointer, ConstantPointer});
  KernelInfo candidate = reference;
  // One compiler keeps 16 bytes of static local memory, the other 100; arguments lie elsewhere.
  reference.localMemory = 16;
  candidate.localMemory = 100;
  for (ArgumentInfo &argument : candidate.arguments) argument.offset = 32 - argument.offset;
  const ComparedKernel kernel = pairOf(reference, candidate);
  LaunchCommand launch;
  launch.arguments.resize(40);
  setWord(launch, 0, 5);   // a buffer
  setWord(launch, 8, 77);  // a number
  setWord(launch, 16, 16); // 48 bytes of local memory
  setWord(launch, 24, 64); // 36 more
  setWord(launch, 32, 0);  // a null pointer
  launch.localMemory = 100;
  const Expected<LaunchCommand> made = candidateLaunch(launch, kernel, kThousandMore, kThousandMore);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->kernel, kernel.candidate());
  EXPECT_EQ(wordAt(*made, 32), 1005u);
  EXPECT_EQ(wordAt(*made, 24) & 0xffffffff, 77u);
  EXPECT_EQ(wordAt(*made, 16), 112u); // behind the static memory, a multiple of 16
  EXPECT_EQ(wordAt(*made, 8), 160u);  // 48 bytes further
  EXPECT_EQ(made->localMemory, 196u); // 36 more
  EXPECT_EQ(wordAt(*made, 0), 0u);
}

TEST(CandidateLaunch, KeepsWhatTheLaunchAddsOfLocalMemory) {
  const ComparedKernel kernel = pairOf(fakeKernelInfo("k", {}), fakeKernelInfo("k", {}));
  LaunchCommand launch;
  launch.localMemory = launch.dynamicMemory = 4096;
  EXPECT_EQ(candidateLaunch(launch, kernel, kThousandMore, kThousandMore)->localMemory, 4096u);
}

TEST(CandidateLaunch, SaysWhatTheCompilersDoNotAgreeOn) {
  const auto refused = [](KernelInfo reference, KernelInfo candidate) {
    LaunchCommand launch;
    launch.arguments.resize(reference.argumentBlockSize);
    const ComparedKernel kernel = pairOf(std::move(reference), std::move(candidate));
    const Expected<LaunchCommand> made = candidateLaunch(launch, kernel, kThousandMore, kThousandMore);
    return made ? std::string() : made.error().message;
  };
  EXPECT_NE(refused(fakeKernelInfo("k", {Value}), fakeKernelInfo("k", {})).find("how many arguments"),
            std::string::npos);
  EXPECT_NE(refused(fakeKernelInfo("k", {Value}), fakeKernelInfo("k", {GlobalPointer})).find("what argument 0 is"),
            std::string::npos);
  KernelInfo wide = fakeKernelInfo("k", {Value});
  wide.arguments[0].size = 8;
  EXPECT_NE(refused(fakeKernelInfo("k", {Value}), wide).find("what argument 0 is"), std::string::npos);
  EXPECT_EQ(refused(fakeKernelInfo("k", {GlobalPointer}), fakeKernelInfo("k", {ConstantPointer})), "");
}

} // namespace
} // namespace us::compare
