// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/intermediate_language.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

namespace us::core {
namespace {

// SPIR-V's own numbers.
constexpr uint32_t kMagic = 0x07230203;
constexpr size_t kHeaderWords = 5;
enum Opcode : uint32_t {
  kTypeBool = 20,
  kTypeInt = 21,
  kTypeFloat = 22,
  kSpecConstantTrue = 48,
  kSpecConstantFalse = 49,
  kSpecConstant = 50,
  kDecorate = 71
};
constexpr uint32_t kDecorationSpecId = 1;

std::unexpected<Error> malformed(const std::string &message) { return fail(ErrorCode::InvalidValue, message); }

Expected<std::vector<uint32_t>> wordsOf(std::span<const std::byte> bytes) {
  if (bytes.size() % 4 != 0 || bytes.size() < kHeaderWords * 4)
    return malformed("a SPIR-V module has five words or more, " + std::to_string(bytes.size()) + " bytes were given");
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  // A module may come from a machine with another byte order.
  if (words[0] == std::byteswap(kMagic))
    std::ranges::transform(words, words.begin(), [](uint32_t word) { return std::byteswap(word); });
  if (words[0] != kMagic) return malformed("the intermediate language does not begin with SPIR-V's magic number");
  return words;
}

/// What instructions say on the way to the specialization constants.
struct Walk {
  std::map<uint32_t, uint32_t> specIds;   ///< by id
  std::map<uint32_t, uint32_t> typeSizes; ///< by id: bytes
  std::map<uint32_t, uint32_t> constants; ///< by SpecId: bytes

  void see(uint32_t opcode, std::span<const uint32_t> operands) {
    if (opcode == kDecorate && operands.size() >= 3 && operands[1] == kDecorationSpecId)
      specIds[operands[0]] = operands[2];
    if ((opcode == kTypeInt || opcode == kTypeFloat) && operands.size() >= 2) typeSizes[operands[0]] = operands[1] / 8;
    // spec_size "should be 1 for boolean constants".
    if (opcode == kTypeBool && !operands.empty()) typeSizes[operands[0]] = 1;
    const bool isConstant = opcode == kSpecConstant || opcode == kSpecConstantTrue || opcode == kSpecConstantFalse;
    if (!isConstant || operands.size() < 2) return;
    const auto specId = specIds.find(operands[1]);
    const auto size = typeSizes.find(operands[0]);
    if (specId != specIds.end() && size != typeSizes.end()) constants[specId->second] = size->second;
  }
};

} // namespace

Expected<IntermediateLanguage> readIntermediateLanguage(std::span<const std::byte> bytes) {
  US_TRY(const std::vector<uint32_t> words, wordsOf(bytes));
  Walk walk;
  for (size_t place = kHeaderWords; place < words.size();) {
    const size_t count = words[place] >> 16;
    if (count == 0 || count > words.size() - place)
      return malformed("the SPIR-V instruction at word " + std::to_string(place) + " has " + std::to_string(count) +
                       " words, " + std::to_string(words.size() - place) + " are left");
    walk.see(words[place] & 0xFFFF, std::span(words).subspan(place + 1, count - 1));
    place += count;
  }
  return IntermediateLanguage{{bytes.begin(), bytes.end()}, std::move(walk.constants)};
}

} // namespace us::core
