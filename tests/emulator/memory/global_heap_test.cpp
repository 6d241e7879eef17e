// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device memory and the account it is charged to.
#include "emulator/memory/global_heap.h"

#include "emulator/memory/address_space.h"

#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace us::memory {
namespace {

TEST(MemoryAccount, TakesAllOrNone) {
  MemoryAccount account(1000);
  EXPECT_TRUE(account.charge(600));
  EXPECT_FALSE(account.charge(401));
  EXPECT_EQ(account.used(), 600u);
  EXPECT_TRUE(account.charge(400));
  EXPECT_FALSE(account.charge(~0ull));
  account.uncharge(1000);
  EXPECT_EQ(account.used(), 0u);
}

TEST(MemoryAccount, HoldsItsLimitAmongThreads) {
  MemoryAccount account(100);
  std::atomic<int> overdrawn = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 10000; ++i)
        if (account.charge(30)) {
          overdrawn += account.used() > 100;
          account.uncharge(30);
        }
    });
  for (auto &thread : threads) thread.join();
  EXPECT_EQ(overdrawn.load(), 0);
  EXPECT_EQ(account.used(), 0u);
}

TEST(GlobalHeap, ChargesTheAccountUntilTheMemoryGoes) {
  auto account = makeRef<MemoryAccount>(10000);
  auto memory = allocateGlobal(account, {.size = 6000});
  ASSERT_TRUE(memory);
  EXPECT_EQ((*memory)->size(), 6000u);
  EXPECT_EQ((*memory)->address(), reinterpret_cast<uint64_t>((*memory)->hostAddress()));
  EXPECT_TRUE(AddressSpace::instance().contains((*memory)->address()));
  EXPECT_EQ(AddressSpace::instance().find((*memory)->address()).size, 6000u);
  auto refused = allocateGlobal(account, {.size = 4001});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::MemObjectAllocationFailure);
  EXPECT_EQ(refused.error().message, "asked for 4001 bytes; 6000 of 10000 are in use");
  memory->reset();
  EXPECT_EQ(account->used(), 0u);
}

TEST(GlobalHeap, HonoursTheAlignment) {
  auto account = makeRef<MemoryAccount>(1ull << 30);
  for (uint64_t alignment : {0, 128, 4096, 65536, 1 << 22}) {
    auto memory = allocateGlobal(account, {.size = 100, .alignment = alignment});
    ASSERT_TRUE(memory);
    EXPECT_EQ((*memory)->address() % std::max<uint64_t>(alignment, 128), 0u);
  }
}

TEST(GlobalHeap, HostMemoryCostsNothing) {
  auto account = makeRef<MemoryAccount>(10);
  std::vector<std::byte> host(1000);
  auto memory = allocateGlobal(account, {.size = host.size(), .hostPointer = host.data()});
  ASSERT_TRUE(memory);
  EXPECT_EQ((*memory)->hostAddress(), host.data());
  EXPECT_EQ(account->used(), 0u);
}

TEST(GlobalHeap, MoreThanTheRangeIsRefused) {
  auto account = makeRef<MemoryAccount>(~0ull);
  auto memory = allocateGlobal(account, {.size = 1ull << 60});
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().code, ErrorCode::MemObjectAllocationFailure);
  EXPECT_EQ(account->used(), 0u);
}

TEST(AvailableMemory, IsAtMostFourFifthsOfTheMachine) {
  uint64_t machine = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  EXPECT_GT(availableMemory(), 0u);
  EXPECT_LE(availableMemory(), machine / 5 * 4);
}

} // namespace
} // namespace us::memory
