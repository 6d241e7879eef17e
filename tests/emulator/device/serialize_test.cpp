// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Program binaries and cache entries: they come back as they were, and no bytes can crash the reader.
#include "emulator/device/serialize.h"

#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace us::emulator {
namespace {

StoredProgram sample() {
  StoredProgram program;
  program.module.kind = 3;
  program.module.ir = {'B', 'C', char(0xc0), char(0xde), 0, 1, 2};
  KernelInfo kernel;
  kernel.name = "saxpy";
  kernel.arguments.resize(2);
  kernel.arguments[0] = {
      ArgumentKind::GlobalPointer, AccessQualifier::None, kTypeConst, 8, 8, 0, 4, true, false, "float*", "float", "x"};
  kernel.arguments[1] = {ArgumentKind::Value, AccessQualifier::None, 0, 4, 4, 8, 1, true, true, "float", "", "a"};
  kernel.argumentBlockSize = 12;
  kernel.hasArgumentNames = true;
  kernel.requiredWorkGroupSize = {64, 2, 1};
  kernel.attributes = "reqd_work_group_size(64,2,1)";
  kernel.localMemory = 512;
  kernel.usesBarrier = true;
  kernel.tierObstacles = {{"loop", "a sub-group operation waits"}};
  program.module.kernels.push_back(kernel);
  program.module.variables = {16, 8, {1, 2, 3}, {{8, 0}}, {}};
  program.module.options = "-DN=4";
  program.module.expandedSource = "kernel void saxpy() {}";
  program.module.includedFiles = {{"include/a.h", 42}};
  program.log = "warning: …";
  return program;
}

ByteView viewOf(const Bytes &bytes) { return {bytes.data(), bytes.size()}; }

TEST(Serialize, ProgramComesBackAsItWas) {
  Bytes bytes = serialize(sample());
  std::optional<StoredProgram> back = readProgram(viewOf(bytes));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->module.ir, sample().module.ir);
  ASSERT_EQ(back->module.kernels.size(), 1u);
  const KernelInfo &kernel = back->module.kernels[0];
  EXPECT_EQ(kernel.name, "saxpy");
  ASSERT_EQ(kernel.arguments.size(), 2u);
  EXPECT_EQ(kernel.arguments[0].typeName, "float*");
  EXPECT_EQ(kernel.arguments[0].elementName, "float");
  EXPECT_FALSE(kernel.arguments[0].written);
  EXPECT_EQ(kernel.arguments[1].offset, 8u);
  EXPECT_EQ(kernel.requiredWorkGroupSize, (Size3{64, 2, 1}));
  EXPECT_TRUE(kernel.usesBarrier);
  ASSERT_EQ(kernel.tierObstacles.size(), 1u);
  EXPECT_EQ(kernel.tierObstacles[0].tier, "loop");
  EXPECT_EQ(kernel.tierObstacles[0].reason, "a sub-group operation waits");
  EXPECT_EQ(back->module.variables.relocations, sample().module.variables.relocations);
  EXPECT_EQ(back->module.includedFiles, sample().module.includedFiles);
  EXPECT_EQ(back->log, "warning: …");
  EXPECT_EQ(serialize(*back), bytes);
}

TEST(Serialize, EveryTruncationIsRefused) {
  Bytes bytes = serialize(sample());
  for (size_t size = 0; size < bytes.size(); ++size) EXPECT_FALSE(readProgram({bytes.data(), size})) << size;
  bytes.push_back(std::byte{0});
  EXPECT_FALSE(readProgram(viewOf(bytes)));
}

TEST(Serialize, EveryChangedByteOfAContainerIsRefused) {
  Bytes packed = pack(ContentKind::Program, "here", serialize(sample()));
  ASSERT_TRUE(unpack(ContentKind::Program, "here", packed));
  EXPECT_FALSE(unpack(ContentKind::Program, "there", packed));
  EXPECT_FALSE(unpack(ContentKind::Code, "here", packed));
  for (size_t at = 0; at < packed.size(); ++at) {
    Bytes changed = packed;
    changed[at] ^= std::byte{0x10};
    EXPECT_FALSE(unpack(ContentKind::Program, "here", changed)) << at;
  }
  for (size_t size = 0; size < packed.size(); ++size)
    EXPECT_FALSE(unpack(ContentKind::Program, "here", {packed.data(), size})) << size;
}

