// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every device must do with launches: their sizes and times, and what kernels call.
#include "tests/device_contract/contract_steps.h"

#include "runtime/device/device_runtime.h"

#include <atomic>
#include <new>
#include <numeric>
#include <optional>
#include <thread>
#include <utility>

namespace us::test {
namespace {

/// An API with two functions: the first gives a number, the second asks for that one and launches `child`.
class SmallApi final : public DeviceRuntime {
public:
  class OneRun final : public Run {
  public:
    explicit OneRun(const SmallApi &api) : api_(api) {}
    ~OneRun() override { ++api_.ended; }
    Launch &root() override { return root_; }
    std::optional<uint64_t> call(Launch &caller, DeviceFunction function, DeviceCall &call) override {
      EXPECT_EQ(&caller, &root_);
      if (api_.throws) throw std::bad_alloc();
      if (function == api_.missing) return std::nullopt;
      if (function == DeviceFunction::CreateUserEvent) return 77;
      EXPECT_EQ(function, DeviceFunction::IsValidEvent);
      asked_ = true;
      return call.words[10] == 77;
    }
    Expected<Work> next(Launch &top, Launch *&at, bool isOver) override {
      EXPECT_TRUE(&top == &root_ && at == &root_ && isOver);
      if (api_.failure) return std::unexpected(*api_.failure);
      return std::exchange(asked_, false) ? Work{&api_.child, &child_} : Work{};
    }

  private:
    const SmallApi &api_;
    Launch root_, child_;
    bool asked_ = false;
  };
  std::unique_ptr<Run> begin(KernelMemory &memory) const override {
    const uint64_t zeros = memory.allocate(100, 256);
    EXPECT_TRUE(zeros && zeros % 256 == 0);
    ++begun;
    return std::make_unique<OneRun>(*this);
  }
  std::string_view verb() const override { return "started"; }

  Command child;
  DeviceFunction missing = DeviceFunction::GetDevice;
  bool throws = false;
  std::optional<Error> failure;
  mutable std::atomic<int> begun{0}, ended{0};
};

} // namespace

TEST_P(DeviceContract, LaunchesWithAndWithoutLocalSize) {
  Ref<DeviceProgram> program = build(*device, GetParam().twice);
  ASSERT_TRUE(program);
  expectTwice(*device, *program, 1024, {0, 0, 0});
  expectTwice(*device, *program, 1009, {0, 0, 0});
  if (device->info().maxWorkGroupSize >= 64) expectTwice(*device, *program, 1024, {64, 1, 1});
}

TEST_P(DeviceContract, SuggestsALocalSizeItAccepts) {
  Ref<DeviceProgram> program = build(*device, GetParam().twice);
  ASSERT_TRUE(program);
  Ref<DeviceKernel> kernel = *program->kernel("twice");
  for (uint64_t items : {1, 7, 64, 1000, 1009, 4096}) {
    Expected<Size3> local = device->suggestLocalSize(*kernel, 1, {0, 0, 0}, {items, 1, 1});
    ASSERT_TRUE(local);
    EXPECT_GE((*local)[0], 1u);
    EXPECT_EQ((*local)[1] * (*local)[2], 1u);
    EXPECT_LE((*local)[0], device->info().maxWorkGroupSize);
    if (kernel->info().uniformWorkGroups) EXPECT_EQ(items % (*local)[0], 0u);
    expectTwice(*device, *program, items, *local);
  }
}

TEST_P(DeviceContract, SeveralThreadsMaySubmit) {
  Ref<DeviceProgram> program = build(*device, GetParam().twice);
  ASSERT_TRUE(program);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int round = 0; round < 20; ++round) expectTwice(*device, *program, 100 + t * 31 + round, {0, 0, 0});
    });
  for (std::thread &thread : threads) thread.join();
}

// The times of a launch are those of its work-items: what the compiler needs comes before them, and is said.
TEST_P(DeviceContract, MachineCodeIsMadeBeforeALaunchBegins) {
  Ref<DeviceProgram> program = build(*device, GetParam().twice);
  ASSERT_TRUE(program);
  std::unique_ptr<DeviceMemory> memory = allocate(*device, 4096);
  auto list = std::make_shared<CommandList>();
  list->commands.emplace_back(launchOf(*program, memory->address(), 1024));
  Ref<DeviceProgram> again = build(*device, GetParam().twice);
  const Command commands[] = {launchOf(*again, memory->address(), 1024), launchOf(*again, memory->address(), 1024),
                              SequenceCommand{list}, SequenceCommand{list}};
  uint64_t awaited[4] = {};
  for (int i = 0; i < 4; ++i) {
    Watcher watcher;
    const uint64_t before = device->now();
    device->submit(commands[i], watcher);
    ASSERT_TRUE(watcher.wait());
    EXPECT_LE(watcher.awaited, watcher.begin - before);
    awaited[i] = watcher.awaited;
  }
  const bool compiles = awaited[0] != 0;
  EXPECT_EQ(awaited[1], 0u);
  EXPECT_EQ(awaited[2] != 0, compiles); // of another program
  EXPECT_EQ(awaited[3], 0u);
}

