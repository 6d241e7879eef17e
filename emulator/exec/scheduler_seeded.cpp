// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The seeded scheduler: one thread, the caller's, and an order of groups and work-items that is a function of the seed,
// the launch's number, and nothing else.
#include "emulator/exec/scheduler.h"

#include <bit>
#include <utility>

namespace us::exec {
namespace {

/// Numbers that look random, from a few that do not (the mixing step of SplitMix64).
uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t x = a + 0x9e3779b97f4a7c15 * (b + 1);
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

/// A permutation of [0, count) that takes no memory, however many there are: a Feistel network over the next power of
/// four, gone through again until the result is below `count`.
class Permutation {
public:
  Permutation(uint64_t key, uint64_t count)
      : key_(key), count_(count), half_(count < 2 ? 1 : (std::bit_width(count - 1) + 1) / 2) {}

  uint64_t operator[](uint64_t at) const {
    const uint64_t mask = (uint64_t{1} << half_) - 1;
    do {
      uint64_t left = at >> half_, right = at & mask;
      for (uint64_t round = 0; round < 6; ++round)
        left = std::exchange(right, left ^ (mix(key_ + round, right) & mask));
      at = left << half_ | right;
    } while (at >= count_);
    return at;
  }

private:
  uint64_t key_, count_;
  int half_; ///< bits
};

/// Groups one by one, in an order of their own.
class SeededSource final : public TicketSource {
public:
  SeededSource(uint64_t key, uint64_t groups) : order_(key, groups), key_(key), left_(groups), groups_(groups) {}

  bool next(GroupRange &range) override {
    if (left_ == 0) return false;
    const uint64_t group = order_[groups_ - left_--];
    range = {group, group + 1};
    return true;
  }
  void stop() override { left_ = 0; }
  size_t chooseWaiting(size_t count) override { return mix(key_, ++choices_) % count; }

private:
  const Permutation order_;
  const uint64_t key_;
  uint64_t left_, choices_ = 0;
  const uint64_t groups_;
};

class SeededScheduler final : public Scheduler {
public:
  explicit SeededScheduler(uint64_t seed) : seed_(seed) {}

  void run(Job &job, const JobShape &shape) override {
    SeededSource source(mix(seed_, shape.launchNumber), shape.groups);
    job.work(source);
  }

  bool orderItems(const Round &round, std::span<uint32_t> order) override {
    uint64_t key = mix(mix(mix(seed_, round.launchNumber), round.group), round.number);
    for (size_t left = order.size(); left > 1; --left) std::swap(order[left - 1], order[mix(key, left) % left]);
    return true;
  }

private:
  const uint64_t seed_;
};

} // namespace

std::unique_ptr<Scheduler> makeSeededScheduler(uint64_t seed) { return std::make_unique<SeededScheduler>(seed); }

} // namespace us::exec
