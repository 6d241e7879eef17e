// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A right, a wrong, a failing and an unsteady candidate or reference, and what the report says of each.
#include "runtime/compare/compare_devices.h"
#include "runtime/device/command_outcome.h"
#include "tests/support/fake_device.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <fstream>
#include <numeric>
#include <thread>
#include <unistd.h>

namespace us::compare {
namespace {

using test::FakeDevice;
using test::FakeKernelFunction;
using test::fakeKernelInfo;
using test::FakeLaunch;
using enum ArgumentKind;
using Json = nlohmann::json;

/// How the two devices lie to each other: in the same memory, or in two that the host reaches only one of.
enum class Memory : uint8_t { Shared, Separate };

class Compared : public testing::TestWithParam<Memory> {
protected:
  void SetUp() override {
    char path[] = "/tmp/compared-device-test-XXXXXX";
    close(mkstemp(path));
    report_ = path;
    const bool isShared = GetParam() == Memory::Shared;
    using enum FakeDevice::Submission;
    reference =
        FakeDevice::create({.sharesHostMemory = isShared, .submission = isShared ? Runs : Returns, .name = "first"});
    candidate = FakeDevice::create({.name = "second"});
    device = comparedDevices({{reference, candidate}}, {.report = report_})[0];
  }
  void TearDown() override { unlink(report_.c_str()); }

  /// A kernel "k" of one pointer to ints on both devices.
  void addKernels(FakeKernelFunction onReference, FakeKernelFunction onCandidate, KernelInfo info = kernelInfo()) {
    reference->addKernel(info, std::move(onReference));
    candidate->addKernel(info, std::move(onCandidate));
  }
  static KernelInfo kernelInfo() {
    KernelInfo info = fakeKernelInfo("k", {GlobalPointer});
    info.arguments[0].elementName = "int";
    info.arguments[0].typeName = "int*";
    info.arguments[0].name = "out";
    return info;
  }

  Expected<void> run(const Command &command) {
    AwaitedOutcome outcome;
    device->submit(command, outcome);
    outcome.wait();
    return outcome.result;
  }

  /// Runs "k" over {0, 1, 2, ...}: what the program then sees.
  std::vector<int> launched(size_t count = 8) {
    std::unique_ptr<DeviceMemory> memory = *device->allocate({.size = count * 4});
    std::vector<int> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0);
    move(*memory, numbers, true);
    BuildResult built = device->compile({"k", "", {}, true});
    EXPECT_TRUE(built) << built.log;
    LaunchCommand launch;
    launch.kernel = *(*built)->kernel("k");
    launch.globalSize = {count, 1, 1};
    launch.arguments.resize(8);
    const uint64_t address = memory->address();
    memcpy(launch.arguments.data(), &address, sizeof address);
    result = run(launch);
    move(*memory, numbers, false);
    return numbers;
  }
  void move(const DeviceMemory &memory, std::vector<int> &numbers, bool isIn) {
    auto *const there = reinterpret_cast<std::byte *>(memory.address()), *const here = reinterpret_cast<std::byte *>(
                                                                             numbers.data());
    CopyCommand copy;
    copy.to = isIn ? there : here;
    copy.from = isIn ? here : there;
    copy.region = {numbers.size() * 4, 1, 1};
    EXPECT_TRUE(run(copy));
  }
  std::vector<Json> lines() const {
    std::vector<Json> all;
    std::ifstream file(report_);
    for (std::string line; std::getline(file, line);) all.push_back(Json::parse(line));
    return all;
  }

