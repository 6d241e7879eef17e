// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the runtime looks at in a SPIR-V module. The words are written out from the specification's tables.
#include "tests/runtime/core/core_fixture.h"

#include <algorithm>
#include <bit>

namespace us::core {
namespace {

constexpr uint32_t kHeader[] = {0x07230203, 0x00010200, 0, 16, 0};

uint32_t head(uint32_t opcode, uint32_t words) { return words << 16 | opcode; }

/// Three specialization constants: SpecId 7 an int, 8 a boolean, 9 a double.
std::vector<uint32_t> goodModule() {
  std::vector<uint32_t> words(std::begin(kHeader), std::end(kHeader));
  const std::vector<uint32_t> body = {
      head(71, 4), 4, 1,  7, // OpDecorate %4 SpecId 7
      head(71, 4), 5, 1,  8, // OpDecorate %5 SpecId 8
      head(71, 4), 6, 1,  9, // OpDecorate %6 SpecId 9
      head(21, 4), 1, 32, 0, // %1 = OpTypeInt 32 0
      head(20, 2), 2,        // %2 = OpTypeBool
      head(22, 3), 3, 64,    // %3 = OpTypeFloat 64
      head(50, 4), 1, 4,  5, // %4 = OpSpecConstant %1 5
      head(48, 3), 2, 5,     // %5 = OpSpecConstantTrue %2
      head(50, 5), 3, 6,  0, 0,
  };
  words.insert(words.end(), body.begin(), body.end());
  return words;
}

Expected<IntermediateLanguage> read(const std::vector<uint32_t> &words) {
  return readIntermediateLanguage(std::as_bytes(std::span(words)));
}

TEST(IntermediateLanguage, KnowsTheSpecializationConstants) {
  const std::map<uint32_t, uint32_t> expected = {{7, 4}, {8, 1}, {9, 8}};
  const auto il = read(goodModule());
  ASSERT_TRUE(il);
  EXPECT_EQ(il->specializationConstants, expected);
  EXPECT_EQ(il->bytes.size(), goodModule().size() * 4);

  std::vector<uint32_t> swapped = goodModule();
  std::ranges::transform(swapped, swapped.begin(), [](uint32_t word) { return std::byteswap(word); });
  const auto other = read(swapped);
  ASSERT_TRUE(other);
  EXPECT_EQ(other->specializationConstants, expected);
}

TEST(IntermediateLanguage, RefusesWhatIsNoModule) {
  std::vector<uint32_t> words = goodModule();
  words.back() = 0;
  words.pop_back();
  EXPECT_EQ(read(words).error().code, ErrorCode::InvalidValue); // the last instruction is cut
  words = goodModule();
  words[5] = 71; // a length of no words
  EXPECT_EQ(read(words).error().code, ErrorCode::InvalidValue);
  words[0] = 1;
  EXPECT_EQ(read(words).error().code, ErrorCode::InvalidValue);
  EXPECT_EQ(read({}).error().code, ErrorCode::InvalidValue);
  EXPECT_EQ(readIntermediateLanguage(std::as_bytes(std::span(kHeader)).first(18)).error().code,
            ErrorCode::InvalidValue);
}

class IlProgramTest : public CoreTest {};

TEST_F(IlProgramTest, ValuesAreCheckedAgainstTheModule) {
  const std::vector<uint32_t> words = goodModule();
  const auto program = Program::fromIl(*context, std::as_bytes(std::span(words)));
  ASSERT_TRUE(program);
  EXPECT_EQ((*program)->origin(), ProgramOrigin::IntermediateLanguage);
  EXPECT_EQ((*program)->il().size(), words.size() * 4);
  const std::byte bytes[8] = {};
  EXPECT_TRUE((*program)->setSpecializationConstant(9, bytes));
  EXPECT_TRUE((*program)->setSpecializationConstant(8, {bytes, 1}));
  EXPECT_EQ((*program)->setSpecializationConstant(8, {bytes, 4}).error().code, ErrorCode::InvalidValue);
  EXPECT_EQ((*program)->setSpecializationConstant(1, {bytes, 4}).error().code, ErrorCode::InvalidSpecId);
  EXPECT_EQ(Program::fromSource(*context, "one")->setSpecializationConstant(7, {bytes, 4}).error().code,
            ErrorCode::InvalidProgram);
}

} // namespace
} // namespace us::core