TEST(Serialize, WhatLaterCodeDividesByIsChecked) {
  const auto accepts = [](auto change) {
    StoredProgram program = sample();
    change(program.module.kernels[0]);
    return readProgram(viewOf(serialize(program))).has_value();
  };
  EXPECT_TRUE(accepts([](KernelInfo &kernel) { kernel.arguments[1].alignment = 128; }));
  for (uint32_t alignment : {0u, 3u, 24u, 1u << 31}) {
    EXPECT_FALSE(accepts([&](KernelInfo &kernel) { kernel.arguments[0].alignment = alignment; })) << alignment;
    EXPECT_FALSE(accepts([&](KernelInfo &kernel) { kernel.arguments[0].pointeeAlignment = alignment; })) << alignment;
  }
  EXPECT_TRUE(accepts([](KernelInfo &kernel) { kernel.requiredWorkGroupSize = {0, 0, 0}; }));
  for (const Size3 &size : {Size3{8, 0, 1}, Size3{0, 1, 1}, Size3{1ull << 32, 1, 1}, Size3{UINT64_MAX, 1, 1}}) {
    EXPECT_FALSE(accepts([&](KernelInfo &kernel) { kernel.requiredWorkGroupSize = size; })) << size[0];
    EXPECT_FALSE(accepts([&](KernelInfo &kernel) { kernel.workGroupSizeHint = size; })) << size[0];
  }
}

TEST(Serialize, WhatALaunchWritesFitsTheArguments) {
  const auto accepts = [](auto change) {
    StoredProgram program = sample();
    change(program.module.kernels[0].arguments);
    return readProgram(viewOf(serialize(program))).has_value();
  };
  // The block has 12 bytes: a pointer at its end would be written beyond it.
  EXPECT_FALSE(accepts([](std::vector<ArgumentInfo> &arguments) { arguments[1].kind = ArgumentKind::GlobalPointer; }));
  // Values that lie upon each other, and together are more than 32 bits count.
  EXPECT_FALSE(accepts([](std::vector<ArgumentInfo> &arguments) { arguments.resize(5, arguments[1]); }));
}

/// The reader behind the checksum, too: a container may be forged.
TEST(Serialize, DamagedPayloadsNeverCrash) {
  const Bytes good = serialize(sample());
  std::mt19937 random(1);
  unsigned accepted = 0;
  for (int round = 0; round < 200000; ++round) {
    Bytes bytes = good;
    for (unsigned change = 1 + random() % 4; change > 0; --change) {
      size_t at = random() % bytes.size();
      if (random() % 4 == 0 && at + 8 <= bytes.size()) {
        uint64_t wild = random() % 2 ? ~0ull >> (random() % 64) : random();
        std::memcpy(bytes.data() + at, &wild, 8);
      } else {
        bytes[at] = static_cast<std::byte>(random());
      }
    }
    std::optional<StoredProgram> program = readProgram(viewOf(bytes));
    if (!program) continue;
    ++accepted; // some fields may hold anything: but what holds between fields must hold
    for (auto &[at, target] : program->module.variables.relocations) EXPECT_LE(at + 8, program->module.variables.size);
    EXPECT_LE(program->module.variables.image.size(), program->module.variables.size);
    for (const KernelInfo &kernel : program->module.kernels)
      for (const ArgumentInfo &argument : kernel.arguments)
        EXPECT_LE(uint64_t(argument.offset) + argument.size, kernel.argumentBlockSize);
  }
  EXPECT_GT(accepted, 0u);
}

TEST(Serialize, RandomBytesAreRefused) {
  std::mt19937 random(2);
  for (int round = 0; round < 20000; ++round) {
    Bytes bytes(random() % 512);
    for (std::byte &byte : bytes) byte = static_cast<std::byte>(random());
    EXPECT_FALSE(unpack(ContentKind::Program, "here", bytes));
    readCode(viewOf(bytes));
    readProgram(viewOf(bytes));
  }
}

TEST(Serialize, CodeComesBackAsItWas) {
  abi::CodeData code{{1, 2, 3}, "us.saxpy", 4096};
  code.copies = {{3, 8, abi::Combination::UMax}};
  std::optional<abi::CodeData> back = readCode(viewOf(serialize(code)));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->object, code.object);
  EXPECT_EQ(back->symbol, code.symbol);
  EXPECT_EQ(back->frameBytes, code.frameBytes);
  EXPECT_EQ(back->copies, code.copies);
}

} // namespace
} // namespace us::emulator