  Ref<FakeDevice> reference, candidate;
  Ref<Device> device;
  Expected<void> result;

private:
  std::string report_;
};

Expected<void> doubles(const FakeLaunch &launch) {
  for (uint64_t i = 0; i < launch.command.globalSize[0]; ++i) launch.pointer<int>(0)[i] *= 2;
  return {};
}

TEST_P(Compared, RightKernelsAreTheSame) {
  addKernels(doubles, doubles);
  EXPECT_EQ(launched(4), (std::vector{0, 2, 4, 6}));
  EXPECT_TRUE(result);
  ASSERT_EQ(lines().size(), 1u);
  EXPECT_EQ(lines()[0].at("state"), "same");
  EXPECT_EQ(lines()[0].at("kernel"), "k");
  EXPECT_EQ(lines()[0].at("reference"), "first");
  EXPECT_EQ(lines()[0].at("candidate"), "second");
}

TEST_P(Compared, AWrongCandidateIsNamedAndHarmsNobody) {
  addKernels(doubles, [](const FakeLaunch &launch) {
    (void)doubles(launch);
    launch.pointer<int>(0)[5] = -1;
    return Expected<void>();
  });
  EXPECT_EQ(launched(8), (std::vector{0, 2, 4, 6, 8, 10, 12, 14}));
  const Json line = lines().at(0);
  EXPECT_EQ(line.at("state"), "different");
  const Json &memory = line.at("memory").at(0);
  EXPECT_EQ(memory.at("argument"), 0);
  EXPECT_EQ(memory.at("name"), "out");
  EXPECT_EQ(memory.at("differing"), 1);
  EXPECT_EQ(memory.at("elements"), 8);
  EXPECT_EQ(memory.at("first").at(0), (Json{{"element", 5}, {"lane", 0}, {"reference", "10"}, {"candidate", "-1"}}));
}

TEST_P(Compared, AFailingCandidateIsADifference) {
  addKernels(doubles, [](const FakeLaunch &launch) -> Expected<void> {
    launch.pointer<int>(0)[1] = 99;
    return fail(ErrorCode::KernelFault, "as it was told");
  });
  EXPECT_EQ(launched(3), (std::vector{0, 2, 4}));
  EXPECT_TRUE(result);
  EXPECT_EQ(lines().at(0).at("state"), "different");
  EXPECT_EQ(lines().at(0).at("failure"), "the candidate fails: as it was told");
}

TEST_P(Compared, ACandidateWithoutRoomIsNone) {
  addKernels(doubles, [](const FakeLaunch &launch) -> Expected<void> {
    launch.pointer<int>(0)[1] = 99;
    return fail(ErrorCode::OutOfResources, "as it was told");
  });
  EXPECT_EQ(launched(3), (std::vector{0, 2, 4}));
  EXPECT_EQ(lines().at(0).at("state"), "not compared");
  EXPECT_EQ(lines().at(0).at("reason"), "the candidate fails: as it was told");
}

TEST_P(Compared, AFailingReferenceIsTheProgramsAffair) {
  addKernels([](const FakeLaunch &) -> Expected<void> { return fail(ErrorCode::KernelFault, "as it was told"); },
             doubles);
  launched();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::KernelFault);
  EXPECT_EQ(lines().at(0).at("state"), "not compared");
  EXPECT_NE(lines().at(0).at("reason").get<std::string>().find("as it was told"), std::string::npos);
}

TEST_P(Compared, WhatTheReferenceDoesNotRepeatIsCountedOnly) {
  auto count = std::make_shared<std::atomic<int>>(0);
  addKernels(
      [count](const FakeLaunch &launch) {
        (void)doubles(launch);
        launch.pointer<int>(0)[2] = 1000 + (*count)++;
        return Expected<void>();
      },
      doubles);
  EXPECT_EQ(launched(4), (std::vector{0, 2, 1000, 6}));
  EXPECT_GT(*count, 1);
  EXPECT_EQ(lines().at(0).at("state"), "same");
  EXPECT_EQ(lines().at(0).at("memory").at(0).at("unsteady"), 1);
}

TEST_P(Compared, KernelsThatPrintRunOnce) {
  auto count = std::make_shared<std::atomic<int>>(0);
  KernelInfo info = kernelInfo();
  info.usesPrintf = true;
  const auto counts = [count](const FakeLaunch &launch) {
    ++*count;
    return doubles(launch);
  };
  addKernels(counts, counts, info);
  EXPECT_EQ(launched(2), (std::vector{0, 2}));
  EXPECT_EQ(*count, 1);
  EXPECT_EQ(lines().at(0).at("state"), "not compared");
  EXPECT_EQ(lines().at(0).at("reason"), "it prints, and would do so twice");
}

TEST_P(Compared, ABuildThatTheCandidateRefusesIsToldOnce) {
  reference->addKernel(kernelInfo(), doubles);
  EXPECT_EQ(launched(2), (std::vector{0, 2}));
  ASSERT_EQ(lines().size(), 2u);
  EXPECT_EQ(lines()[0].at("state"), "not built");
  EXPECT_EQ(lines()[1].at("state"), "not compared");
}

