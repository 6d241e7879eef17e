// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/install/check_program.h"

#include "icd/install/check_html.h"
#include "icd/install/check_json.h"
#include "icd/install/check_junit.h"
#include "icd/install/check_report.h"
#include "icd/install/check_sarif.h"
#include "icd/install/check_text.h"
#include "icd/install/start_program.h"
#include "icd/install/words.h"
#include "runtime/base/clock.h"
#include "runtime/base/options.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>

namespace us::install {
namespace {

std::string timeText() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

/// The keys of all that was found, suppressed or not: the file can take the place of one that was read.
std::string suppressionsOf(const CheckReport &report) {
  std::string text = "# What understudy check found. A line is a key; * is any text, \\* a star.\n";
  for (const CheckedFinding &finding : report.all())
    text += "\n# " + printable(finding.first.sentence) + "\n" + patternOf(finding.first.key) + "\n";
  return text;
}

/// A file that was asked for, and what is to be in it.
struct Output {
  std::string path;
  std::function<std::string(const CheckReport &, const CheckOutcome &)> content;
};

std::vector<Output> outputsOf(const CheckRequest &request) {
  // The program may go elsewhere, but we do not.
  const std::string root = sourceRootOf(std::filesystem::current_path().string());
  std::vector<Output> outputs{
      {request.json, jsonOf},
      {request.sarif, [root](const auto &report, const auto &outcome) { return sarifOf(report, outcome, root); }},
      {request.junit, junitOf},
      {request.html, htmlOf},
      {request.writtenSuppressions, [](const auto &report, const auto &) { return suppressionsOf(report); }}};
  std::erase_if(outputs, [](const Output &output) { return output.path.empty(); });
  return outputs;
}

/// Known before the program has run for an hour. Nothing that is there is lost by that.
Expected<void> checkWritable(const CheckRequest &request, const std::vector<Output> &outputs) {
  for (const Output &output : outputs)
    if (!std::ofstream(output.path, std::ios::app))
      return fail(ErrorCode::OutOfResources, "'" + output.path + "' cannot be written: " + std::strerror(errno));
  std::error_code ignored; // what cannot be looked at is not the same
  for (size_t i = 0; i < outputs.size(); ++i)
    for (size_t other = 0; other < i; ++other)
      if (std::filesystem::equivalent(outputs[i].path, outputs[other].path, ignored))
        return fail(ErrorCode::InvalidValue, "two reports would be written to '" + outputs[i].path + "'");
  for (const std::string &path : request.suppressions)
    for (const Output &output : outputs)
      if (std::filesystem::equivalent(path, output.path, ignored))
        return fail(ErrorCode::InvalidValue,
                    "'" + path + "' is read, and would be written over: give what is written another name");
  return {};
}

bool writeAll(const std::vector<Output> &outputs, const CheckReport &report, const CheckOutcome &outcome) {
  bool areWritten = true;
  for (const Output &output : outputs) {
    std::ofstream file(output.path, std::ios::trunc);
    file << output.content(report, outcome) << std::flush;
    if (file) continue;
    std::fprintf(stderr, "understudy: '%s' could not be written: %s\n", output.path.c_str(), std::strerror(errno));
    areWritten = false;
  }
  return areWritten;
}

/// UNDERSTUDY_CHECK and what goes with it.
Expected<void> enterChecks(const CheckRequest &request) {
  std::map<std::string, std::string> options = request.options;
  // Real devices check nothing. Who wants them nevertheless, beside an emulated one, says so.
  if (std::string &devices = options["DEVICES"]; devices.empty() && !secure_getenv("UNDERSTUDY_DEVICES"))
    devices = "emulated";
  if (!request.checks.empty() || !secure_getenv("UNDERSTUDY_CHECK"))
    options["CHECK"] = request.checks.empty() ? "default" : request.checks;
  Options scratch;
  if (!request.checks.empty()) US_CHECK(setOption(scratch, "CHECK", request.checks));
  return enterPlatform(options);
}

int codeOf(const CheckReport &report, int programCode) {
  if (report.hasBadLines()) return 125;
  if (!report.shown().empty()) return kCheckFoundSomething;
  return programCode == 0 && report.nothingRan() ? kNothingWasChecked : programCode;
}

} // namespace

int checkProgram(const CheckRequest &request) {
  Suppressions suppressions;
  for (const std::string &path : request.suppressions)
    if (auto read = suppressions.read(path); !read) return failed(read.error());
  for (const std::string &pattern : request.accepted) suppressions.accept(pattern);
  const std::vector<Output> outputs = outputsOf(request);
  if (auto checked = checkWritable(request, outputs); !checked) return failed(checked.error());
  if (auto entered = enterChecks(request); !entered) return failed(entered.error());

  CheckReport report(std::move(suppressions));
  if (auto started = report.start(); !started) return failed(started.error());
  CheckText text(stderr, request.blocks);
  CheckOutcome outcome{.began = timeText(), .version = US_VERSION};
  const uint64_t began = monotonicNanoseconds();
  outcome.programCode = runProgram(request.program, [&] {
    text.print(report.read());
    text.printProgress();
  });
  text.print(report.readLast());
  outcome.ended = timeText();
  outcome.seconds = static_cast<double>(monotonicNanoseconds() - began) / 1e9;
  outcome.code = codeOf(report, outcome.programCode);
  text.printEnd(report);
  if (outcome.programCode) std::fprintf(stderr, "understudy: the program's exit code is %d\n", outcome.programCode);
  return writeAll(outputs, report, outcome) ? outcome.code : 125;
}

} // namespace us::install
