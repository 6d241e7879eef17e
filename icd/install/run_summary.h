// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program and its children ran, from the lines that each process's runtime appends at exit.
#pragma once

#include "runtime/base/expected.h"

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace us::install {

class RunSummary {
public:
  /// Makes an empty file and points UNDERSTUDY_SUMMARY to it: every process adds a line of JSON to it when it
  /// begins, and one when it exits. `detail`: what UNDERSTUDY_SUMMARY_DETAIL shall be; empty: as it is.
  Expected<void> start(const std::string &detail);
  /// Reads and removes the file.
  Expected<void> finish();

  uint64_t launches() const { return total("launches"); }
  void print(FILE *to) const;
  /// As results of tests: a case for each kernel, which fails if no launch of it succeeded, and one for the program,
  /// with its exit code and `problem`, unless that is empty.
  std::string junit(int code, const std::string &problem, double seconds) const;

private:
  /// A line for each way in which a kernel ran, those that took longest first.
  void printRuns(FILE *to) const;
  uint64_t total(const std::string &counter) const;

  std::string path_;
  std::map<std::string, uint64_t> counters_;
  std::map<std::string, uint64_t> kernels_; ///< launches by kernel name
  /// Kernel, tier, and why not a faster one: launches and nanoseconds.
  std::map<std::tuple<std::string, std::string, std::string>, std::pair<uint64_t, uint64_t>> runs_;
  std::vector<std::string> devices_;
  unsigned began_ = 0, ended_ = 0; ///< lines of each kind: a process writes one when it begins and one when it ends
};

} // namespace us::install
