// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CallSite: from where the program called, as it is found out in little time: addresses, which whoever tells of them
// turns into lines.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace us {

/// Where an interpreter is in the program that it runs.
struct ScriptLine {
  std::string file, function;
  uint32_t line = 0;
  bool operator==(const ScriptLine &) const = default;
};

/// There is one of each, and it lives for ever.
struct CallSite {
  const char *call = "";          ///< the function of the API
  std::vector<uint64_t> returns;  ///< addresses that calls return to, the innermost first
  size_t between = 0;             ///< so many of them lie in what is between the program and its devices
  std::vector<ScriptLine> script; ///< the same of an interpreter that runs the program; empty: none that could be asked
};

} // namespace us
