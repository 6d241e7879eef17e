// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `us.*` functions by threads.
#include "tests/emulator/builtins/support/thread_machine.h"

#include <barrier>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace us::test {
namespace {

/// A sub-group: who waits where. When nobody runs, those are released that wait where the first one waits.
class SubGroup {
public:
  void start() { ++running_; }
  void waitForGroup() {
    end();
    std::lock_guard lock(mutex_);
    ++atBarrier_;
  }
  /// All at once, lest the first of them think itself alone.
  void leaveBarrier() {
    std::lock_guard lock(mutex_);
    running_ += std::exchange(atBarrier_, 0);
  }
  void end() {
    std::lock_guard lock(mutex_);
    --running_;
    release();
  }
  std::uint32_t sync(std::uint32_t lane, void *site) {
    std::unique_lock lock(mutex_);
    waitsAt_[lane] = site;
    released_[lane] = 0;
    --running_;
    release();
    changed_.wait(lock, [&] { return released_[lane] != 0; });
    return released_[lane];
  }

private:
  void release() {
    if (running_ > 0) return;
    void *site = nullptr;
    for (void *each : waitsAt_)
      if (!site) site = each;
    if (!site) return;
    std::uint32_t participants = 0;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      if (waitsAt_[lane] == site) participants |= 1u << lane;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      if (waitsAt_[lane] == site) {
        waitsAt_[lane] = nullptr;
        released_[lane] = participants;
        ++running_;
      }
    changed_.notify_all();
  }
  std::mutex mutex_; // guards all
  std::condition_variable changed_;
  std::array<void *, 32> waitsAt_ = {};
  std::array<std::uint32_t, 32> released_ = {};
  int running_ = 0;
  int atBarrier_ = 0;
};

struct alignas(128) Slot {
  char bytes[128];
};

struct LeaveBarrier {
  std::vector<SubGroup> *subGroups;
  void operator()() noexcept {
    for (SubGroup &subGroup : *subGroups) subGroup.leaveBarrier();
  }
};

struct Group {
  GroupShape shape;
  std::unique_ptr<std::barrier<LeaveBarrier>> barrier;
  std::vector<SubGroup> subGroups;
  std::vector<Slot> exchange;
};

struct Item {
  Group *group = nullptr;
  std::array<std::uint64_t, 3> localId = {};
  std::uint32_t linearId = 0;
};
thread_local Item item;

const GroupShape &shape() { return item.group->shape; }

} // namespace

void runGroup(const GroupShape &given, const std::function<void()> &function) {
  Group group;
  group.shape = given;
  GroupShape &s = group.shape;
  for (int i = 0; i < 3; ++i) {
    if (s.fullSize[i] == 0) s.fullSize[i] = s.localSize[i];
    if (s.globalSize[i] == 0) s.globalSize[i] = s.numGroups[i] * s.fullSize[i];
  }
  const auto count = std::uint32_t(s.localSize[0] * s.localSize[1] * s.localSize[2]);
  group.barrier = std::make_unique<std::barrier<LeaveBarrier>>(count, LeaveBarrier{&group.subGroups});
  group.subGroups = std::vector<SubGroup>((count + 31) / 32);
  const size_t full = s.fullSize[0] * s.fullSize[1] * s.fullSize[2];
  group.exchange.resize(full + full / 16 + 1); // and 8 bytes for each, for the work-group
  for (std::uint32_t i = 0; i < count; ++i) group.subGroups[i / 32].start();
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < count; ++i)
    threads.emplace_back([&, i] {
      item = {
          &group, {i % s.localSize[0], i / s.localSize[0] % s.localSize[1], i / s.localSize[0] / s.localSize[1]}, i};
      function();
      group.subGroups[i / 32].end();
      group.barrier->arrive_and_drop();
    });
  for (std::thread &thread : threads) thread.join();
}

template <typename T> static T readLane(T value, T *own, T *other, void *site) {
  SubGroup &subGroup = item.group->subGroups[item.linearId / 32];
  *own = value;
  subGroup.sync(item.linearId % 32, site);
  const T result = *other;
  subGroup.sync(item.linearId % 32, static_cast<char *>(site) + 1);
  return result;
}

