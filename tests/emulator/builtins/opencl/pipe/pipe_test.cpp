// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipes under many threads at once: every packet arrives exactly once, those of one writer in its order for one reader.
#include "emulator/abi/pipe_abi.h"
#include "tests/emulator/builtins/support/thread_machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

namespace us::test {
namespace {

struct alignas(128) Line {
  std::byte bytes[128];
};

/// An empty pipe of 64-bit packets, made as a device makes it.
class Pipe {
public:
  explicit Pipe(uint32_t packets) : memory_((abi::pipeBytes(8, packets) + 127) / 128) {
    std::memset(memory_.data(), 0, memory_.size() * sizeof(Line));
    auto *header = new (memory_.data()) abi::PipeHeader;
    header->packetSize = 8;
    header->maxPackets = packets;
    header->packets = abi::pipePacketsOffset(packets);
  }
  void *get() { return memory_.data(); }

private:
  std::vector<Line> memory_;
};

extern "C" {
uint32_t produce(void *pipe, uint64_t first, uint32_t count, uint32_t batch);
void consume(void *pipe, uint64_t *to, uint32_t count, uint32_t batch);
uint32_t packets(void *pipe);
uint32_t capacity(void *pipe);
void group_write(void *pipe, uint32_t n, uint64_t first, int32_t *seen);
void group_read(void *pipe, uint32_t n, uint64_t *to, int32_t *seen);
void sub_group_copy(void *from, void *to, int32_t *seen);
}

struct Shape {
  uint32_t capacity, writers, readers, writeBatch, readBatch;
};

class PipeThreads : public testing::TestWithParam<Shape> {};

TEST_P(PipeThreads, every_packet_arrives_once) {
  const Shape shape = GetParam();
  // Divisible by every number of threads and batch here, so that nobody waits for a packet that never comes.
  constexpr uint32_t kEach = 1260;
  Pipe pipe(shape.capacity);
  std::vector<std::vector<uint64_t>> read(shape.readers);
  std::vector<std::thread> threads;
  const uint32_t share = kEach * shape.writers / shape.readers;
  for (uint32_t i = 0; i < shape.readers; ++i)
    threads.emplace_back([&, i] {
      read[i].resize(share);
      consume(pipe.get(), read[i].data(), share, shape.readBatch);
    });
  for (uint64_t i = 0; i < shape.writers; ++i)
    threads.emplace_back([&, i] { produce(pipe.get(), i << 32, kEach, shape.writeBatch); });
  for (std::thread &thread : threads) thread.join();

  std::vector<uint64_t> all;
  for (const std::vector<uint64_t> &part : read) {
    std::vector<uint64_t> last(shape.writers);
    for (uint64_t packet : part) {
      // "... in the order in which reservations are made": a reader sees each writer's packets ascend.
      uint64_t &before = last[packet >> 32];
      EXPECT_LE(before, packet & 0xffffffff);
      before = packet & 0xffffffff;
    }
    all.insert(all.end(), part.begin(), part.end());
  }
  std::ranges::sort(all);
  ASSERT_EQ(all.size(), size_t{kEach} * shape.writers);
  for (uint64_t i = 0; i < shape.writers; ++i)
    for (uint64_t k = 0; k < kEach; ++k) ASSERT_EQ(all[i * kEach + k], i << 32 | k);
  EXPECT_EQ(packets(pipe.get()), 0u);
}

INSTANTIATE_TEST_SUITE_P(Shapes, PipeThreads,
                         testing::Values(Shape{1, 1, 1, 0, 0}, Shape{1, 2, 2, 0, 0}, Shape{2, 3, 1, 0, 0},
                                         Shape{7, 1, 3, 0, 0}, Shape{64, 4, 4, 0, 0}, Shape{17, 2, 2, 4, 0},
                                         Shape{17, 2, 2, 0, 5}, Shape{40, 3, 3, 6, 7}, Shape{8, 2, 2, 4, 4}));

TEST(Pipe, counts_packets) {
  Pipe pipe(12);
  EXPECT_EQ(packets(pipe.get()), 0u);
  EXPECT_EQ(capacity(pipe.get()), 12u);
  produce(pipe.get(), 0, 5, 0);
  EXPECT_EQ(packets(pipe.get()), 5u);
  EXPECT_EQ(capacity(pipe.get()), 12u + (5u << 16));
  uint64_t read[4];
  consume(pipe.get(), read, 4, 2);
  EXPECT_EQ(packets(pipe.get()), 1u);
}

TEST(Pipe, work_groups_reserve_as_one) {
  Pipe pipe(40);
  const GroupShape shape{.localSize = {6, 3, 2}};
  std::vector<int32_t> seen(36);
  std::vector<uint64_t> read(36);
  for (uint64_t round = 0; round < 5; ++round) {
    runGroup(shape, [&] { group_write(pipe.get(), 36, round * 100, seen.data()); });
    EXPECT_EQ(std::ranges::count(seen, 1), 36);
    runGroup(shape, [&] { group_write(pipe.get(), 36, 0, seen.data()); });
    EXPECT_EQ(std::ranges::count(seen, 0), 36) << "there is no room for so many more";
    runGroup(shape, [&] { group_read(pipe.get(), 36, read.data(), seen.data()); });
    EXPECT_EQ(std::ranges::count(seen, 1), 36);
    for (uint64_t i = 0; i < 36; ++i) EXPECT_EQ(read[i], round * 100 + i);
  }
}

TEST(Pipe, sub_groups_reserve_as_one) {
  Pipe from(80), to(80);
  std::vector<int32_t> seen(80);
  produce(from.get(), 0, 80, 0);
  runGroup({.localSize = {80, 1, 1}}, [&] { sub_group_copy(from.get(), to.get(), seen.data()); });
  EXPECT_EQ(std::ranges::count(seen, 1), 80);
  std::vector<uint64_t> read(80);
  consume(to.get(), read.data(), 80, 0);
  std::ranges::sort(read);
  for (uint64_t i = 0; i < 80; ++i) EXPECT_EQ(read[i], i);
}

} // namespace
} // namespace us::test
