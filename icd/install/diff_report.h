// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the launches of a program and its children came to on two devices, from the lines that each process's runtime
// appends (runtime/compare/README.md has their fields).
#pragma once

#include "runtime/base/expected.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace us::install {

class DiffReport {
public:
  /// `blocks`: so many launches that differ are printed in full.
  explicit DiffReport(uint64_t blocks) : blocks_(blocks) {}

  /// Makes an empty file and points UNDERSTUDY_DIFF_REPORT to it. `json`: where the whole is to be written, too; empty:
  /// nowhere. OutOfResources where a file cannot be made.
  Expected<void> start(const std::string &json);
  /// Reads and removes the file, and writes the other.
  Expected<void> finish();

  void print(FILE *to) const;
  uint64_t different() const { return total_.different; }
  uint64_t compared() const { return total_.same + total_.different; }

private:
  struct Sums {
    uint64_t same = 0, different = 0, notCompared = 0;
    uint64_t unsteady = 0, reordered = 0, tolerated = 0, largestUlps = 0; ///< elements
    void add(const nlohmann::ordered_json &record);
  };
  void add(const nlohmann::ordered_json &record);
  nlohmann::ordered_json summary() const;

  const uint64_t blocks_;
  std::string path_, json_;
  Sums total_;
  std::map<std::string, Sums> kernels_;
  std::map<std::pair<std::string, std::string>, uint64_t> notCompared_; ///< launches by kernel and reason
  std::vector<std::string> texts_;                                      ///< a block each, the first so many
};

} // namespace us::install
