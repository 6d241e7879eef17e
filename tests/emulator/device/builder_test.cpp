// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds through the disk cache, with the real compiler.
#include "emulator/device/builder.h"
#include "emulator/device/compiler_library.h"
#include "emulator/device/emulated_device.h"
#include "emulator/device/emulated_devices.h"
#include "emulator/device/emulated_kernel.h"
#include "runtime/device/command_outcome.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <thread>

namespace us::emulator {
namespace {

namespace fs = std::filesystem;

/// One directory for this process, and for those it starts once there is something in it.
const std::string &cacheFolder() {
  static const std::string folder = [] {
    if (const char *filled = std::getenv("US_TEST_FILLED")) return std::string(filled);
    std::string pattern = testing::TempDir() + "us-builder-XXXXXX";
    return std::string(mkdtemp(pattern.data()));
  }();
  return folder;
}

/// A device whose cache that is, with counts of its own.
Ref<EmulatedDevice> makeDevice() {
  Options options;
  options.cacheDirectory = cacheFolder();
  Ref<Device> device = createDevices(options).front();
  return Ref<EmulatedDevice>(static_cast<EmulatedDevice *>(device.get()));
}

constexpr const char *kSource = "kernel void answer(global int *x) { x[get_global_id(0)] = 42; }";

/// A launch of 64 work-items over `memory`.
LaunchCommand launchOf(DeviceProgram &program, const char *kernel, const DeviceMemory &memory) {
  LaunchCommand launch;
  launch.kernel = *program.kernel(kernel);
  launch.globalSize = {64, 1, 1};
  launch.arguments.resize(launch.kernel->info().argumentBlockSize);
  uint64_t address = memory.address();
  std::memcpy(launch.arguments.data(), &address, 8);
  return launch;
}

/// Builds and runs; true if the result is right.
bool buildAndRun(Device &device, const char *source = kSource) {
  BuildResult built = device.compile({source, "", {}, true});
  if (!built) return false;
  std::unique_ptr<DeviceMemory> memory = *device.allocate({64 * 4, 0, nullptr});
  CommandOutcome outcome;
  Command command = launchOf(**built, "answer", *memory);
  device.submit(command, outcome);
  int last = 0;
  std::memcpy(&last, memory->hostAddress() + 63 * 4, 4);
  return outcome.result && last == 42;
}

class BuilderTest : public testing::Test {
protected:
  static void TearDownTestSuite() {
    // What was prepared and never launched may still be on its way into the cache.
    std::error_code failed;
    for (int i = 0; i < 1000; ++i) {
      fs::remove_all(cacheFolder(), failed);
      if (!failed) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ADD_FAILURE() << failed.message();
  }
  void SetUp() override { fs::create_directories(cacheFolder()); }
  const Ref<EmulatedDevice> device = makeDevice();
  const Statistics &counts = device->engine().statistics;
};
using BuilderDeathTest = BuilderTest;

TEST_F(BuilderDeathTest, HitsDoNotOpenTheCompiler) {
  GTEST_FLAG_SET(death_test_style, "threadsafe"); // a new process, with the same cache, that runs this test up to here
  if (!std::getenv("US_TEST_FILLED")) ASSERT_TRUE(buildAndRun(*device));
  setenv("US_TEST_FILLED", cacheFolder().c_str(), 1);
  EXPECT_EXIT(
      {
        Ref<EmulatedDevice> again = makeDevice();
        bool hit = again->compile({kSource, "", {}, true}) && again->engine().statistics.programHits == 1;
        _exit(hit && !compilerIsOpen() ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
  EXPECT_EXIT(
      {
        Ref<EmulatedDevice> again = makeDevice();
        const Statistics &counts = again->engine().statistics;
        bool right = buildAndRun(*again) && counts.kernelHits == 1 && counts.kernelsGenerated == 0;
        _exit(right && !compilerIsOpen() ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(BuilderDeathTest, ExitWhileOthersBuildAndRunIsClean) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        Ref<Device> mine = makeDevice();
        std::atomic<int> started{0};
        for (int t = 0; t < 3; ++t)
          std::thread([&started, mine, t] {
            for (int round = 0;; ++round) {
              std::string source = kSource + std::string("\n// exit ") + std::to_string(getpid() + t * 1000 + round);
              buildAndRun(*mine, source.c_str()); // fails once the process is exiting
              ++started;
            }
          }).detach();
        while (started < 3) std::this_thread::yield();
        std::exit(0);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(BuilderTest, WarningsComeBackFromTheCache) {
  const char *source = "#warning look here\nkernel void answer(global int *x) { x[0] = 42; }";
  BuildResult first = device->compile({source, "", {}, true});
  uint64_t hits = counts.programHits;
  BuildResult second = device->compile({source, "", {}, true});
  EXPECT_EQ(counts.programHits, hits + 1);
  EXPECT_NE(first.log.find("look here"), std::string::npos);
  EXPECT_EQ(first.log, second.log);
}

TEST_F(BuilderTest, OptionsAndHeadersAreInTheKey) {
  uint64_t hits = counts.programHits;
  for (const char *options : {"-DA=1", "-DA=2"}) EXPECT_TRUE(device->compile({kSource, options, {}, true}));
  const char *source = "#include \"a.h\"\nkernel void answer(global int *x) { x[0] = A; }";
  for (const char *text : {"#define A 1\n", "#define A 2\n"})
    EXPECT_TRUE(device->compile({source, "", {{"a.h", text}}, false}));
  EXPECT_EQ(counts.programHits, hits);
}

TEST_F(BuilderTest, AChangedIncludedFileIsCompiledAnew) {
  std::string folder = cacheFolder() + "/include";
  fs::create_directories(folder);
  auto variables = [&](const char *header) {
    std::ofstream(folder + "/size.h") << header;
    BuildResult built = device->compile(
        {"#include \"size.h\"\nglobal int table[N];\nkernel void answer(global int *x) { x[0] = table[0]; }",
         "-cl-std=CL3.0 -I " + folder,
         {},
         true});
    EXPECT_TRUE(built) << built.log;
    return built ? (*built)->globalVariableSize() : 0;
  };
  EXPECT_EQ(variables("#define N 10\n"), 40u);
  EXPECT_EQ(variables("#define N 20\n"), 80u);
  uint64_t hits = counts.programHits;
  EXPECT_EQ(variables("#define N 20\n"), 80u);
  EXPECT_EQ(counts.programHits, hits + 1);
}

TEST_F(BuilderTest, DamagedEntriesAreMadeAnew) {
  const char *source = "kernel void answer(global int *x) { x[get_global_id(0)] = 40 + 2; }";
  ASSERT_TRUE(buildAndRun(*device, source));
  for (auto &entry : fs::recursive_directory_iterator(cacheFolder())) {
    if (!entry.is_regular_file()) continue;
    std::fstream file(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(60);
    file.write("damage", 6);
  }
  uint64_t hits = counts.programHits, made = counts.kernelsGenerated;
  EXPECT_TRUE(buildAndRun(*device, source));
  EXPECT_EQ(counts.programHits, hits);
  EXPECT_EQ(counts.kernelsGenerated, made + 1);
  EXPECT_TRUE(buildAndRun(*device, source));
  EXPECT_EQ(counts.programHits, hits + 1);
}

/// Objects with a jump table, with constants and with a call of the C library; and damaged ones.
TEST_F(BuilderTest, CodeIsPlacedWithoutTheCompiler) {
  const char *source =
      "constant int kPowers[] = {1, 10, 100, 1000, 10000};\n"
      "typedef struct { int words[64]; } Block;\n"
      "kernel void answer(global int *x) {\n"
      "  int i = get_global_id(0), y = x[i], r;\n"
      "  switch (y) { case 0: r = i; break; case 1: r = i * i; break; case 2: r = y - i; break;\n"
      "    case 3: r = i << 3; break; case 4: r = ~i; break; case 5: r = i / 3; break; default: r = 7; }\n"
      "  x[i] = r == kPowers[i % 5] ? 42 : i == 63 ? 42 : r;\n"
      "}\n"
      "kernel void copies(global Block *to, global const Block *from) { to[get_global_id(0)] = *from; }\n";
  Logged<StoredProgram> built = compileProgram(device->engine(), {source, "", {}, true}, {});
  ASSERT_TRUE(built) << built.log;
  struct Case {
    const char *kernel;
    bool baseline;
  };
  for (const auto &[kernel, baseline] :
       {Case{"answer", false}, {"copies", false}, {"answer", true}, {"copies", true}}) {
    const abi::Specialization wanted{.tier = abi::Tier::Loop, .baseline = baseline, .localSize = {64, 1, 1}};
    Expected<abi::CodeData> code;
    ASSERT_TRUE(callCompiler(
        [&](const abi::CompilerApi &api) { code = api.generate({built->module.ir, kernel, wanted}, {}, nullptr); }));
    ASSERT_TRUE(code) << code.error().message;
    EXPECT_EQ(code->baseline, baseline);
    LinkedCode linked = linkObject(*code);
    EXPECT_NE(linked.pages, nullptr) << kernel;
    unlinkObject(linked);
    std::mt19937 random(5);
    for (int round = 0; round < 3000; ++round) {
      abi::CodeData damaged = *code;
      for (int change = 0; change < 3; ++change) damaged.object[random() % damaged.object.size()] = char(random());
      if (round % 8 == 0) damaged.object.resize(random() % damaged.object.size());
      unlinkObject(linkObject(damaged)); // whatever it is, linking it does no harm
    }
  }
}

TEST_F(BuilderTest, TooLargeVariablesAreABuildError) {
  BuildResult built =
      device->compile({"global char table[1 << 28];\nkernel void answer(global int *x) { x[0] = table[x[1]]; }",
                       "-cl-std=CL3.0",
                       {},
                       true});
  EXPECT_FALSE(built);
  EXPECT_EQ(built.error().code, ErrorCode::BuildProgramFailure);
}

TEST_F(BuilderTest, PreparedLaunchesFindTheirCodeMade) {
  BuildResult built = device->compile({"kernel void one(global int *x) { x[get_global_id(0)] = 7; }"
                                       "kernel void two(global int *x) { x[get_global_id(0)] *= 6; }",
                                       "",
                                       {},
                                       true});
  ASSERT_TRUE(built);
  std::unique_ptr<DeviceMemory> memory = *device->allocate({64 * 4, 0, nullptr});
  const uint64_t before = counts.kernelsGenerated;
  std::vector<Command> commands;
  for (const char *name : {"one", "two"}) {
    LaunchCommand launch = launchOf(**built, name, *memory);
    EXPECT_TRUE(launch.kernel->wantsPreparation());
    device->prepare(launch);
    EXPECT_FALSE(launch.kernel->wantsPreparation());
    commands.push_back(std::move(launch));
  }
  for (int i = 0; i < 10000 && counts.kernelsGenerated < before + 2; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(counts.kernelsGenerated, before + 2);
  for (const Command &command : commands) {
    CommandOutcome outcome;
    device->submit(command, outcome);
    EXPECT_TRUE(outcome.result);
  }
  EXPECT_EQ(counts.kernelsGenerated, before + 2);
  int last = 0;
  std::memcpy(&last, memory->hostAddress() + 63 * 4, 4);
  EXPECT_EQ(last, 42);
}

/// A kernel's first work-items run baseline code, unless it has a loop or many come at once.
TEST_F(BuilderTest, CodeIsOptimizedOnceItHasRunMuch) {
  BuildResult built = device->compile(
      {"kernel void straight(global int *x) { x[get_group_id(0) * 64 + get_local_id(0)] += 1; }"
       "kernel void looping(global int *x) { for (int i = 0; i < x[0]; ++i) x[get_global_id(0)] += i; }",
       "",
       {},
       true});
  ASSERT_TRUE(built) << built.log;
  constexpr uint64_t kLimit = 65536;
  std::unique_ptr<DeviceMemory> memory = *device->allocate({2 * kLimit * 4, 0, nullptr});
  auto itemsAfter = [&](const char *kernel, uint64_t items) {
    LaunchCommand launch = launchOf(**built, kernel, *memory);
    launch.globalSize = {items, 1, 1};
    launch.localSize = {64, 1, 1};
    const KernelCode &code = static_cast<EmulatedKernel &>(*launch.kernel).code();
    CommandOutcome outcome;
    device->submit(Command(launch), outcome);
    EXPECT_TRUE(outcome.result);
    return code.baselineItems();
  };
  const uint64_t made = counts.kernelsGenerated;
  EXPECT_EQ(itemsAfter("looping", 64), 0u);
  EXPECT_EQ(itemsAfter("straight", 64), 64u);
  EXPECT_EQ(itemsAfter("straight", 128), 192u);
  EXPECT_EQ(itemsAfter("straight", kLimit - 192), kLimit);
  EXPECT_EQ(counts.kernelsGenerated, made + 2);
  EXPECT_EQ(itemsAfter("straight", 64), kLimit) << "optimized code ran it";
  EXPECT_EQ(counts.kernelsGenerated, made + 3);
  int first = 0, last = 0;
  std::memcpy(&first, memory->hostAddress() + 63 * 4, 4);
  std::memcpy(&last, memory->hostAddress() + (kLimit - 193) * 4, 4);
  EXPECT_EQ(first, 4);
  EXPECT_EQ(last, 1);

  // Many at once are worth the time, and what was optimized serves the next program too.
  BuildResult again = device->compile(
      {"kernel void straight(global int *x) { x[get_group_id(0) * 64 + get_local_id(0)] += 2; }", "", {}, true});
  ASSERT_TRUE(again) << again.log;
  built = std::move(again);
  EXPECT_EQ(itemsAfter("straight", 2 * kLimit), 0u);
  EXPECT_EQ(itemsAfter("straight", 64), 0u);
}

TEST_F(BuilderTest, AFailedPreparationIsTheLaunchsError) {
  // The code generator has no assembler.
  BuildResult built = device->compile(
      {"kernel void bad(global int *x) { __asm__ volatile(\"no such instruction\"); x[0] = 1; }", "", {}, true});
  ASSERT_TRUE(built) << built.log;
  std::unique_ptr<DeviceMemory> memory = *device->allocate({64 * 4, 0, nullptr});
  LaunchCommand launch = launchOf(**built, "bad", *memory);
  device->prepare(launch);
  const Command command = std::move(launch);
  for (int i = 0; i < 2; ++i) { // while it is prepared, or after
    CommandOutcome outcome;
    device->submit(command, outcome);
    ASSERT_FALSE(outcome.result);
    EXPECT_NE(outcome.result.error().message.find("the code generator failed for kernel 'bad'"), std::string::npos)
        << outcome.result.error().message;
  }
}

/// Programs prepared and let go at once.
TEST_F(BuilderTest, PreparationOutlivesTheProgram) {
  for (int round = 0; round < 5; ++round) {
    std::string source = kSource + std::string("\nglobal int u") + std::to_string(round) + ";";
    BuildResult built = device->compile({source, "-cl-std=CL3.0", {}, true});
    ASSERT_TRUE(built) << built.log;
    std::unique_ptr<DeviceMemory> memory = *device->allocate({64 * 4, 0, nullptr});
    device->prepare(launchOf(**built, "answer", *memory));
  }
  EXPECT_TRUE(buildAndRun(*device));
}

/// Programs that go while others build and run.
TEST_F(BuilderTest, SeveralThreadsBuildAndLetGo) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      for (int round = 0; round < 5; ++round) {
        std::string source = kSource + std::string("\n// ") + std::to_string(t % 2) + std::to_string(round);
        EXPECT_TRUE(buildAndRun(*device, source.c_str()));
      }
    });
  for (std::thread &thread : threads) thread.join();
}

} // namespace
} // namespace us::emulator
