// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reader by words: headers, byte order, lengths, ids. Expected values from the specification's "physical layout".
#include "frontend/spirv/module_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

namespace us::frontend::spirv {
namespace {

constexpr uint32_t kVersion10 = 0x00010000;

std::vector<uint32_t> moduleOf(std::vector<uint32_t> instructions, uint32_t bound = 8, uint32_t version = kVersion10) {
  std::vector<uint32_t> words = {spv::MagicNumber, version, 0, bound, 0};
  words.insert(words.end(), instructions.begin(), instructions.end());
  return words;
}

Expected<ModuleText> read(const std::vector<uint32_t> &words) { return readModule(std::as_bytes(std::span(words))); }

std::string errorOf(const std::vector<uint32_t> &words) {
  const Expected<ModuleText> module = read(words);
  return module ? "" : module.error().message;
}

uint32_t head(spv::Op opcode, uint32_t words) { return words << 16 | uint32_t(opcode); }

TEST(ModuleReader, readsTypesAndConstants) {
  const Expected<ModuleText> module = read(moduleOf({head(spv::Op::OpTypeInt, 4), 1, 64, 0, //
                                                     head(spv::Op::OpConstant, 5), 1, 2, 0xDDCCBBAA, 0x11223344}));
  ASSERT_TRUE(module) << module.error().message;
  ASSERT_EQ(2u, module->instructions.size());
  EXPECT_EQ(1u, module->instructions[0].result);
  EXPECT_EQ(0u, module->instructions[0].type);
  EXPECT_EQ(1u, module->instructions[1].type);
  EXPECT_EQ(2u, module->instructions[1].result);
  ASSERT_EQ(2u, module->instructions[1].operands.size());
  EXPECT_EQ(0x11223344u, module->instructions[1].operands[1]);
}

TEST(ModuleReader, takesTheOtherByteOrder) {
  std::vector<uint32_t> words = moduleOf({head(spv::Op::OpString, 4), 3, 0x6c2e6b, 0});
  words[6] = 3;
  words[7] = 'k' | '.' << 8 | 'c' << 16 | 'l' << 24;
  std::ranges::transform(words, words.begin(), [](uint32_t word) { return std::byteswap(word); });
  const Expected<ModuleText> module = read(words);
  ASSERT_TRUE(module) << module.error().message;
  EXPECT_EQ("k.cl", stringIn(module->instructions.at(0).operands));
}

TEST(ModuleReader, refusesHeaders) {
  EXPECT_NE("", errorOf({}));
  EXPECT_NE("", errorOf({spv::MagicNumber, kVersion10, 0, 8}));
  EXPECT_NE("", errorOf(moduleOf({}, 0)));
  EXPECT_NE("", errorOf(moduleOf({}, 0x400000))); // "Universal limits: 4,194,303"
  EXPECT_NE("", errorOf(moduleOf({}, 8, 0x00010700)));
  EXPECT_EQ("", errorOf(moduleOf({}, 8, 0x00010500)));
  EXPECT_NE("", errorOf({0x12345678, kVersion10, 0, 8, 0}));
  const std::vector<std::byte> odd(21);
  EXPECT_FALSE(readModule(odd));
}

TEST(ModuleReader, refusesInstructions) {
  EXPECT_EQ("SPIR-V word 5: instruction 65000 is unknown", errorOf(moduleOf({65000 | 1 << 16})));
  EXPECT_EQ("SPIR-V word 5: OpNop has 0 words, 1 are left", errorOf(moduleOf({0})));
  EXPECT_EQ("SPIR-V word 5: OpNop has 2 words, 1 are left", errorOf(moduleOf({2 << 16})));
  EXPECT_EQ("SPIR-V word 5: OpTypeInt ends before its operands do",
            errorOf(moduleOf({head(spv::Op::OpTypeInt, 3), 1, 32})));
  EXPECT_EQ("SPIR-V word 5: OpTypeVoid has 1 words too many", errorOf(moduleOf({head(spv::Op::OpTypeVoid, 3), 1, 1})));
  EXPECT_EQ("SPIR-V word 5: OpTypeVoid names id 8, the module's ids are below 8",
            errorOf(moduleOf({head(spv::Op::OpTypeVoid, 2), 8})));
  EXPECT_EQ("SPIR-V word 7: OpTypeBool defines id 1 again",
            errorOf(moduleOf({head(spv::Op::OpTypeVoid, 2), 1, head(spv::Op::OpTypeBool, 2), 1})));
  EXPECT_EQ("SPIR-V word 5: OpCapability has the unknown Capability 99999",
            errorOf(moduleOf({head(spv::Op::OpCapability, 2), 99999})));
  EXPECT_EQ("SPIR-V word 7: OpConstant has a literal whose type is no number",
            errorOf(moduleOf({head(spv::Op::OpTypeVoid, 2), 1, head(spv::Op::OpConstant, 4), 1, 2, 5})));
  // A string without its end.
  EXPECT_EQ("SPIR-V word 5: OpString ends before its operands do",
            errorOf(moduleOf({head(spv::Op::OpString, 3), 1, 0x41414141})));
}

} // namespace
} // namespace us::frontend::spirv
