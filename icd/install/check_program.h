// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `understudy check`: runs a program on checked devices and says what the checks found.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace us::install {

/// The exit codes of our own, besides the program's.
constexpr int kCheckFoundSomething = 123, kNothingWasChecked = 124;

struct CheckRequest {
  std::map<std::string, std::string> options; ///< of the table
  std::vector<std::string> program;
  std::string checks;                   ///< what UNDERSTUDY_CHECK shall be; empty: as it is, or all that are exact
  std::string json, sarif, junit, html; ///< files; empty: not wanted
  std::vector<std::string> suppressions, accepted;
  std::string writtenSuppressions; ///< a file; empty: not wanted
  uint64_t blocks = 50;            ///< so many findings are printed in full
};

/// The process's exit code.
int checkProgram(const CheckRequest &request);

} // namespace us::install