// What a device keeps of a list between its runs shows in no result: launches of many and of few work-items, by several
// threads at once, and in a copy whose launches were changed.
TEST_P(DeviceContract, ListsRunAgain) {
  constexpr uint64_t kItems = 1 << 16;
  constexpr int kRuns = 3, kThreads = 3;
  Ref<DeviceProgram> program = build(*device, GetParam().twice);
  ASSERT_TRUE(program);
  std::unique_ptr<DeviceMemory> memory = allocate(*device, (kItems + 2) * sizeof(unsigned));
  const auto many = launchOf(*program, memory->address(), kItems);
  const auto one = launchOf(*program, memory->address() + kItems * sizeof(unsigned), 1);
  std::vector<unsigned> numbers(kItems + 2);
  std::iota(numbers.begin(), numbers.end(), 1u);
  const auto doubled = [&](uint64_t first, uint64_t last, int times) {
    for (uint64_t i = first; i < last; ++i) numbers[i] <<= times;
  };
  const auto expectNumbers = [&] { EXPECT_EQ(take<unsigned>(*device, begin(*memory), kItems + 2), numbers); };
  // Code is made ahead, or the watcher complains.
  for (const auto *launch : {&many, &many, &one}) ASSERT_TRUE(run(*device, *launch));
  put(*device, begin(*memory), numbers);
  const auto list = std::make_shared<CommandList>(CommandList{{one, one, many}});
  for (int i = 0; i < kRuns; ++i) ASSERT_TRUE(run(*device, SequenceCommand{list}));
  doubled(0, kItems, kRuns);
  doubled(kItems, kItems + 1, 2 * kRuns);
  expectNumbers();

  const auto changed = std::make_shared<CommandList>(*list);
  changed->commands = {launchOf(*program, memory->address() + kItems * sizeof(unsigned), 2)};
  for (int i = 0; i < kRuns; ++i) ASSERT_TRUE(run(*device, SequenceCommand{changed}));
  doubled(kItems, kItems + 2, kRuns);
  expectNumbers();

  // First runs that meet, of numbers that stay 0.
  clear(*device, *memory, 0);
  const auto shared = std::make_shared<CommandList>(CommandList{{one, many}});
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < kRuns; ++i) EXPECT_TRUE(run(*device, SequenceCommand{shared}));
    });
  for (std::thread &thread : threads) thread.join();
  numbers.assign(numbers.size(), 0);
  expectNumbers();
}

TEST_P(DeviceContract, CarriesWhatKernelsCall) {
  if (GetParam().calls.empty()) return;
  BuildResult built = device->compile({GetParam().calls, GetParam().callsOptions, {}, true});
  ASSERT_TRUE(built) << built.log;
  DeviceProgram &program = **built;
  std::unique_ptr<DeviceMemory> memory = allocate(*device, 4);
  const auto api = makeRef<SmallApi>();
  LaunchCommand launch = launchOf(program, "calls", {memory->address()}, 1);
  EXPECT_TRUE(launch.kernel->info().usesDeviceQueue);
  api->child = launchOf(program, memory->address(), 1);
  ASSERT_TRUE(run(*device, api->child)); // the watcher expects no code to be made after a launch has begun
  const auto result = [&] { return take<int>(*device, begin(*memory), 1)[0]; };
  launch.deviceRuntime = api.get();
  // A command may be run again; each run is one of its own.
  const auto list = std::make_shared<CommandList>(CommandList{{launch, launch}});
  for (int i = 1; i <= 3; ++i) {
    clear(*device, *memory, 0);
    const Expected<void> done = run(*device, i < 3 ? Command(launch) : Command(SequenceCommand{list}));
    EXPECT_TRUE(done) << done.error().message;
    EXPECT_EQ(result(), 42) << "21, then twice that";
    EXPECT_EQ(api->ended, i < 3 ? i : 4);
    EXPECT_EQ(api->begun, api->ended);
  }
  const auto code = [&] {
    const Expected<void> done = run(*device, launch);
    EXPECT_EQ(api->begun, api->ended);
    return done ? ErrorCode::Internal : done.error().code;
  };
  // What goes wrong is how the launch has ended.
  api->failure = Error{ErrorCode::KernelDeadlock, "as asked"};
  EXPECT_EQ(code(), ErrorCode::KernelDeadlock);
  api->failure.reset();
  api->throws = true;
  EXPECT_EQ(code(), ErrorCode::OutOfHostMemory);
  api->throws = false;
  std::get<LaunchCommand>(api->child).localMemory = UINT64_MAX;
  EXPECT_EQ(device->check(std::get<LaunchCommand>(api->child)).error().code, ErrorCode::OutOfResources);
  EXPECT_EQ(code(), ErrorCode::OutOfResources);
  api->missing = DeviceFunction::CreateUserEvent;
  EXPECT_EQ(code(), ErrorCode::KernelTrap);
  launch.deviceRuntime = nullptr;
  EXPECT_EQ(code(), ErrorCode::KernelTrap);
}

} // namespace us::test
