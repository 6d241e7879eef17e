// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings that somebody knows of and accepts: patterns of their keys.
#pragma once

#include "runtime/base/expected.h"

#include <string>
#include <string_view>
#include <vector>

namespace us::install {

/// True if `pattern` is `key`. In a pattern `*` is any text, also none; `\*`, `\#` and `\\` are the characters
/// themselves.
bool matchesKey(std::string_view pattern, std::string_view key);
/// The pattern that only this key matches.
std::string patternOf(std::string_view key);

class Suppressions {
public:
  /// The patterns of a file, one a line. Empty lines, and those that begin with `#`, say nothing. InvalidValue: it
  /// cannot be read.
  Expected<void> read(const std::string &path);
  /// One from the command line.
  void accept(const std::string &pattern);

  /// The first pattern that matches, or null. Remembers all that do.
  const std::string *matching(std::string_view key);

  /// Those that matched nothing yet, each with where it stands: "'x*' (known.txt:3)".
  std::vector<std::string> unused() const;

private:
  struct Pattern {
    std::string text, from;
    bool isUsed = false;
  };
  std::vector<Pattern> patterns_;
};

} // namespace us::install