TEST_P(Compared, CommandsInASequenceAreComparedEach) {
  addKernels(doubles, [](const FakeLaunch &) { return Expected<void>(); });
  std::unique_ptr<DeviceMemory> memory = *device->allocate({.size = 4});
  BuildResult built = device->compile({"k", "", {}, true});
  FillCommand fill;
  fill.to = reinterpret_cast<std::byte *>(memory->address());
  fill.size = fill.patternSize = 4;
  fill.pattern[0] = std::byte{3};
  LaunchCommand launch;
  launch.kernel = *(*built)->kernel("k");
  launch.arguments.resize(8);
  const uint64_t address = memory->address();
  memcpy(launch.arguments.data(), &address, sizeof address);
  const auto list = std::make_shared<CommandList>(CommandList{{fill, launch, launch}});
  EXPECT_TRUE(run(SequenceCommand{list}));
  std::vector<int> number(1);
  move(*memory, number, false);
  EXPECT_EQ(number[0], 12);
  ASSERT_EQ(lines().size(), 2u);
  EXPECT_EQ(lines()[0].at("memory")[0].at("first")[0].at("reference"), "6");
  EXPECT_EQ(lines()[1].at("memory")[0].at("first")[0].at("reference"), "12");
}

TEST_P(Compared, LaunchesOfSeveralThreadsDoNotDisturbEachOther) {
  addKernels(doubles, doubles);
  BuildResult built = device->compile({"k", "", {}, true});
  std::unique_ptr<DeviceMemory> memory = *device->allocate({.size = 4 * 4});
  std::vector<int> ones(4, 1);
  move(*memory, ones, true);
  // Each has a number of its own in one allocation, and the whole of it is put back after each launch.
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      LaunchCommand launch;
      launch.kernel = *(*built)->kernel("k");
      launch.arguments.resize(8);
      const uint64_t address = memory->address() + 4 * t;
      memcpy(launch.arguments.data(), &address, sizeof address);
      for (int i = 0; i < 10; ++i) EXPECT_TRUE(run(launch));
    });
  for (std::thread &thread : threads) thread.join();
  move(*memory, ones, false);
  EXPECT_EQ(ones, std::vector<int>(4, 1024));
  for (const Json &line : lines()) EXPECT_EQ(line.at("state"), "same");
  EXPECT_EQ(lines().size(), 40u);
}

// As queues do: on whichever thread they hear that a command has ended.
TEST_P(Compared, WhoHearsOfAnEndMaySubmitMore) {
  addKernels(doubles, doubles);
  BuildResult built = device->compile({"k", "", {}, true});
  std::unique_ptr<DeviceMemory> memory = *device->allocate({.size = 4});
  std::vector<int> number{1};
  move(*memory, number, true);
  LaunchCommand launch;
  launch.kernel = *(*built)->kernel("k");
  launch.arguments.resize(8);
  const uint64_t address = memory->address();
  memcpy(launch.arguments.data(), &address, sizeof address);
  struct Chain final : AwaitedOutcome {
    Chain(Device &device, const Command &command, int more) : device(device), command(command), more(more) {}
    void finished(uint64_t time, Expected<void> how) override {
      EXPECT_TRUE(how);
      if (more-- > 0) return device.submit(command, *this);
      AwaitedOutcome::finished(time, std::move(how));
    }
    Device &device;
    const Command command;
    int more;
  } chain(*device, launch, 4);
  device->submit(chain.command, chain);
  chain.wait();
  move(*memory, number, false);
  EXPECT_EQ(number[0], 32);
}

INSTANTIATE_TEST_SUITE_P(Memory, Compared, testing::Values(Memory::Shared, Memory::Separate),
                         [](const auto &info) { return info.param == Memory::Shared ? "shared" : "separate"; });

/// Memory that kernels reach by pointers in memory is put back as well.
TEST(ComparedPointers, AreFollowedWhereMemoryIsShared) {
  const Ref<FakeDevice> reference = FakeDevice::create(), candidate = FakeDevice::create();
  for (const Ref<FakeDevice> &one : {reference, candidate})
    one->addKernel(fakeKernelInfo("k", {GlobalPointer}), [](const FakeLaunch &launch) {
      ++**launch.pointer<int *>(0);
      return Expected<void>();
    });
  const Ref<Device> device = comparedDevices({{reference, candidate}}, {.report = "/dev/null"})[0];
  const std::unique_ptr<DeviceMemory> pointer = *device->allocate({.size = 8}),
                                      number = *device->allocate({.size = 4, .isPointedTo = true});
  auto *const target = reinterpret_cast<int *>(number->hostAddress());
  *target = 41;
  memcpy(pointer->hostAddress(), &target, sizeof target);
  BuildResult built = device->compile({"k", "", {}, true});
  LaunchCommand launch;
  launch.kernel = *(*built)->kernel("k");
  launch.arguments.resize(8);
  const uint64_t address = pointer->address();
  memcpy(launch.arguments.data(), &address, sizeof address);
  CommandOutcome outcome;
  device->submit(launch, outcome);
  EXPECT_TRUE(outcome.result);
  EXPECT_EQ(*target, 42);
}

} // namespace
} // namespace us::compare
