// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/nvrtc/nvrtc_options.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <initializer_list>
#include <string_view>

namespace us::nvrtc {
namespace {

enum class Kind : uint8_t { Flag, Switch, Text, Joined, Maybe };

struct OptionRow {
  std::string_view longName, shortName;
  Kind kind;
  Expected<void> (*apply)(NvrtcOptions &o, const std::string &v);
};

Expected<void> oneOf(const char *option, const std::string &value, std::initializer_list<const char *> known) {
  if (std::ranges::find(known, value) != known.end()) return {};
  return fail(ErrorCode::InvalidValue, std::string(option) + " does not take '" + value + "'");
}

Expected<void> limitRegisters(NvrtcOptions &o, const std::string &text) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), o.code.maxRegisters);
  if (error == std::errc() && end == text.data() + text.size()) return {};
  return fail(ErrorCode::InvalidValue, "--maxrregcount takes a number of registers, not '" + text + "'");
}

void useFastMath(NvrtcOptions &o) {
  o.code.fastMath = o.code.flushToZero = o.code.fuse = true;
  o.code.preciseDivision = o.code.preciseRoot = false;
}

/// What rtc.h has unless a macro says otherwise.
void unlessTrue(NvrtcOptions &o, const std::string &value, const char *macro) {
  if (value != "true") o.code.clang.push_back(std::string("-D") + macro + "=1");
}

#define NOTHING static_cast<void>(0)
constexpr OptionRow kOptions[] = {
#define US_NVRTC_OPTION(longName, shortName, kind, ...)                                                                \
  {longName, shortName, Kind::kind,                                                                                    \
   []([[maybe_unused]] NvrtcOptions &o, [[maybe_unused]] const std::string &v) -> Expected<void> {                     \
     __VA_ARGS__;                                                                                                      \
     return {};                                                                                                        \
   }},
#include "icd/nvrtc/nvrtc_options.def"
#undef US_NVRTC_OPTION
};
#undef NOTHING

using Words = std::deque<std::string>;

/// "-arch=sm_80", "--gpu-architecture sm_80", "-DN=1" and, in two words, "-I" and "folder".
Expected<void> parseOption(const std::string &word, Words &rest, NvrtcOptions &options) {
  const auto unknown = [&] { return fail(ErrorCode::InvalidValue, "unrecognized option " + word + " found"); };
  if (word.size() < 2 || word[0] != '-') return unknown();
  const bool isLong = word.starts_with("--");
  const std::string body = word.substr(isLong ? 2 : 1);
  const size_t separator = body.find_first_of("= ");
  const std::string_view name = std::string_view(body).substr(0, separator);
  const auto *row = std::ranges::find_if(
      kOptions, [&](const OptionRow &known) { return name == known.longName || name == known.shortName; });
  bool hasValue = separator != std::string::npos;
  std::string value = hasValue ? body.substr(separator + 1) : "";
  if (row == std::end(kOptions) && !isLong) {
    row = std::ranges::find_if(kOptions, [&](const OptionRow &known) {
      return known.kind == Kind::Joined && body.starts_with(known.shortName);
    });
    if (row != std::end(kOptions)) {
      value = body.substr(row->shortName.size());
      hasValue = true;
    }
  }
  if (row == std::end(kOptions)) return unknown();
  const auto isTruth = [](const std::string &text) { return text == "true" || text == "false"; };
  switch (row->kind) {
  case Kind::Flag:
    if (hasValue) return fail(ErrorCode::InvalidValue, word + ": the option takes no value");
    break;
  case Kind::Switch:
    if (!hasValue) value = "true";
    if (!hasValue && !rest.empty() && isTruth(rest.front())) {
      value = rest.front();
      rest.pop_front();
    }
    if (!isTruth(value)) return fail(ErrorCode::InvalidValue, word + ": the option takes true or false");
    break;
  case Kind::Maybe:
    break;
  case Kind::Text:
  case Kind::Joined:
    value.erase(0, value.find_first_not_of(' ') == std::string::npos ? 0 : value.find_first_not_of(' '));
    if (!value.empty()) break;
    if (rest.empty()) return fail(ErrorCode::InvalidValue, word + ": the option's value is missing");
    value = rest.front();
    rest.pop_front();
    break;
  }
  return row->apply(options, value);
}

} // namespace

Expected<NvrtcOptions> parseNvrtcOptions(std::span<const char *const> words) {
  NvrtcOptions options;
  Words rest(words.begin(), words.end());
  while (!rest.empty()) {
    const std::string word = std::move(rest.front());
    rest.pop_front();
    US_CHECK(parseOption(word, rest, options));
  }
  return options;
}

} // namespace us::nvrtc
