// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/platform/comparison.h"

#include "runtime/base/list_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace us::platform {
namespace {

/// Two devices that keep to the specification may be so far apart: the most that it grants any function of single
/// precision (pow). It is also what the worst function of an H200 that has a bound (tgamma: 11.5) and one of ours (4)
/// come to together. docs/decisions/0054-compare.md
constexpr uint64_t kUlpsOfOtherDevices = 16;

template <class T> Expected<void> readNumber(std::string_view name, const std::string &text, T &into) {
  if (text.empty()) return {};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), into);
  bool isFine = error == std::errc() && end == text.data() + text.size();
  if constexpr (std::is_floating_point_v<T>) isFine = isFine && std::isfinite(into) && into >= 0;
  if (isFine) return {};
  return fail(ErrorCode::InvalidValue, std::string(name) + ": '" + text + "' is no number from 0 on");
}

/// "tier" -> "TIER", "max-work-group-size" -> "MAX_WORK_GROUP_SIZE".
std::string optionNamed(std::string_view word) {
  std::string name;
  for (const char c : word) name += c == '-' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return name;
}

/// "tier=fiber,optimize=never"
Expected<void> change(Options &options, std::string_view words) {
  while (!words.empty()) {
    const std::string_view word = takeItem(words, ",");
    const size_t equals = word.find('=');
    if (equals == word.npos)
      return fail(ErrorCode::InvalidValue,
                  "'" + std::string(word) + "' is neither emulated nor an option of emulated devices, as tier=fiber");
    US_CHECK(setOption(options, optionNamed(word.substr(0, equals)), word.substr(equals + 1)));
  }
  return {};
}

} // namespace

Expected<ComparisonChoice> parseComparison(const Options &options) {
  ComparisonChoice choice;
  choice.candidate = options;
  choice.ofReal = options.diff == "emulated";
  choice.ofEmulated = !options.diff.empty() && !choice.ofReal;
  if (choice.ofEmulated) US_CHECK(change(choice.candidate, options.diff));
  choice.rules.report = options.diffReport;
  choice.rules.repetitions = options.diffRepeat;
  compare::Tolerance &tolerance = choice.rules.tolerance;
  tolerance.ulps = choice.ofReal ? kUlpsOfOtherDevices : 0;
  US_CHECK(readNumber("DIFF_ULPS", options.diffUlps, tolerance.ulps));
  US_CHECK(readNumber("DIFF_ABSOLUTE", options.diffAbsolute, tolerance.absolute));
  US_CHECK(readNumber("DIFF_RELATIVE", options.diffRelative, tolerance.relative));
  return choice;
}

std::vector<Ref<Device>> compared(const std::vector<Ref<Device>> &references,
                                  const std::vector<Ref<Device>> &candidates, const compare::ComparisonRules &rules) {
  if (candidates.empty()) return references;
  std::vector<compare::DevicePair> pairs;
  for (size_t i = 0; i < references.size(); ++i)
    pairs.push_back({references[i], candidates[std::min(i, candidates.size() - 1)]});
  return compare::comparedDevices(pairs, rules);
}

} // namespace us::platform
