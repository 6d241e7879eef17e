// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints what the core's own part of common calls costs, on a device whose kernels do nothing. Not a test.
#include "tests/runtime/core/core_fixture.h"

#include <cstdio>
#include <ctime>

using namespace us;
using namespace us::core;

namespace {
void report(const char *what, int times, const std::function<void()> &body) {
  double best = 1e30, bestCpu = 1e30;
  for (int round = 0; round < 7; ++round) {
    const std::clock_t cpuBegin = std::clock(); // of the whole process: what counts on a shared machine
    const auto begin = std::chrono::steady_clock::now();
    body();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count() / times);
    bestCpu = std::min(bestCpu, double(std::clock() - cpuBegin) * (1e9 / CLOCKS_PER_SEC) / times);
  }
  std::printf("%-58s %8.0f ns, CPU %6.0f ns\n", what, best, bestCpu);
}
} // namespace

int main() {
  auto device = test::FakeDevice::create();
  device->addKernel(
      test::fakeKernelInfo("nothing", {ArgumentKind::GlobalPointer, ArgumentKind::Value, ArgumentKind::GlobalPointer}),
      [](const test::FakeLaunch &) { return Expected<void>(); });
  auto context = Context::create({device});
  auto program = Program::fromSource(*context, "nothing");
  (void)program->build({}, "");
  auto kernel = *program->createKernel("nothing");
  auto a = *Buffer::create(*context, {.size = 1024}), b = *Buffer::create(*context, {.size = 1024});
  const int value = 3;
  (void)kernel->setBuffer(0, a.get());
  (void)kernel->setValue(1, std::as_bytes(std::span(&value, 1)));
  (void)kernel->setBuffer(2, b.get());

  const auto launch = [&](Queue &queue, std::span<const Ref<Event>> waitList = {}) {
    CommandRequest request;
    auto &command = request.command.emplace<LaunchCommand>();
    if (!kernel->prepareLaunch(*device, command, request.keep)) std::abort();
    request.waitList = waitList;
    return *queue.enqueue(std::move(request));
  };
  constexpr int kMany = 10'000;
  std::byte word[4];
  for (const QueueProperties properties :
       {QueueProperties{}, QueueProperties{true, false}, QueueProperties{false, true}}) {
    auto queue = Queue::create(*context, *device, properties);
    std::printf("%s%s\n", properties.outOfOrder ? "out of order" : "in order",
                properties.profiling ? ", profiling" : "");
    report("  launch + finish", kMany, [&] {
      for (int i = 0; i < kMany; ++i) {
        launch(*queue);
        (void)queue->finish();
      }
    });
    report("  launch + wait for its event", kMany, [&] {
      for (int i = 0; i < kMany; ++i) (void)launch(*queue)->wait();
    });
    report("  10,000 launches, then finish, each", kMany, [&] {
      for (int i = 0; i < kMany; ++i) launch(*queue);
      (void)queue->finish();
    });
    report("  10,000 launches in a chain of events, then finish, each", kMany, [&] {
      Ref<Event> last;
      for (int i = 0; i < kMany; ++i) last = last ? launch(*queue, std::span(&last, 1)) : launch(*queue);
      (void)queue->finish();
    });
    report("  blocking 4-byte read", kMany, [&] {
      for (int i = 0; i < kMany; ++i) {
        CommandRequest request;
        request.keep.push_back(a);
        auto &copy = request.command.emplace<CopyCommand>();
        copy.to = word;
        copy.from = *a->addressOn(*device);
        copy.region = {4, 1, 1};
        (void)queue->run(std::move(request));
      }
    });
  }
  return 0;
}
