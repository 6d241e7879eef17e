// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is written of each launch: a line of JSON. runtime/compare/README.md has the fields.
#pragma once

#include "runtime/base/geometry.h"
#include "runtime/compare/compared_program.h"
#include "runtime/compare/judgement.h"

#include <string>
#include <vector>

namespace us::compare {

/// An allocation after a launch.
struct MemoryRecord {
  int argument = -1;      ///< that points to it; -1: none does
  std::string name, type; ///< the argument's; empty: unknown
  uint64_t size = 0;      ///< bytes
  Judgement judgement = {};
};

struct LaunchRecord {
  uint64_t launch = 0; ///< its number in this process, from 1 on
  std::string kernel;
  KernelPlace place;
  std::string reference, candidate; ///< the devices
  Size3 globalSize{}, localSize{};
  std::string obstacle; ///< why it was not compared; empty: it was
  std::string failure;  ///< of the candidate, where the reference has succeeded
  std::vector<MemoryRecord> memory;

  bool differs() const;
};

struct BuildRecord {
  uint64_t program = 0;
  std::string candidate, failure, log;
};

class Report {
public:
  /// Empty: standard error.
  explicit Report(std::string file) : file_(std::move(file)) {}
  void add(const LaunchRecord &record) const;
  void add(const BuildRecord &record) const;

private:
  void write(std::string line) const;
  const std::string file_;
};

} // namespace us::compare
