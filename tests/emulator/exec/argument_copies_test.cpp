// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/exec/argument_copies.h"

#include "emulator/memory/address_space.h"

#include <cstring>
#include <gtest/gtest.h>
#include <limits>

namespace us::exec {
namespace {

using abi::Combination;
using memory::AddressSpace;

constexpr uint64_t kBytes = 64;

/// A launch with two buffers, of which the second is copied; it is given from its ninth byte on.
class ArgumentCopiesTest : public testing::Test {
protected:
  ArgumentCopiesTest() : parameters_(2) {
    memory_ = AddressSpace::instance().allocate(memory::RangeKind::Buffer, kBytes);
    parameters_[0].kind = parameters_[1].kind = ArgumentKind::GlobalPointer;
    parameters_[1].offset = 8;
    const std::byte *words[2] = {nullptr, memory_ + 8};
    std::memcpy(arguments_, words, sizeof words);
  }
  ~ArgumentCopiesTest() override { AddressSpace::instance().release(memory_); }

  /// What comes of a first number and two threads', by their places in the copies.
  template <class T> T combined(Combination combination, T first, T second, T third) {
    std::memset(memory_, 0, kBytes);
    std::memcpy(memory_ + 16, &first, sizeof first);
    const abi::ArgumentCopy wanted[] = {{1, sizeof(T), combination}};
    ArgumentCopies copies(wanted, parameters_, arguments_);
    for (T number : {second, third}) std::memcpy(copies.add()[1] + 8, &number, sizeof number);
    copies.combine();
    T result;
    std::memcpy(&result, memory_ + 16, sizeof result);
    for (uint64_t i = 0; i < kBytes; ++i) // nothing else has changed
      EXPECT_EQ(memory_[i], std::byte(i >= 16 && i < 16 + sizeof(T) ? uint8_t(memory_[i]) : 0)) << i;
    return result;
  }

  std::byte *memory_;
  std::vector<ArgumentInfo> parameters_;
  std::byte arguments_[16];
};

TEST_F(ArgumentCopiesTest, EachCombinationOf32Bits) {
  EXPECT_EQ(combined<uint32_t>(Combination::Add, 5, 7, ~0u), 11u);
  EXPECT_EQ(combined<uint32_t>(Combination::And, 0xff, 0x3f, 0xf3), 0x33u);
  EXPECT_EQ(combined<uint32_t>(Combination::Or, 1, 2, 4), 7u);
  EXPECT_EQ(combined<uint32_t>(Combination::Xor, 1, 3, 7), 5u);
  EXPECT_EQ(combined<int32_t>(Combination::Max, -5, -7, -3), -3);
  EXPECT_EQ(combined<int32_t>(Combination::Min, 5, -7, 3), -7);
  EXPECT_EQ(combined<uint32_t>(Combination::UMax, 5, ~0u, 3), ~0u);
  EXPECT_EQ(combined<uint32_t>(Combination::UMin, 5, ~0u, 3), 3u);
}

TEST_F(ArgumentCopiesTest, EachCombinationOf64Bits) {
  constexpr uint64_t kLarge = uint64_t(1) << 40;
  EXPECT_EQ(combined<uint64_t>(Combination::Add, kLarge, kLarge, ~uint64_t(0)), 2 * kLarge - 1);
  EXPECT_EQ(combined<uint64_t>(Combination::And, kLarge | 1, kLarge | 2, kLarge | 3), kLarge);
  EXPECT_EQ(combined<uint64_t>(Combination::Or, kLarge, 2, 4), kLarge | 6);
  EXPECT_EQ(combined<uint64_t>(Combination::Xor, kLarge, kLarge, 7), 7u);
  EXPECT_EQ(combined<int64_t>(Combination::Max, -int64_t(kLarge), -7, -9), -7);
  EXPECT_EQ(combined<int64_t>(Combination::Min, 5, -int64_t(kLarge), 3), -int64_t(kLarge));
  EXPECT_EQ(combined<uint64_t>(Combination::UMax, 5, kLarge, 3), kLarge);
  EXPECT_EQ(combined<uint64_t>(Combination::UMin, kLarge, kLarge + 1, kLarge + 2), kLarge);
}

TEST_F(ArgumentCopiesTest, AnAddressInACopyIsOneInTheMemory) {
  const abi::ArgumentCopy wanted[] = {{1, 4, Combination::Add}};
  ArgumentCopies copies(wanted, parameters_, arguments_);
  const auto copy = reinterpret_cast<uint64_t>(copies.add()[1]), argument = reinterpret_cast<uint64_t>(memory_) + 8;
  EXPECT_EQ(copies.original(copy + 4), argument + 4);
  EXPECT_EQ(copies.original(copy + 8192), argument + 8192);
  EXPECT_EQ(copies.original(argument), argument);
  EXPECT_EQ(copies.original(12), 12u);
}

TEST_F(ArgumentCopiesTest, NothingCopiedIsNothingDone) {
  ArgumentCopies copies({}, parameters_, arguments_);
  EXPECT_EQ(copies.add(), nullptr);
  copies.combine();
  EXPECT_EQ(copies.original(12), 12u);
}

} // namespace
} // namespace us::exec
