// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/emulator/codegen/kernel_runner.h"

#include "emulator/codegen/codegen.h"
#include "tests/emulator/codegen/code_range.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <ucontext.h>

namespace us::test {
namespace {

struct Fiber {
  abi::ItemContext item;
  ucontext_t context;
  std::unique_ptr<std::byte[]> stack;
  bool ended = false;
};
ucontext_t scheduler;
Fiber *running = nullptr;
abi::ItemEntry itemEntry = nullptr;

void fiberMain() {
  itemEntry(&running->item);
  running->ended = true;
  swapcontext(&running->context, &scheduler);
}

void waitAtBarrier(abi::ItemContext *, uint32_t, uint32_t, uint32_t) { swapcontext(&running->context, &scheduler); }

abi::RuntimeFunctions makeRuntime() {
  abi::RuntimeFunctions runtime;
  runtime.barrier = waitAtBarrier;
  runtime.print = [](abi::GroupContext *, uint64_t, const char *, const std::byte *, uint32_t) { return 0; };
  runtime.trap = [](abi::GroupContext *, uint32_t) { std::abort(); };
  runtime.clock = [] { return uint64_t(1); };
  return runtime;
}
const abi::RuntimeFunctions kRuntime = makeRuntime();

/// All work-items up to their next barrier, again and again until all have ended.
void runGroup(abi::GroupContext &group) {
  const uint64_t *size = group.localSize;
  std::vector<std::unique_ptr<Fiber>> fibers;
  for (uint64_t z = 0; z < size[2]; ++z)
    for (uint64_t y = 0; y < size[1]; ++y)
      for (uint64_t x = 0; x < size[0]; ++x) {
        constexpr size_t kStack = 64 * 1024;
        auto fiber = std::make_unique<Fiber>();
        fiber->item.linearLocalId = uint32_t(fibers.size());
        fiber->item.group = &group;
        fiber->item.localId[0] = x, fiber->item.localId[1] = y, fiber->item.localId[2] = z;
        fiber->stack = std::make_unique<std::byte[]>(kStack);
        getcontext(&fiber->context);
        fiber->context.uc_stack.ss_sp = fiber->stack.get();
        fiber->context.uc_stack.ss_size = kStack;
        fiber->context.uc_link = &scheduler;
        makecontext(&fiber->context, fiberMain, 0);
        fibers.push_back(std::move(fiber));
      }
  for (bool more = true; more;) {
    more = false;
    for (auto &fiber : fibers) {
      if (fiber->ended) continue;
      running = fiber.get();
      swapcontext(&scheduler, &fiber->context);
      more |= !fiber->ended;
    }
  }
}

void runLaunch(void *entry, abi::Tier tier, const LaunchInput &input) {
  const LaunchShape &shape = input.shape;
  abi::LaunchContext launch;
  launch.workDimensions = shape.dimensions;
  uint64_t groups = 1, items = 1;
  for (int d = 0; d < 3; ++d) {
    launch.globalSize[d] = shape.global[d];
    launch.globalOffset[d] = shape.offset[d];
    launch.localSize[d] = shape.local[d];
    launch.numGroups[d] = (shape.global[d] + shape.local[d] - 1) / shape.local[d];
    groups *= launch.numGroups[d];
    items *= shape.local[d];
  }
  launch.arguments = input.arguments.data();
  launch.programVariables = input.programVariables;
  launch.runtime = &kRuntime;
  auto aligned = [](uint64_t size) {
    return std::unique_ptr<std::byte, decltype(&std::free)>(
        static_cast<std::byte *>(std::aligned_alloc(128, (size + 127) / 128 * 128 + 128)), std::free);
  };
  auto arena = aligned(input.localMemory), exchange = aligned(items * abi::kExchangeSlot);
  abi::GroupContext group;
  group.launch = &launch;
  group.localArena = arena.get();
  group.exchange = exchange.get();
  if (tier == abi::Tier::Loop) {
    // In three ranges, as workers would take them.
    const uint64_t cuts[] = {0, groups / 3, groups / 2, groups};
    for (int i = 0; i < 3; ++i)
      if (cuts[i] < cuts[i + 1]) reinterpret_cast<abi::RangeEntry>(entry)(&launch, &group, cuts[i], cuts[i + 1]);
    return;
  }
  itemEntry = reinterpret_cast<abi::ItemEntry>(entry);
  for (uint64_t linear = 0; linear < groups; ++linear) {
    group.linearGroup = linear;
    group.groupId[0] = linear % launch.numGroups[0];
    group.groupId[1] = linear / launch.numGroups[0] % launch.numGroups[1];
    group.groupId[2] = linear / launch.numGroups[0] / launch.numGroups[1];
    for (int d = 0; d < 3; ++d)
      group.localSize[d] = std::min<uint64_t>(shape.local[d], shape.global[d] - group.groupId[d] * shape.local[d]);
    runGroup(group);
  }
}

} // namespace

abi::Specialization specializationFor(const LaunchShape &shape, abi::Tier tier) {
  abi::Specialization result;
  result.tier = tier;
  result.workDimensions = shape.dimensions;
  result.zeroOffset = shape.offset == std::array<uint32_t, 3>{0, 0, 0};
  result.smallIndex = true;
  for (int d = 0; d < 3; ++d) {
    if (tier == abi::Tier::Loop) result.localSize[d] = shape.local[d];
    result.ragged |= shape.global[d] % shape.local[d] != 0;
  }
  return result;
}

std::string runKernel(std::span<const char> ir, std::string_view kernel, const abi::Specialization &specialization,
                      const LaunchInput &input) {
  abi::CompilerSettings settings;
  if (const char *directory = std::getenv("US_TEST_DUMP")) settings.dumpDirectory = directory;
  const Expected<abi::CodeData> code = codegen::generate({ir, kernel, specialization}, settings);
  if (!code) return "generate: " + code.error().message;
  const Expected<abi::LoadedCode> loaded = codegen::load(*code, systemCodeMemory(), false);
  if (!loaded) return "load: " + loaded.error().message;
  runLaunch(loaded->entry, specialization.tier, input);
  codegen::unload(loaded->handle);
  return {};
}

} // namespace us::test
