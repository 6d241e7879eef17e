// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/module_reader.h"

#include "frontend/spirv/grammar.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace us::frontend::spirv {
namespace {

constexpr uint32_t kHeaderWords = 5;
constexpr uint32_t kNewestMinor = 6;
/// "Universal limits: ID bound: 4,194,303".
constexpr uint32_t kLargestBound = 0x3FFFFF;

std::unexpected<Error> malformed(const std::string &message) { return fail(ErrorCode::BuildProgramFailure, message); }

/// What the widths of literal numbers depend on.
struct Widths {
  std::vector<uint8_t> wordsOfType; ///< by type id: words of a literal, 0: no number
  std::vector<uint32_t> typeOf;     ///< by id

  void note(const Instruction &instruction) {
    if (instruction.result == 0) return;
    typeOf[instruction.result] = instruction.type;
    const bool isNumber = instruction.opcode == spv::Op::OpTypeInt || instruction.opcode == spv::Op::OpTypeFloat;
    if (isNumber) wordsOfType[instruction.result] = instruction.operands[0] > 32 ? 2 : 1;
  }
};

/// Walks one instruction's words by the grammar.
class OperandWalk {
public:
  OperandWalk(Instruction &instruction, std::span<const uint32_t> words, uint32_t bound, const Widths &widths)
      : instruction_(instruction), words_(words), bound_(bound), widths_(widths) {}

  Expected<void> walk(std::span<const Operand> operands) {
    US_CHECK(follow(operands));
    if (next_ != words_.size())
      return failAt(instruction_, "has " + std::to_string(words_.size() - next_) + " words too many");
    return {};
  }

private:
  Expected<void> follow(std::span<const Operand> operands) {
    for (const Operand &operand : operands) {
      if (operand.quantifier == Quantifier::Once) US_CHECK(one(kindOf(operand)));
      if (operand.quantifier == Quantifier::Optional && next_ < words_.size()) US_CHECK(one(kindOf(operand)));
      if (operand.quantifier == Quantifier::Any)
        while (next_ < words_.size()) US_CHECK(one(kindOf(operand)));
    }
    return {};
  }

  Expected<void> one(const OperandKind &kind) { return (this->*kSteps[size_t(kind.operandClass)])(kind); }

  Expected<uint32_t> word() {
    if (next_ == words_.size()) return failAt(instruction_, "ends before its operands do");
    return words_[next_++];
  }

  Expected<uint32_t> checkedId() {
    US_TRY(const uint32_t id, word());
    if (id == 0 || id >= bound_)
      return failAt(instruction_,
                    "names id " + std::to_string(id) + ", the module's ids are below " + std::to_string(bound_));
    return id;
  }

  Expected<void> resultType(const OperandKind &) {
    US_TRY(instruction_.type, checkedId());
    instruction_.operands = words_.subspan(next_);
    return {};
  }

  Expected<void> result(const OperandKind &) {
    US_TRY(instruction_.result, checkedId());
    instruction_.operands = words_.subspan(next_);
    return {};
  }

  Expected<void> id(const OperandKind &) {
    if (raw_) return number({});
    US_CHECK(checkedId());
    return {};
  }

  Expected<void> number(const OperandKind &) {
    US_CHECK(word());
    return {};
  }

  Expected<void> string(const OperandKind &) {
    for (;;) {
      US_TRY(const uint32_t four, word());
      const bool ends = (four & 0xFFu) == 0 || (four & 0xFF00u) == 0 || (four & 0xFF0000u) == 0 || four >> 24 == 0;
      if (ends) return {};
    }
  }

  Expected<void> numberOfType(uint32_t type) {
    const unsigned count = type < bound_ ? widths_.wordsOfType[type] : 0;
    if (count == 0) return failAt(instruction_, "has a literal whose type is no number");
    for (unsigned i = 0; i < count; ++i) US_CHECK(word());
    return {};
  }

  Expected<void> typedNumber(const OperandKind &) { return numberOfType(instruction_.type); }

  Expected<void> extendedNumber(const OperandKind &) {
    raw_ = true;
    return number({});
  }

  Expected<void> opcode(const OperandKind &) {
    US_TRY(const uint32_t number, word());
    const InstructionGrammar *grammar = number <= UINT16_MAX ? instructionGrammar(uint16_t(number)) : nullptr;
    if (!grammar) return failAt(instruction_, "names the unknown " + nameOfOpcode(number));
    if (number == uint32_t(spv::Op::OpSpecConstantOp)) return failAt(instruction_, "names itself as its operation");
    for (const Operand &operand : operandsOf(*grammar)) {
      const OperandClass operandClass = kindOf(operand).operandClass;
      if (operandClass == OperandClass::ResultType || operandClass == OperandClass::Result) continue;
      US_CHECK(follow({&operand, 1}));
    }
    return {};
  }

  Expected<void> valueEnum(const OperandKind &kind) {
    US_TRY(const uint32_t value, word());
    const Enumerant *enumerant = enumerantOf(kind, value);
    if (!enumerant)
      return failAt(instruction_, "has the unknown " + std::string(kind.name) + " " + std::to_string(value));
    return follow(parametersOf(*enumerant));
  }

