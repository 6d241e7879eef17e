// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/child_launches.h"

#include "emulator/device/emulated_device.h"
#include "emulator/device/emulated_program.h"
#include "emulator/exec/launch.h"
#include "emulator/exec/launch_tree.h"
#include "runtime/device/finding.h"

#include <algorithm>
#include <cstring>

namespace us::emulator {
namespace {

/// The launch of a block: its argument block holds the address of the captured values, then local arguments' offsets.
LaunchCommand launchOf(const KernelInfo &kernel, const abi::NdRange &range, const std::vector<uint64_t> &localSizes,
                       const std::byte *block) {
  LaunchCommand command;
  command.workDimensions = range.dimensions;
  for (uint32_t i = 0; i < 3 && i < range.dimensions; ++i) {
    command.globalOffset[i] = range.offset[i];
    command.globalSize[i] = range.globalSize[i];
    command.localSize[i] = range.localSize[i];
  }
  if (command.localSize[0] != 0)
    for (uint32_t i = range.dimensions; i < 3; ++i) command.localSize[i] = 1;
  command.arguments.resize(kernel.argumentBlockSize);
  std::vector<uint64_t> words;
  words.push_back(reinterpret_cast<uint64_t>(block));
  command.localMemory = exec::placeLocalArguments(kernel, localSizes, &words);
  for (size_t i = 0; i < std::min(words.size(), kernel.arguments.size()); ++i)
    std::memcpy(command.arguments.data() + kernel.arguments[i].offset, &words[i], sizeof words[i]);
  return command;
}

class ProgramBlocks final : public exec::BlockKernels {
public:
  ProgramBlocks(const EmulatedDevice &device, const EmulatedProgram &program) : device_(device), program_(program) {}
  const KernelInfo *find(std::string_view name) const override {
    KernelCode *code = program_.blockKernel(name);
    return code ? &code->info() : nullptr;
  }
  Expected<void> check(const KernelInfo &kernel, const abi::NdRange &range, uint64_t localMemory) const override {
    if (range.dimensions < 1 || range.dimensions > 3)
      return fail(ErrorCode::InvalidWorkDimension, "a range of " + std::to_string(range.dimensions) + " dimensions");
    LaunchCommand command = launchOf(kernel, range, {}, nullptr);
    command.localMemory = localMemory;
    return device_.checkLaunch(command, kernel);
  }
  uint64_t maxWorkGroupSize(const KernelInfo &kernel) const override {
    const Size3 &required = kernel.requiredWorkGroupSize;
    return required[0] ? required[0] * required[1] * required[2] : device_.info().maxWorkGroupSize;
  }
  uint64_t preferredMultiple(const KernelInfo &) const override {
    return device_.info().preferredWorkGroupSizeMultiple;
  }

private:
  const EmulatedDevice &device_;
  const EmulatedProgram &program_;
};

Expected<void> runChild(EmulatedDevice &device, const EmulatedProgram &program, exec::ChildLaunch &child,
                        CommandObserver &observer) {
  const LaunchCommand command = launchOf(*child.kernel, child.range, child.localSizes, child.block);
  if (command.globalSize[0] == 0 || command.globalSize[1] == 0 || command.globalSize[2] == 0) return {};
  KernelCode &code = *program.blockKernel(child.kernel->name);
  exec::LaunchPlan plan;
  US_CHECK(device.planLaunch(command, code, plan, observer));
  plan.node = &child;
  return device.runPlanned(command, code, plan);
}

} // namespace

Expected<void> runWithChildren(EmulatedDevice &device, const LaunchCommand &command, KernelCode &kernel,
                               exec::LaunchPlan &plan, CommandObserver &observer) {
  const EmulatedProgram &program = kernel.program();
  const ProgramBlocks blocks(device, program);
  exec::LaunchTree tree(blocks, kernel.info().name, command.defaultQueue);
  plan.node = &tree.root();
  // The time limit is that of the whole: a kernel may enqueue itself for ever.
  const uint64_t limit = device.engine().options.timeLimit, begin = device.now();
  US_CHECK(device.runPlanned(command, kernel, plan));
  if (observer.wantsTimes()) observer.ownPartEnded(device.now());
  for (;;) {
    US_TRY(exec::ChildLaunch *const child, tree.next());
    if (!child) return {};
    if (limit && device.now() - begin > limit * 1'000'000)
      return std::unexpected(errorOf(
          {.kind = FindingKind::TreeTimeLimit, .kernel = kernel.info().name, .number = limit, .text = "enqueued"}));
    tree.start(*child);
    if (Expected<void> result = runChild(device, program, *child, observer); !result)
      return fail(result.error().code,
                  "enqueued on the device by kernel '" + kernel.info().name + "': " + result.error().message);
    tree.end(*child);
  }
}

} // namespace us::emulator