extern "C" {
std::uint64_t usGlobalId(std::uint32_t d) __asm("us.global_id");
std::uint64_t usGlobalId(std::uint32_t d) {
  return shape().globalOffset[d] + shape().groupId[d] * shape().fullSize[d] + item.localId[d];
}
std::uint64_t usLocalId(std::uint32_t d) __asm("us.local_id");
std::uint64_t usLocalId(std::uint32_t d) { return item.localId[d]; }
std::uint64_t usGroupId(std::uint32_t d) __asm("us.group_id");
std::uint64_t usGroupId(std::uint32_t d) { return shape().groupId[d]; }
std::uint64_t usGlobalSize(std::uint32_t d) __asm("us.global_size");
std::uint64_t usGlobalSize(std::uint32_t d) { return shape().globalSize[d]; }
std::uint64_t usLocalSize(std::uint32_t d) __asm("us.local_size");
std::uint64_t usLocalSize(std::uint32_t d) { return shape().localSize[d]; }
std::uint64_t usEnqueuedLocalSize(std::uint32_t d) __asm("us.enqueued_local_size");
std::uint64_t usEnqueuedLocalSize(std::uint32_t d) { return shape().fullSize[d]; }
std::uint64_t usNumGroups(std::uint32_t d) __asm("us.num_groups");
std::uint64_t usNumGroups(std::uint32_t d) { return shape().numGroups[d]; }
std::uint64_t usGlobalOffset(std::uint32_t d) __asm("us.global_offset");
std::uint64_t usGlobalOffset(std::uint32_t d) { return shape().globalOffset[d]; }
std::uint32_t usWorkDim() __asm("us.work_dim");
std::uint32_t usWorkDim() { return shape().dimensions; }
void usBarrier(std::uint32_t flags, std::uint32_t scope) __asm("us.barrier");
void usBarrier(std::uint32_t, std::uint32_t) {
  item.group->subGroups[item.linearId / 32].waitForGroup();
  item.group->barrier->arrive_and_wait();
}
std::uint32_t usSubGroupSync(std::uint32_t flags, std::uint32_t members) __asm("us.sub_group_sync");
[[gnu::noinline]] std::uint32_t usSubGroupSync(std::uint32_t, std::uint32_t) {
  return item.group->subGroups[item.linearId / 32].sync(item.linearId % 32, __builtin_return_address(0));
}
std::uint32_t usSideBySide() __asm("us.side_by_side");
std::uint32_t usSideBySide() { return 0; }
std::uint32_t usSubGroupSize() __asm("us.sub_group_size");
std::uint32_t usSubGroupSize() { return 32; }
std::uint32_t usLaneByte(std::uint32_t value, std::uint8_t *own, std::uint8_t *other) __asm("us.lane_byte");
[[gnu::noinline]] std::uint32_t usLaneByte(std::uint32_t value, std::uint8_t *own, std::uint8_t *other) {
  return readLane(std::uint8_t(value), own, other, __builtin_return_address(0));
}
std::uint32_t usLaneShort(std::uint32_t value, std::uint16_t *own, std::uint16_t *other) __asm("us.lane_short");
[[gnu::noinline]] std::uint32_t usLaneShort(std::uint32_t value, std::uint16_t *own, std::uint16_t *other) {
  return readLane(std::uint16_t(value), own, other, __builtin_return_address(0));
}
std::uint32_t usLaneWord(std::uint32_t value, std::uint32_t *own, std::uint32_t *other) __asm("us.lane_word");
[[gnu::noinline]] std::uint32_t usLaneWord(std::uint32_t value, std::uint32_t *own, std::uint32_t *other) {
  return readLane(value, own, other, __builtin_return_address(0));
}
std::uint64_t usLaneLong(std::uint64_t value, std::uint64_t *own, std::uint64_t *other) __asm("us.lane_long");
[[gnu::noinline]] std::uint64_t usLaneLong(std::uint64_t value, std::uint64_t *own, std::uint64_t *other) {
  return readLane(value, own, other, __builtin_return_address(0));
}
std::uint32_t usSameInSubGroup(std::uint64_t value) __asm("us.same_in_sub_group");
std::uint32_t usSameInSubGroup(std::uint64_t) { return 0; }
std::uint32_t usRegisterBits() __asm("us.register_bits");
std::uint32_t usRegisterBits() { return 256; }
std::uint32_t usVotes(std::uint32_t predicate) __asm("us.votes");
std::uint32_t usVotes(std::uint32_t) { std::abort(); }
void *usExchange() __asm("us.exchange");
void *usExchange() { return item.group->exchange.data(); }
std::uint64_t usClock() __asm("us.clock");
std::uint64_t usClock() { return 0x1234567890abcdef; }
}

} // namespace us::test
