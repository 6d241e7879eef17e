// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the checks found, for a person at a terminal.
#pragma once

#include "icd/install/check_report.h"

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace us::install {

/// The part of a source line that a report shows, without what would make it too wide.
struct SourceExcerpt {
  std::string text = {};  ///< printable
  std::string caret = {}; ///< what puts a caret below the column; empty: it is not known
};
SourceExcerpt excerptOf(const CheckPlace &place);

/// "saxpy.cl:5:10, in 'saxpy'", "line 5, in 'saxpy'"; empty if nothing is known.
/// "memory: out of bounds write, line 5, column 3, work-item 4 of work-group 0"
std::string followOnText(const CheckFollowOn &one);
std::string placeText(const CheckPlace &place);
/// "work-items 16-31 of work-groups 0-7 (128 work-items)", as far as is known.
std::string whoText(const CheckFinding &finding);
/// "128 work-items in 2 launches of 1 process".
std::string timesText(const CheckedFinding &finding);

/// A finding as a block of lines; printable.
std::string blockOf(const CheckFinding &finding, bool inColor);
/// What ran and what was found, in one line.
std::string summaryText(const CheckReport &report);

/// Writes what is new as soon as it is known.
class CheckText {
public:
  /// `blocks`: so many findings are printed in full.
  CheckText(FILE *to, uint64_t blocks);

  void print(const CheckNews &news);
  /// Says on a terminal, in longer and longer intervals, that the program still runs.
  void printProgress();
  /// The last lines.
  void printEnd(const CheckReport &report);

private:
  void say(const std::string &text);

  FILE *const to_;
  const uint64_t blocks_;
  const bool isTerminal_, inColor_;
  const uint64_t began_;
  uint64_t nextProgress_; ///< seconds since then
  uint64_t found_ = 0;
};

} // namespace us::install
