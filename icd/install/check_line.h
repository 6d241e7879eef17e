// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a process of a checked program reports: the lines of JSON that it appends to UNDERSTUDY_CHECK_REPORT.
// docs/howto/check.md has their fields.
#pragma once

#include "runtime/base/expected.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace us::install {

struct CheckPlace {
  std::string file = {}; ///< empty: the only source of the program
  std::string function = {};
  std::string text = {};         ///< the line itself; empty: not known
  uint64_t line = 0, column = 0; ///< from 1 on, 0: not known; columns count bytes
};

/// The other side of a race.
struct CheckOtherSide {
  std::string what = {};
  CheckPlace place = {};
  std::string items = {};
};

/// Which work-items of one group have the finding.
struct CheckGrid {
  std::array<uint64_t, 3> localSize{}, numGroups{}, group{};
  std::vector<uint64_t> items = {}; ///< linear local ids
};

/// What was touched of an allocation, from its beginning on.
struct CheckStrip {
  uint64_t bytes = 0;
  int64_t from = 0, to = 0; ///< the first byte, and the one behind the last
};

/// What is wrong only because of a finding.
struct CheckFollowOn {
  std::string key = {}, category = {}, kind = {}, sentence = {};
  CheckPlace place = {};
  std::string items = {};
};

struct CheckFinding {
  std::string key = {};      ///< the same in every run, and after edits elsewhere
  std::string category = {}; ///< "memory", "races": the field `class`
  std::string kind = {};     ///< "out of bounds write"
  std::string sentence = {};
  std::string kernel = {}; ///< empty: the host did it
  uint64_t launch = 0;     ///< its number in the process
  CheckPlace place = {};
  std::vector<CheckPlace> inlinedFrom = {}; ///< the innermost call first
  std::string memory = {};                  ///< whose memory, and where in it
  std::string items = {};                   ///< "work-items 16-31 of work-groups 0-7"
  uint64_t itemCount = 0;
  std::vector<std::pair<std::string, std::string>> details = {}; ///< labels and texts
  std::optional<CheckOtherSide> second = {};
  std::optional<CheckGrid> grid = {};
  std::optional<CheckStrip> strip = {};
  std::vector<CheckFollowOn> followOns = {};
};

/// The first checked device was made.
struct CheckBegan {
  std::vector<std::string> checks = {};
  std::string device = {};
};

/// The process ended in good order.
struct CheckEnded {
  uint64_t kernels = 0, launches = 0, workItems = 0;
  std::map<std::string, uint64_t> counts = {};           ///< work-items by key
  std::map<std::string, uint64_t> launchesOf = {};       ///< launches by key
  std::map<std::string, uint64_t> launchesByKernel = {}; ///< of all that ran; may be empty
};

struct CheckLine {
  uint64_t process = 0;
  std::variant<CheckBegan, CheckFinding, CheckEnded> says = {};
};

/// InvalidValue says what is wrong with the line.
Expected<CheckLine> checkLineOf(const std::string &line);

} // namespace us::install
