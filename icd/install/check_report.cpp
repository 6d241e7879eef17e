// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/install/check_report.h"

#include "icd/install/words.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace us::install {
namespace {

void addOnce(std::vector<std::string> &to, const std::string &text) {
  if (std::ranges::find(to, text) == to.end()) to.push_back(text);
}

} // namespace

CheckReport::~CheckReport() {
  if (!path_.empty()) unlink(path_.c_str());
}

Expected<void> CheckReport::start() {
  char path[] = "/tmp/understudy-check-XXXXXX";
  const int file = mkstemp(path);
  if (file < 0) return fail(ErrorCode::OutOfResources, std::string("no temporary file: ") + std::strerror(errno));
  close(file);
  path_ = path;
  setenv("UNDERSTUDY_CHECK_REPORT", path, 1);
  file_.open(path_);
  if (!file_) return fail(ErrorCode::OutOfResources, "'" + path_ + "' cannot be read: " + std::strerror(errno));
  return {};
}

CheckNews CheckReport::read() {
  CheckNews news;
  file_.clear(); // there was no more at the last call
  for (std::string line; std::getline(file_, line);) {
    begun_ += line;
    if (file_.eof()) break;
    add(std::exchange(begun_, {}), news);
  }
  return news;
}

CheckNews CheckReport::readLast() {
  CheckNews news = read();
  if (!begun_.empty()) isBad(std::exchange(begun_, {}), "its end is missing", news);
  return news;
}

void CheckReport::isBad(const std::string &line, const std::string &why, CheckNews &news) {
  ++badLines_;
  news.badLines.push_back("a line of what the checks found cannot be read, as " + printable(why) + ": " +
                          shortened(printable(line), 200));
}

void CheckReport::add(const std::string &line, CheckNews &news) {
  Expected<CheckLine> read = checkLineOf(line);
  if (!read) return isBad(line, read.error().message, news);
  std::visit([&](auto &says) { add(read->process, std::move(says), news); }, read->says);
}

void CheckReport::add(uint64_t process, CheckBegan began, CheckNews &news) {
  ++began_;
  // A program that this process was before has gone without a word: it became another one.
  uncounted_.erase(process);
  for (const std::string &check : began.checks) addOnce(checks_, check);
  addOnce(devices_, began.device);
  if (told_.emplace(began.checks, began.device).second) news.began.push_back(std::move(began));
}

void CheckReport::add(uint64_t process, CheckFinding finding, CheckNews &news) {
  Uncounted &uncounted = uncounted_[process][finding.key];
  uncounted.workItems += finding.itemCount;
  uncounted.launches += 1;
  CheckedFinding *&known = byKey_[finding.key];
  const bool isNew = !known;
  if (isNew) {
    known = &findings_.emplace_back();
    if (const std::string *const pattern = suppressions_.matching(finding.key)) known->suppressedBy = *pattern;
    known->first = std::move(finding);
    if (known->suppressedBy.empty()) news.findings.push_back(known);
    known->workItems = known->first.itemCount;
  } else {
    known->workItems += finding.itemCount;
  }
  known->launches += 1;
  known->processes.insert(process);
}

void CheckReport::add(uint64_t process, const CheckEnded &ended, CheckNews &news) {
  ++ended_;
  kernels_ += ended.kernels;
  launches_ += ended.launches;
  workItems_ += ended.workItems;
  for (const auto &[kernel, launches] : ended.launchesByKernel) launchesByKernel_[kernel] += launches;
  const std::map<std::string, Uncounted> reported = std::exchange(uncounted_[process], {});
  for (const auto &[key, count] : ended.counts)
    if (const auto found = reported.find(key); found != reported.end())
      byKey_[key]->workItems += count - found->second.workItems;
    else
      isBad(key, "process " + std::to_string(process) + " counts a finding that it did not report", news);
  for (const auto &[key, count] : ended.launchesOf)
    if (const auto found = reported.find(key); found != reported.end())
      byKey_[key]->launches += count - found->second.launches;
}

std::vector<const CheckedFinding *> CheckReport::shown() const {
  std::vector<const CheckedFinding *> shown;
  for (const CheckedFinding &finding : findings_)
    if (finding.suppressedBy.empty()) shown.push_back(&finding);
  return shown;
}

std::map<std::string, uint64_t> CheckReport::shownByClass() const {
  std::map<std::string, uint64_t> counts;
  for (const CheckedFinding *const finding : shown()) ++counts[finding->first.category];
  return counts;
}

} // namespace us::install
