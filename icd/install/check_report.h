// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the checks found in a program and its children, from the lines that each process's runtime appends.
#pragma once

#include "icd/install/check_line.h"
#include "icd/install/suppressions.h"

#include <deque>
#include <fstream>
#include <set>

namespace us::install {

/// All findings with one key.
struct CheckedFinding {
  CheckFinding first = {}; ///< as it was first reported
  uint64_t workItems = 0, launches = 0;
  std::set<uint64_t> processes = {};
  std::string suppressedBy = {}; ///< the pattern; empty: it is not
};

/// What is new since somebody last looked.
struct CheckNews {
  std::vector<CheckBegan> began = {};                ///< other checks or another device than told before
  std::vector<const CheckedFinding *> findings = {}; ///< with keys that are new, and are not suppressed
  std::vector<std::string> badLines = {};            ///< a sentence for each
};

class CheckReport {
public:
  explicit CheckReport(Suppressions suppressions) : suppressions_(std::move(suppressions)) {}
  ~CheckReport();
  CheckReport(const CheckReport &) = delete;
  CheckReport &operator=(const CheckReport &) = delete;

  /// Makes an empty file and points UNDERSTUDY_CHECK_REPORT to it. OutOfResources where it cannot be made.
  Expected<void> start();
  /// Reads the lines that were appended since the last call.
  CheckNews read();
  /// The same, where nothing more will be appended.
  CheckNews readLast();

  const std::deque<CheckedFinding> &all() const { return findings_; }
  /// Those that are not suppressed, in the order in which they were reported.
  std::vector<const CheckedFinding *> shown() const;
  uint64_t suppressed() const { return findings_.size() - shown().size(); }
  std::map<std::string, uint64_t> shownByClass() const;
  const Suppressions &suppressions() const { return suppressions_; }

  const std::vector<std::string> &checks() const { return checks_; }
  const std::vector<std::string> &devices() const { return devices_; }
  uint64_t kernels() const { return kernels_; }
  uint64_t launches() const { return launches_; }
  uint64_t workItems() const { return workItems_; }
  const std::map<std::string, uint64_t> &launchesByKernel() const { return launchesByKernel_; }
  uint64_t processes() const { return began_ > ended_ ? began_ : ended_; }
  /// Of these, how many did not say what they ran.
  uint64_t silentProcesses() const { return processes() - ended_; }
  bool hasBadLines() const { return badLines_ != 0; }
  /// No kernel was checked, as far as is known.
  bool nothingRan() const { return launches_ == 0 && findings_.empty() && silentProcesses() == 0; }

private:
  /// What a process reported of a key, and will count itself when it ends.
  struct Uncounted {
    uint64_t workItems = 0, launches = 0;
  };
  void add(const std::string &line, CheckNews &news);
  void add(uint64_t process, CheckBegan began, CheckNews &news);
  void add(uint64_t process, CheckFinding finding, CheckNews &news);
  void add(uint64_t process, const CheckEnded &ended, CheckNews &news);
  void isBad(const std::string &line, const std::string &why, CheckNews &news);

  Suppressions suppressions_;
  std::string path_;
  std::ifstream file_;
  std::string begun_; ///< a line whose end was not there yet
  std::deque<CheckedFinding> findings_;
  std::map<std::string, CheckedFinding *> byKey_;
  std::map<uint64_t, std::map<std::string, Uncounted>> uncounted_;  ///< by process and key
  std::set<std::pair<std::vector<std::string>, std::string>> told_; ///< checks and device
  std::vector<std::string> checks_, devices_;
  std::map<std::string, uint64_t> launchesByKernel_;
  uint64_t kernels_ = 0, launches_ = 0, workItems_ = 0, began_ = 0, ended_ = 0, badLines_ = 0;
};

} // namespace us::install
