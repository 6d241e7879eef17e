// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/device_contract/contract_steps.h"

#include <cstring>
#include <numeric>

namespace us::test {

Expected<void> run(Device &device, const Command &command) {
  Watcher watcher;
  uint64_t before = device.now();
  device.submit(command, watcher);
  Expected<void> result = watcher.wait();
  EXPECT_LE(before, watcher.begin);
  EXPECT_LE(watcher.begin, watcher.end);
  EXPECT_LE(watcher.end, device.now());
  return result;
}

std::unique_ptr<DeviceMemory> allocate(Device &device, uint64_t size) {
  Expected<std::unique_ptr<DeviceMemory>> memory = device.allocate({size, 0, nullptr});
  EXPECT_TRUE(memory) << memory.error().message;
  return memory ? std::move(*memory) : nullptr;
}

Ref<DeviceProgram> build(Device &device, const std::string &source) {
  BuildResult result = device.compile({source, "", {}, true});
  EXPECT_TRUE(result) << result.log;
  return *result;
}

void clear(Device &device, const DeviceMemory &memory, int byte) {
  put(device, begin(memory), std::vector<std::byte>(memory.size(), std::byte(byte)));
}

LaunchCommand launchOf(DeviceProgram &program, const char *name, const std::vector<uint64_t> &arguments,
                       uint64_t items) {
  LaunchCommand launch;
  Expected<Ref<DeviceKernel>> kernel = program.kernel(name);
  EXPECT_TRUE(kernel) << kernel.error().message;
  launch.kernel = *kernel;
  launch.globalSize = {items, 1, 1};
  launch.arguments.resize(launch.kernel->info().argumentBlockSize);
  for (size_t i = 0; i < arguments.size(); ++i)
    std::memcpy(launch.arguments.data() + launch.kernel->info().arguments[i].offset, &arguments[i], 8);
  return launch;
}
LaunchCommand launchOf(DeviceProgram &program, uint64_t address, uint64_t items) {
  return launchOf(program, "twice", {address}, items);
}

void expectTwice(Device &device, DeviceProgram &program, uint64_t items, Size3 local) {
  std::unique_ptr<DeviceMemory> memory = allocate(device, items * sizeof(int));
  std::vector<int> numbers(items);
  std::iota(numbers.begin(), numbers.end(), 0);
  put(device, begin(*memory), numbers);
  LaunchCommand launch = launchOf(program, memory->address(), items);
  launch.localSize = local;
  Expected<void> result = run(device, launch);
  ASSERT_TRUE(result) << result.error().message;
  numbers = take<int>(device, begin(*memory), items);
  for (uint64_t i = 0; i < items; ++i) ASSERT_EQ(numbers[i], static_cast<int>(2 * i)) << i;
}

} // namespace us::test
