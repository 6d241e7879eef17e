// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the core's tests share: a fake device, a context, and short ways to make commands.
#pragma once

#include "runtime/core/buffer.h"
#include "runtime/core/context.h"
#include "runtime/core/event.h"
#include "runtime/core/kernel.h"
#include "runtime/core/program.h"
#include "runtime/core/queue.h"
#include "runtime/core/runtime.h"
#include "tests/support/fake_device.h"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>

namespace us::core {

using test::FakeDevice;
using test::Gate;

/// A launch that calls `function` on the thread that runs it.
inline Command call(std::function<void()> function) {
  LaunchCommand launch;
  launch.kernel =
      test::fakeKernel(test::fakeKernelInfo("call", {}), [function = std::move(function)](const test::FakeLaunch &) {
        function();
        return Expected<void>();
      });
  return launch;
}

inline Command failingLaunch() {
  LaunchCommand launch;
  launch.kernel = test::fakeKernel(test::fakeKernelInfo("fail", {}), [](const test::FakeLaunch &) -> Expected<void> {
    return fail(ErrorCode::KernelFault, "touched nothing good");
  });
  return launch;
}

inline Command unmapCommand() {
  MapCommand map;
  map.unmap = true;
  return map;
}

inline Command hostCall(std::function<void()> function) { return HostCallCommand{std::move(function)}; }

/// True if `condition` holds within some seconds.
inline bool eventually(const std::function<bool()> &condition, int milliseconds = 10000) {
  for (int i = 0; i < milliseconds; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return condition();
}

class CoreTest : public testing::Test {
protected:
  void useDevice(FakeDevice::Setup setup) {
    device = FakeDevice::create(setup);
    context = Context::create({device}, [this](const Error &error) {
      std::lock_guard hold(errorsMutex);
      errors.push_back(error);
    });
  }
  void SetUp() override { useDevice({}); }
  Ref<Queue> inOrder(bool profiling = false) { return Queue::create(*context, *device, {false, profiling}); }
  Ref<Queue> outOfOrder(bool profiling = false) { return Queue::create(*context, *device, {true, profiling}); }
  Ref<Event> add(Queue &queue, Command command = NoCommand{}, std::vector<Ref<Event>> waitList = {},
                 CommandRequest::Order order = CommandRequest::Order::Plain) {
    CommandRequest request;
    request.command = std::move(command);
    request.waitList = waitList;
    request.order = order;
    return *queue.enqueue(std::move(request));
  }
  size_t errorCount() {
    std::lock_guard hold(errorsMutex);
    return errors.size();
  }
  void TearDown() override {
    // Reports may still be on their way: the context holds this fixture's callback.
    eventually([&] { return context->unique(); }, 2000);
  }

  Ref<FakeDevice> device;
  Ref<Context> context;
  std::mutex errorsMutex;
  std::vector<Error> errors;
};

} // namespace us::core
