// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory pools: what is used again, what is kept, and what happens when there is no more.
#include "runtime/core/memory_pool.h"
#include "tests/runtime/core/core_fixture.h"

namespace us::core {
namespace {

constexpr uint64_t kBig = 400 * 1024; // of the fake device's mebibyte; more than a block may have to spare

class MemoryPoolTest : public CoreTest {
protected:
  void SetUp() override {
    CoreTest::SetUp();
    pool = Ref<MemoryPool>(new MemoryPool(*device, {}));
    pool->setThreshold(UINT64_MAX);
  }
  /// Not yet reached by its queue.
  FreePoint pending(uint64_t queue, uint64_t number) {
    gates.push_back(Event::createUser(*context));
    return {queue, number, gates.back()};
  }
  void reach() {
    for (const Ref<Event> &gate : gates) EXPECT_TRUE(gate->completeUser(0));
    gates.clear();
  }
  uint64_t allocate(uint64_t size, uint64_t queue = 1, const FreeOrder &order = {}) {
    Expected<MemoryPool::Grant> grant = pool->allocate(size, queue, order);
    EXPECT_TRUE(grant) << grant.error().message;
    after = grant ? grant->after : nullptr;
    return grant ? grant->address : 0;
  }
  void TearDown() override {
    reach();
    after = nullptr;
    pool = nullptr;
    CoreTest::TearDown();
  }

  Ref<MemoryPool> pool;
  Ref<Event> after;
  std::vector<Ref<Event>> gates;
};

TEST(FreeOrder, knowsAllUpToANumber) {
  FreeOrder order, other;
  EXPECT_FALSE(order.knows({1, 1}));
  order.learn(1, 0);
  EXPECT_FALSE(order.knows({1, 0}));
  order.learn(1, 5);
  order.learn(1, 3);
  EXPECT_TRUE(order.knows({1, 5}));
  EXPECT_FALSE(order.knows({1, 6}));
  EXPECT_FALSE(order.knows({2, 1}));
  other.learn(2, 7);
  other.learn(1, 8);
  order.learn(other);
  EXPECT_TRUE(order.knows({1, 8}));
  EXPECT_TRUE(order.knows({2, 7}));
}

TEST_F(MemoryPoolTest, WhatIsPendingElsewhereIsNotTaken) {
  const uint64_t memory = allocate(kBig);
  pool->free(memory, pending(1, 1));
  EXPECT_NE(allocate(kBig, 2), memory);
  EXPECT_EQ(allocate(kBig, 1), memory); // behind the free by itself
  EXPECT_FALSE(after);
}

TEST_F(MemoryPoolTest, EachRuleAlone) {
  struct Row {
    PoolRules rules;
    bool knows, hasEnded, expected;
  };
  const Row rows[] = {{{true, false, false}, true, false, true},  {{true, false, false}, false, true, false},
                      {{false, true, false}, true, false, false}, {{false, true, false}, false, true, true},
                      {{false, false, true}, true, true, false},  {{false, false, false}, true, true, false}};
  for (const Row &row : rows) {
    pool = Ref<MemoryPool>(new MemoryPool(*device, {}));
    pool->setThreshold(UINT64_MAX);
    pool->setRules(row.rules);
    const uint64_t memory = allocate(kBig);
    pool->free(memory, pending(1, 1));
    if (row.hasEnded) reach();
    FreeOrder order;
    if (row.knows) order.learn(1, 1);
    EXPECT_EQ(allocate(kBig, 2, order) == memory, row.expected) << (&row - rows);
    EXPECT_FALSE(after);
    reach();
  }
}

TEST_F(MemoryPoolTest, TheHostsKnowledgeNeedsNoRule) {
  pool->setRules({false, false, false});
  const uint64_t memory = allocate(kBig);
  pool->free(memory, pending(1, 1));
  reach();
  FreeOrder order;
  order.learn(1, 1);
  pool->observe(&order);
  EXPECT_EQ(allocate(kBig, 2), memory);
  pool->free(memory, {});
  EXPECT_EQ(allocate(kBig, 2), memory);
}

TEST_F(MemoryPoolTest, AQueueWaitsWhereThereIsNoOtherMemory) {
  const uint64_t one = allocate(kBig), two = allocate(kBig);
  pool->free(one, pending(1, 1));
  const Ref<Event> gate = gates.back();
  EXPECT_EQ(allocate(kBig, 2), one);
  EXPECT_EQ(after, gate);
  pool->free(two, pending(1, 2));
  pool->setRules({true, true, false});
  EXPECT_EQ(pool->allocate(kBig, 2, {}).error().code, ErrorCode::MemObjectAllocationFailure);
}

TEST_F(MemoryPoolTest, UnusedMemoryMakesRoom) {
  for (int i = 0; i < 10; ++i) pool->free(allocate(1024 * (i + 1) * 16), {});
  const uint64_t before = pool->use().reserved;
  EXPECT_GT(before, 0u);
  allocate((1 << 20) - 1024); // all of the device
  EXPECT_LT(pool->use().reserved, before + (1 << 20));
}

TEST_F(MemoryPoolTest, ALargerBlockIsTakenBeforeNone) {
  const uint64_t large = allocate(900 * 1024);
  pool->free(large, {});
  EXPECT_NE(allocate(100 * 1024), large); // there is room: it would waste much
  EXPECT_EQ(allocate(300 * 1024), large);
}

TEST_F(MemoryPoolTest, ItsLargestSize) {
  pool = Ref<MemoryPool>(new MemoryPool(*device, {.maxSize = 2 * kBig}));
  allocate(kBig);
  allocate(kBig);
  EXPECT_EQ(pool->allocate(1, 1, {}).error().code, ErrorCode::MemObjectAllocationFailure);
  EXPECT_EQ(pool->allocate(UINT64_MAX, 1, {}).error().code, ErrorCode::MemObjectAllocationFailure);
}

TEST_F(MemoryPoolTest, KeepsAndTrims) {
  std::vector<uint64_t> all;
  for (int i = 0; i < 4; ++i) all.push_back(allocate(200 * 1024));
  pool->free(all[0], pending(1, 1));
  pool->free(all[1], {});
  EXPECT_EQ(pool->use().used, 400u * 1024);
  EXPECT_EQ(pool->use().usedHigh, 800u * 1024);
  pool->trim(0); // what is pending and what is in use stays
  EXPECT_EQ(pool->use().reserved, 600u * 1024);
  EXPECT_EQ(device->memoryUsed(), 600u * 1024);
  reach();
  pool->trim(500 * 1024);
  EXPECT_EQ(pool->use().reserved, 600u * 1024);
  pool->trim(400 * 1024);
  EXPECT_EQ(pool->use().reserved, 400u * 1024);
  pool->resetReservedHigh();
  EXPECT_EQ(pool->use().reservedHigh, 400u * 1024);
  pool->setThreshold(0);
  pool->free(all[2], {});
  EXPECT_FALSE(pool->free(all[2], {}));
  EXPECT_EQ(pool->use().reserved, 400u * 1024); // until the host waits
  pool->observe(nullptr);
  EXPECT_EQ(pool->use().reserved, 200u * 1024);
  EXPECT_FALSE(pool->close());
  pool->free(all[3], {});
  EXPECT_TRUE(pool->close());
  EXPECT_EQ(device->memoryUsed(), 0u);
}

} // namespace
} // namespace us::core
