// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes of a SPIR-V module as instructions whose operands are laid out as the grammar says. Every id is below the
// bound, every enumerant known, every result new: whoever looks at an instruction later need not check that again.
#pragma once

#include "runtime/base/expected.h"

#include <spirv/unified1/spirv.hpp11>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace us::frontend::spirv {

struct Instruction {
  spv::Op opcode;
  uint32_t place = 0;                 ///< the word it begins at
  uint32_t type = 0, result = 0;      ///< ids; 0 if it has none
  std::span<const uint32_t> operands; ///< what follows them
};

struct ModuleText {
  std::vector<uint32_t> words; ///< in this machine's byte order
  uint32_t minorVersion = 0;   ///< of SPIR-V 1
  uint32_t bound = 0;          ///< every id is below
  std::vector<Instruction> instructions;
};

/// The error's message says which word and which instruction.
Expected<ModuleText> readModule(std::span<const std::byte> bytes);

/// The string that begins at words[0]; `wordCount` receives how many words it takes.
std::string stringIn(std::span<const uint32_t> words, size_t *wordCount = nullptr);

/// An error at an instruction.
std::unexpected<Error> failAt(const Instruction &instruction, const std::string &message);

} // namespace us::frontend::spirv
