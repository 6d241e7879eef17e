// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the contract's tests do to a device: run a command, move bytes to and from its memory, build and launch.
#pragma once

#include "tests/device_contract/device_contract.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace us::test {

/// Waits for one command, whichever thread ends it, and checks the order of what it is told.
class Watcher final : public CommandObserver {
public:
  void started(uint64_t time) override {
    std::scoped_lock lock(mutex_);
    EXPECT_EQ(starts++, 0);
    EXPECT_EQ(ends, 0);
    begin = time;
  }
  void codeAwaited(uint64_t nanoseconds) override {
    std::scoped_lock lock(mutex_);
    EXPECT_EQ(starts, 0); // here, no kernel launches one that is new
    awaited += nanoseconds;
  }
  void finished(uint64_t time, Expected<void> how) override {
    std::scoped_lock lock(mutex_);
    EXPECT_EQ(starts, 1);
    EXPECT_EQ(ends++, 0);
    end = time;
    result_ = std::move(how);
    changed_.notify_all();
  }
  Expected<void> wait() {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, std::chrono::seconds(60), [&] { return ends > 0; }));
    return result_;
  }
  int starts = 0, ends = 0;
  uint64_t begin = 0, end = 0, awaited = 0;

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  Expected<void> result_;
};

/// Runs a command, and checks the times that its observer is told.
Expected<void> run(Device &device, const Command &command);

std::unique_ptr<DeviceMemory> allocate(Device &device, uint64_t size);

Ref<DeviceProgram> build(Device &device, const std::string &source);

// The host may not be able to reach memory of a device: it is read and written as queues do it.

inline std::byte *begin(const DeviceMemory &memory, uint64_t offset = 0) {
  return reinterpret_cast<std::byte *>(memory.address() + offset);
}

template <class T> void put(Device &device, std::byte *to, const std::vector<T> &from) {
  ASSERT_TRUE(
      run(device,
          CopyCommand{to, {}, reinterpret_cast<const std::byte *>(from.data()), {}, {from.size() * sizeof(T), 1, 1}}));
}

template <class T = std::byte> std::vector<T> take(Device &device, const std::byte *from, uint64_t count) {
  std::vector<T> into(count);
  EXPECT_TRUE(
      run(device, CopyCommand{reinterpret_cast<std::byte *>(into.data()), {}, from, {}, {count * sizeof(T), 1, 1}}));
  return into;
}

/// All bytes of the memory are that one.
void clear(Device &device, const DeviceMemory &memory, int byte);

/// With arguments of 8 bytes.
LaunchCommand launchOf(DeviceProgram &program, const char *name, const std::vector<uint64_t> &arguments,
                       uint64_t items);
/// Of the kernel "twice".
LaunchCommand launchOf(DeviceProgram &program, uint64_t address, uint64_t items);

/// Doubles `items` numbers in the program's kernel and checks all.
void expectTwice(Device &device, DeviceProgram &program, uint64_t items, Size3 local);

} // namespace us::test