  Expected<void> bitEnum(const OperandKind &kind) {
    US_TRY(const uint32_t bits, word());
    for (uint32_t rest = bits; rest != 0; rest &= rest - 1) {
      const uint32_t bit = rest & -rest;
      const Enumerant *enumerant = enumerantOf(kind, bit);
      if (!enumerant)
        return failAt(instruction_, "has the unknown " + std::string(kind.name) + " bit " + std::to_string(bit));
      US_CHECK(follow(parametersOf(*enumerant)));
    }
    return {};
  }

  Expected<void> pairTypedNumberId(const OperandKind &kind) {
    const uint32_t selector = instruction_.operands.empty() ? 0 : instruction_.operands[0];
    US_CHECK(numberOfType(widths_.typeOf[selector]));
    return id(kind);
  }

  Expected<void> pairIdNumber(const OperandKind &kind) {
    US_CHECK(id(kind));
    return number(kind);
  }

  Expected<void> pairIdId(const OperandKind &kind) {
    US_CHECK(id(kind));
    return id(kind);
  }

  using Step = Expected<void> (OperandWalk::*)(const OperandKind &);
  /// In the order of OperandClass.
  static constexpr Step kSteps[] = {&OperandWalk::resultType,
                                    &OperandWalk::result,
                                    &OperandWalk::id,
                                    &OperandWalk::number,
                                    &OperandWalk::string,
                                    &OperandWalk::typedNumber,
                                    &OperandWalk::extendedNumber,
                                    &OperandWalk::opcode,
                                    &OperandWalk::valueEnum,
                                    &OperandWalk::bitEnum,
                                    &OperandWalk::pairTypedNumberId,
                                    &OperandWalk::pairIdNumber,
                                    &OperandWalk::pairIdId};

  Instruction &instruction_;
  const std::span<const uint32_t> words_;
  const uint32_t bound_;
  const Widths &widths_;
  size_t next_ = 0;
  bool raw_ = false; ///< ids and numbers cannot be told apart from here on
};

Expected<void> readHeader(ModuleText &module) {
  if (module.words.size() < kHeaderWords) return malformed("the SPIR-V module is shorter than its header");
  if (module.words[0] == std::byteswap(spv::MagicNumber))
    std::ranges::transform(module.words, module.words.begin(), [](uint32_t word) { return std::byteswap(word); });
  if (module.words[0] != spv::MagicNumber) return malformed("the module does not begin with SPIR-V's magic number");
  const uint32_t major = module.words[1] >> 16 & 0xFF;
  module.minorVersion = module.words[1] >> 8 & 0xFF;
  if (major != 1 || module.minorVersion > kNewestMinor)
    return malformed("the module is of SPIR-V " + std::to_string(major) + "." + std::to_string(module.minorVersion) +
                     ", the device takes 1.0 to 1." + std::to_string(kNewestMinor));
  module.bound = module.words[3];
  if (module.bound == 0 || module.bound > kLargestBound)
    return malformed("the module's id bound is " + std::to_string(module.bound) + ", the largest is " +
                     std::to_string(kLargestBound));
  return {};
}

} // namespace

std::unexpected<Error> failAt(const Instruction &instruction, const std::string &message) {
  return malformed("SPIR-V word " + std::to_string(instruction.place) + ": " +
                   nameOfOpcode(uint32_t(instruction.opcode)) + " " + message);
}

std::string stringIn(std::span<const uint32_t> words, size_t *wordCount) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i)
    for (unsigned shift = 0; shift < 32; shift += 8) {
      const char character = char(words[i] >> shift & 0xFF);
      if (character == '\0') {
        if (wordCount) *wordCount = i + 1;
        return text;
      }
      text += character;
    }
  if (wordCount) *wordCount = words.size();
  return text;
}

Expected<ModuleText> readModule(std::span<const std::byte> bytes) {
  if (bytes.size() % 4 != 0)
    return malformed("the SPIR-V module has " + std::to_string(bytes.size()) + " bytes, which are no whole words");
  ModuleText module;
  module.words.resize(bytes.size() / 4);
  if (!bytes.empty()) std::memcpy(module.words.data(), bytes.data(), bytes.size());
  US_CHECK(readHeader(module));

  Widths widths{std::vector<uint8_t>(module.bound), std::vector<uint32_t>(module.bound)};
  std::vector<bool> defined(module.bound);
  const std::span<const uint32_t> words = module.words;
  for (size_t place = kHeaderWords; place < words.size();) {
    const uint32_t opcode = words[place] & 0xFFFF, count = words[place] >> 16;
    Instruction instruction{spv::Op(opcode), uint32_t(place), 0, 0, {}};
    const InstructionGrammar *grammar = instructionGrammar(uint16_t(opcode));
    if (!grammar) return failAt(instruction, "is unknown");
    if (count == 0 || count > words.size() - place)
      return failAt(instruction,
                    "has " + std::to_string(count) + " words, " + std::to_string(words.size() - place) + " are left");
    instruction.operands = words.subspan(place + 1, count - 1);
    US_CHECK(OperandWalk(instruction, instruction.operands, module.bound, widths).walk(operandsOf(*grammar)));
    if (instruction.result != 0) {
      if (defined[instruction.result])
        return failAt(instruction, "defines id " + std::to_string(instruction.result) + " again");
      defined[instruction.result] = true;
    }
    widths.note(instruction);
    module.instructions.push_back(instruction);
    place += count;
  }
  return module;
}

} // namespace us::frontend::spirv
