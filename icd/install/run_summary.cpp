// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/install/run_summary.h"

#include "icd/install/words.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <unistd.h>

namespace us::install {

Expected<void> RunSummary::start(const std::string &detail) {
  char path[] = "/tmp/understudy-summary-XXXXXX";
  int file = mkstemp(path);
  if (file < 0) return fail(ErrorCode::OutOfResources, std::string("no temporary file: ") + std::strerror(errno));
  close(file);
  path_ = path;
  setenv("UNDERSTUDY_SUMMARY", path, 1);
  if (!detail.empty()) setenv("UNDERSTUDY_SUMMARY_DETAIL", detail.c_str(), 1);
  return {};
}

Expected<void> RunSummary::finish() {
  std::ifstream file(path_);
  for (std::string line; std::getline(file, line);) {
    nlohmann::json record = nlohmann::json::parse(line, nullptr, false);
    if (!record.is_object()) return fail(ErrorCode::Internal, "a line of the summary cannot be read: " + line);
    if (record.contains("began")) {
      ++began_;
      continue;
    }
    if (record.contains("process")) ++ended_; // else of another engine of it
    for (auto &[name, value] : record.items()) {
      if (value.is_number_unsigned() && name != "process") counters_[name] += value.get<uint64_t>();
      if (name == "kernels" && value.is_object())
        for (auto &[kernel, count] : value.items()) kernels_[kernel] += count.get<uint64_t>();
      if (name == "runs" && value.is_array())
        for (const auto &run : value) {
          std::string obstacles;
          for (const auto &[tier, reason] : run.at("obstacles").items())
            obstacles += "; not " + tier + ": " + reason.get<std::string>();
          auto &[launches, nanoseconds] = runs_[{run.at("kernel"), run.at("tier"), obstacles}];
          launches += run.at("launches").get<uint64_t>();
          nanoseconds += run.at("nanoseconds").get<uint64_t>();
        }
      if (name == "devices" && value.is_array())
        for (auto &device : value)
          if (std::find(devices_.begin(), devices_.end(), device.get<std::string>()) == devices_.end())
            devices_.push_back(device.get<std::string>());
    }
  }
  unlink(path_.c_str());
  return {};
}

uint64_t RunSummary::total(const std::string &counter) const {
  auto at = counters_.find(counter);
  return at == counters_.end() ? 0 : at->second;
}

void RunSummary::print(FILE *to) const {
  // Where only the end was written, the beginning could not be.
  const unsigned processes = std::max(began_, ended_), silent = processes - ended_;
  std::fprintf(to, "understudy: %u process%s used the device", processes, processes == 1 ? "" : "es");
  for (const std::string &device : devices_) std::fprintf(to, " '%s'", device.c_str());
  std::fprintf(to, "\n");
  if (silent)
    std::fprintf(to,
                 "understudy: %u of them ended without a word (killed, or by _exit): what ran in %s is not counted\n",
                 silent, silent == 1 ? "it" : "them");
  for (auto &[name, value] : counters_)
    std::fprintf(to, "understudy:   %-24s %llu\n", name.c_str(), static_cast<unsigned long long>(value));
  if (!runs_.empty()) return printRuns(to);
  for (auto &[name, value] : kernels_)
    std::fprintf(to, "understudy:   kernel %-17s %llu launches\n", name.c_str(),
                 static_cast<unsigned long long>(value));
}

void RunSummary::printRuns(FILE *to) const {
  std::vector<const decltype(runs_)::value_type *> sorted;
  for (const auto &one : runs_) sorted.push_back(&one);
  std::ranges::stable_sort(sorted, std::greater(), [](const auto *one) { return one->second.second; });
  for (const auto *one : sorted) {
    const auto &[run, sums] = *one;
    const auto &[kernel, tier, obstacles] = run;
    std::fprintf(to, "understudy:   kernel %-17s %llu launches, %.3f ms, %s tier%s\n", kernel.c_str(),
                 static_cast<unsigned long long>(sums.first), static_cast<double>(sums.second) / 1e6, tier.c_str(),
                 obstacles.c_str());
  }
}

std::string RunSummary::junit(int code, const std::string &problem, double seconds) const {
  std::string cases;
  uint64_t failures = 0;
  for (const auto &[kernel, launches] : kernels_) {
    cases += "  <testcase classname=\"understudy.run\" name=\"" + markup(kernel) + "\"";
    cases += launches ? "/>\n" : "><failure message=\"no launch succeeded\"/></testcase>\n";
    failures += !launches;
  }
  const bool isWrong = code != 0 || !problem.empty();
  cases += "  <testcase classname=\"understudy.run\" name=\"the program\"";
  cases += !isWrong
               ? "/>\n"
               : "><error message=\"" + markup(problem.empty() ? "its exit code is " + std::to_string(code) : problem) +
                     "\"/></testcase>\n";
  char time[40];
  std::snprintf(time, sizeof time, "%llu.%03u", static_cast<unsigned long long>(seconds),
                static_cast<unsigned>(seconds * 1000) % 1000); // no locale's comma
  const std::string counts = " tests=\"" + std::to_string(kernels_.size() + 1) + "\" failures=\"" +
                             std::to_string(failures) + "\" errors=\"" + (isWrong ? "1" : "0") + "\" time=\"" + time +
                             "\"";
  std::string properties;
  for (const std::string &device : devices_)
    properties += "  <property name=\"device\" value=\"" + markup(device) + "\"/>\n";
  for (const auto &[name, value] : counters_)
    properties += "  <property name=\"" + markup(name) + "\" value=\"" + std::to_string(value) + "\"/>\n";
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"understudy run\"" + counts +
         ">\n<testsuite name=\"understudy run\"" + counts + " skipped=\"0\">\n<properties>\n" + properties +
         "</properties>\n" + cases + "</testsuite>\n</testsuites>\n";
}

} // namespace us::install
