// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands outside of functions in a PTX text: enough to link texts and to answer queries, without compiling. Text
// that is not PTX gives fewer symbols, never an error: the compiler is who says what is wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace us::cuda {

enum class PtxKind : uint8_t { Variable, Function, Kernel };

struct PtxSymbol {
  PtxKind kind = PtxKind::Variable;
  std::string_view name, linkage; ///< visible, extern, weak, common, or empty: of this text alone
  std::string_view space;         ///< of variables: global, const, shared
  std::string_view statement;     ///< the whole of it
  bool isDefinition = true;
  bool isManaged = false; ///< .attribute(.managed)
  uint64_t size = 0;      ///< of variables in bytes; 0 where the text leaves it open
  // Of kernels with a body
  uint64_t localBytes = 0, registers = 0; ///< of .local variables; declared, in 32-bit units
  unsigned mostRegisters = 0;             ///< .maxnreg; 0: not said
  size_t bodyAt = 0;                      ///< where the braces begin, in the whole text

  bool isGlobal() const { return !linkage.empty(); }
};

struct PtxOutline {
  unsigned major = 0, minor = 0, target = 0; ///< .version, .target sm_<number>
  std::vector<PtxSymbol> symbols;            ///< in the order of the text, whose characters they point to
  std::vector<std::string_view> others;      ///< .alias and .pragma statements
  std::vector<std::string_view> sections;    ///< debug information
};
PtxOutline outlineOf(std::string_view text);

/// The names in a function's body, or in a variable's initial value, whatever they mean: each once for a place.
struct PtxNames {
  std::vector<std::string_view> called; ///< where something is called; arguments too
  std::vector<std::string_view> others;
  bool callsThroughPointer = false;
};
PtxNames namesIn(std::string_view body);

/// The text with .maxnreg for every kernel that does not say one; 0: as it is.
std::string limitedTo(unsigned registers, std::string_view text);

/// The text with each of `names`, where it is a whole word, replaced by name + suffix. `names` are sorted.
std::string renamed(std::string_view text, const std::vector<std::string_view> &names, std::string_view suffix);

} // namespace us::cuda
