// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices of one process whose engines differ, and what an engine's options do.
#include "emulator/device/engine.h"

#include "emulator/device/code_target.h"
#include "emulator/device/emulated_device.h"
#include "emulator/device/emulated_devices.h"
#include "emulator/device/emulated_kernel.h"
#include "runtime/device/command_outcome.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <numeric>
#include <set>

namespace us::emulator {
namespace {

namespace fs = std::filesystem;

constexpr const char *kTickets = "kernel void tickets(global uint *out, global volatile uint *next) {"
                                 "  out[get_group_id(0) * get_local_size(0) + get_local_id(0)] = atomic_inc(next); }";
constexpr uint32_t kItems = 64, kGroup = 8;

Engine &engineOf(Device &device) { return static_cast<EmulatedDevice &>(device).engine(); }

struct Outcome {
  std::vector<uint32_t> tickets; ///< by work-item
  abi::Tier tier;
  bool baseline;
};

Outcome runTickets(Device &device) {
  BuildResult built = device.compile({kTickets, "", {}, true});
  EXPECT_TRUE(built) << built.log;
  std::unique_ptr<DeviceMemory> memory = *device.allocate({(kItems + 1) * 4, 0, nullptr});
  std::memset(memory->hostAddress(), 0, (kItems + 1) * 4);
  LaunchCommand launch;
  launch.kernel = *(*built)->kernel("tickets");
  launch.globalSize = {kItems, 1, 1};
  launch.localSize = {kGroup, 1, 1};
  const uint64_t addresses[] = {memory->address(), memory->address() + kItems * 4};
  launch.arguments.resize(sizeof addresses);
  std::memcpy(launch.arguments.data(), addresses, sizeof addresses);
  const KernelCode &code = static_cast<EmulatedKernel &>(*launch.kernel).code();
  CommandOutcome outcome;
  device.submit(Command(launch), outcome);
  EXPECT_TRUE(outcome.result);
  std::vector<uint32_t> tickets(kItems);
  std::memcpy(tickets.data(), memory->hostAddress(), kItems * 4);
  return {std::move(tickets), code.tier(), code.baselineItems() > 0};
}

std::string makeFolder() {
  std::string pattern = testing::TempDir() + "us-engine-XXXXXX";
  return mkdtemp(pattern.data());
}

Options withoutCache() {
  Options options;
  options.cache = false;
  return options;
}

TEST(Engine, DevicesOfAProcessMayDifferInEverything) {
  Options first, second;
  first.cacheDirectory = makeFolder();
  second.cacheDirectory = makeFolder();
  first.tier = "fiber";
  second.optimize = "always";
  second.threads = 3;
  second.seed = 1;
  first.memory = 64 << 20;
  second.memory = 128 << 20;
  const Ref<Device> one = createDevices(first).front(), other = createDevices(second).front();
  const Outcome ofOne = runTickets(*one), ofOther = runTickets(*other);
  EXPECT_EQ(ofOne.tier, abi::Tier::Fiber);
  EXPECT_EQ(ofOther.tier, abi::Tier::Loop);
  EXPECT_TRUE(ofOne.baseline);
  EXPECT_FALSE(ofOther.baseline);
  EXPECT_NE(ofOne.tickets, ofOther.tickets);
  EXPECT_EQ(one->info().globalMemory, 64u << 20);
  EXPECT_EQ(other->info().globalMemory, 128u << 20);
  EXPECT_EQ(engineOf(*other).threads, 3u);

  // Neither finds what the other made, and each counts its own.
  runTickets(*one);
  EXPECT_EQ(engineOf(*one).statistics.builds, 2u);
  EXPECT_EQ(engineOf(*one).statistics.programHits, 1u);
  EXPECT_EQ(engineOf(*one).statistics.launches, 2u);
  EXPECT_EQ(engineOf(*other).statistics.builds, 1u);
  EXPECT_EQ(engineOf(*other).statistics.programHits, 0u);
  EXPECT_EQ(engineOf(*other).statistics.launches, 1u);
  for (const std::string &folder : {first.cacheDirectory, second.cacheDirectory}) {
    EXPECT_FALSE(fs::is_empty(folder));
    fs::remove_all(folder);
  }
}

TEST(Engine, ASeedDecidesTheOrder) {
  for (const char *tier : {"fiber", "loop"}) {
    const auto ticketsWith = [&](uint64_t seed) {
      Options options = withoutCache();
      options.tier = tier;
      options.seed = seed;
      return runTickets(*createDevices(options).front()).tickets;
    };
    const std::vector<uint32_t> order = ticketsWith(7);
    EXPECT_EQ(std::set(order.begin(), order.end()).size(), kItems);
    EXPECT_EQ(order, ticketsWith(7));
    EXPECT_NE(order, ticketsWith(8));
  }
}

TEST(Engine, EveryTierIsAChoice) {
  for (const abi::TierInfo &known : abi::kTiers) {
    Options options = withoutCache();
    EXPECT_TRUE(setOption(options, "TIER", known.name)) << known.name;
    EXPECT_EQ(engineOf(*createDevices(options).front()).fastestTier, known.tier);
  }
}

TEST(Engine, EveryTargetIsAChoice) {
  std::set<std::string> identities;
  for (const abi::TargetInfo &known : abi::kTargets) {
    Options options = withoutCache();
    options.optimize = "always";
    EXPECT_TRUE(setOption(options, "TARGET", known.name)) << known.name;
    const Ref<Device> device = createDevices(options).front();
    EXPECT_EQ(engineOf(*device).target, known.target);
    // Code for one is never taken for another: neither a binary nor a program's own cache of them.
    identities.insert(device->info().codeIdentity);
    identities.insert(device->info().driverVersion);
    if (!checkTarget(options)) continue;
    const std::vector<uint32_t> tickets = runTickets(*device).tickets;
    EXPECT_EQ(std::set(tickets.begin(), tickets.end()).size(), kItems) << known.name;
  }
  EXPECT_EQ(identities.size(), 2 * std::size(abi::kTargets));
}

TEST(Engine, AMachineThatLacksSomethingIsTold) {
  const auto sentence = [](unsigned level, abi::Target target) {
    const Expected<void> executes = checkExecutes({.level = level}, target);
    return executes ? "" : executes.error().message;
  };
  EXPECT_EQ(sentence(3, abi::Target::Avx512),
            "this machine cannot execute code for the target avx512: it is x86-64-v3, and that needs x86-64-v4");
  EXPECT_EQ(sentence(0, abi::Target::Sse42),
            "this machine cannot execute code for the target sse4.2: it is no x86-64, and that needs x86-64-v2");
  EXPECT_EQ(sentence(3, abi::Target::Avx2Gather), "");
  EXPECT_EQ(sentence(0, abi::Target::Host), "");
}

TEST(Engine, CodeForATargetKnowsOnlyItsPartOfTheMachine) {
  const profiles::Machine whole{.vectorBits = 512, .fma = true};
  EXPECT_EQ(limitedTo(abi::Target::Host, whole).vectorBits, 512u);
  EXPECT_TRUE(limitedTo(abi::Target::Host, whole).fma);
  EXPECT_EQ(limitedTo(abi::Target::Avx2, whole).vectorBits, 256u);
  EXPECT_TRUE(limitedTo(abi::Target::Avx2, whole).fma);
  EXPECT_FALSE(limitedTo(abi::Target::Avx2, {.vectorBits = 128}).fma);
  EXPECT_EQ(limitedTo(abi::Target::Sse42, whole).vectorBits, 128u);
  EXPECT_FALSE(limitedTo(abi::Target::Sse42, whole).fma);
}

} // namespace
} // namespace us::emulator
