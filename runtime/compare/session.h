// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compared devices have in common: memory that they may share, the rules, and the report.
#pragma once

#include "runtime/compare/compare_devices.h"
#include "runtime/compare/known_images.h"
#include "runtime/compare/known_memory.h"
#include "runtime/compare/report.h"

#include <atomic>
#include <mutex>

namespace us::compare {

struct Session final : Object {
  explicit Session(ComparisonRules chosen) : rules(std::move(chosen)), report(rules.report) {}

  const ComparisonRules rules;
  Report report;
  std::mutex running; ///< held by the command that runs: while a launch is compared, nothing else may change memory
  MemoryTable memory;
  const std::shared_ptr<ImageTable> images = std::make_shared<ImageTable>();
  std::atomic<uint64_t> launches{0}, programs{0}; ///< the latest's number
  std::atomic<bool> hasTextures{false};           ///< one was made
};

} // namespace us::compare
