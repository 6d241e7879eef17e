// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/install/check_junit.h"

#include "icd/install/check_kinds.h"
#include "icd/install/check_text.h"
#include "icd/install/words.h"

namespace us::install {
namespace {

/// One case, and one failure in it however much was found: readers differ in what they make of several.
std::string caseOf(const std::string &kernel, const std::vector<const CheckedFinding *> &findings) {
  const std::string name = kernel.empty() ? "calls of the API" : kernel;
  std::string text = "  <testcase classname=\"understudy.check\" name=\"" + markup(name) + "\"";
  if (findings.empty()) return text + "/>\n";
  const CheckFinding &first = findings.front()->first;
  std::string message = first.sentence;
  if (findings.size() > 1) message += " (and " + plural(findings.size() - 1, "finding") + " more)";
  text += ">\n    <failure type=\"" + ruleIdOf(first.category, first.kind) + "\" message=\"" + markup(message) + "\">";
  for (const CheckedFinding *const finding : findings) {
    // Printable as it is, but for its own ends of lines.
    std::string lines = blockOf(finding->first, false) + "  in all: " + timesText(*finding);
    for (size_t end; (end = lines.find('\n')) != std::string::npos; lines.erase(0, end + 1))
      text += markup(lines.substr(0, end)) + "\n";
    text += markup(lines) + "\n";
  }
  return text + "</failure>\n  </testcase>\n";
}

/// Why the run as a whole is no success, besides findings; empty: it is one.
std::string errorOf(const CheckReport &report, const CheckOutcome &outcome) {
  if (report.hasBadLines()) return "a line of what the checks found could not be read";
  if (outcome.programCode) return "the program's exit code is " + std::to_string(outcome.programCode);
  return report.nothingRan() ? "nothing ran on a checked device" : "";
}

} // namespace

std::string junitOf(const CheckReport &report, const CheckOutcome &outcome) {
  std::map<std::string, std::vector<const CheckedFinding *>> byKernel;
  for (const auto &[kernel, launches] : report.launchesByKernel()) byKernel[kernel];
  for (const CheckedFinding &finding : report.all()) {
    std::vector<const CheckedFinding *> &ofKernel = byKernel[finding.first.kernel];
    if (finding.suppressedBy.empty()) ofKernel.push_back(&finding);
  }
  std::string cases;
  uint64_t failures = 0;
  for (const auto &[kernel, findings] : byKernel) {
    cases += caseOf(kernel, findings);
    failures += !findings.empty();
  }
  const std::string error = errorOf(report, outcome);
  cases += "  <testcase classname=\"understudy.check\" name=\"the program\"";
  cases += error.empty() ? "/>\n" : ">\n    <error type=\"run\" message=\"" + markup(error) + "\"/>\n  </testcase>\n";

  const auto milliseconds = static_cast<uint64_t>(outcome.seconds * 1000);
  const std::string fraction = std::to_string(1000 + milliseconds % 1000).substr(1);
  const std::string counts = " tests=\"" + std::to_string(byKernel.size() + 1) + "\" failures=\"" +
                             std::to_string(failures) + "\" errors=\"" + (error.empty() ? "0" : "1") + "\" time=\"" +
                             std::to_string(milliseconds / 1000) + "." + fraction + "\"";
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"understudy check\"" + counts +
         ">\n<testsuite name=\"understudy check\"" + counts + " skipped=\"0\" timestamp=\"" + outcome.began + "\">\n" +
         cases + "  <system-out>" + markup(summaryText(report)) + "</system-out>\n</testsuite>\n</testsuites>\n";
}

} // namespace us::install
