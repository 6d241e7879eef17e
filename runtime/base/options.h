// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The environment options, all of them in options.def; read once, when first asked for.
#pragma once

#include "runtime/base/expected.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace us {

struct Options {
  using Text = std::string;
  using Number = uint64_t;
  using Bytes = uint64_t;
  using Flag = bool;
#define US_OPTION(member, type, name, value, sentence) type member = value;
#include "runtime/base/options.def"
#undef US_OPTION
  /// How many emulated devices there are: what icd/platform has made of deviceChoice.
  uint64_t devices = 1;
};

/// A row of the table, for `--help`, `understudy info` and the documentation.
struct OptionRow {
  std::string_view name; ///< without the UNDERSTUDY_ prefix
  std::string_view type; ///< Text, Choice, Choices, Number, Bytes or Flag
  std::string_view defaultValue;
  std::string_view sentence;
};
std::span<const OptionRow> optionRows();

/// The process's options: the environment at the first call, or the defaults where secure_getenv() gives none of it. A
/// variable that cannot be read keeps its default and is named once on standard error.
const Options &options();

/// Parses one option's text into `into`; InvalidValue says what was asked and what is accepted. Bytes take K, M, G, T
/// (powers of 1024). Flags take 0/1, no/yes, off/on, false/true. No text at all is a choice's
/// default.
Expected<void> setOption(Options &into, std::string_view name, std::string_view text);

} // namespace us
