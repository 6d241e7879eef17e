// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/options.h"

#include "runtime/base/list_text.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace us {
namespace {

Expected<void> parse(std::string &into, std::string_view text) {
  into = text;
  return {};
}

Expected<void> choose(std::string &into, std::string_view text, std::span<const std::string_view> choices) {
  std::string words;
  for (size_t at = 0; at < choices.size(); ++at) {
    if (text == choices[at]) return into = text, Expected<void>();
    words += (at == 0 ? "" : at + 1 < choices.size() ? ", " : " or ") + std::string(choices[at]);
  }
  return fail(ErrorCode::InvalidValue, "'" + std::string(text) + "' is not " + words);
}

Expected<void> chooseSome(std::string &into, std::string_view text, std::span<const std::string_view> choices) {
  for (std::string_view rest = text; !rest.empty();) {
    std::string known;
    std::string_view word = takeItem(rest, ",");
    if (word.starts_with('-')) word.remove_prefix(1);
    US_CHECK(choose(known, word, choices));
  }
  into = text;
  return {};
}

Expected<void> parse(bool &into, std::string_view text) {
  for (std::string_view yes : {"1", "yes", "on", "true"})
    if (text == yes) return into = true, Expected<void>();
  for (std::string_view no : {"0", "no", "off", "false"})
    if (text == no) return into = false, Expected<void>();
  return fail(ErrorCode::InvalidValue, "'" + std::string(text) + "' is neither 0/no/off/false nor 1/yes/on/true");
}

Expected<void> parse(uint64_t &into, std::string_view text) {
  constexpr std::string_view kSuffixes = "KMGTkmgt";
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  size_t rest = text.data() + text.size() - end;
  unsigned shift = 0;
  if (rest == 1)
    if (size_t at = kSuffixes.find(*end); at != std::string_view::npos) {
      shift = 10 * static_cast<unsigned>(at % 4 + 1);
      rest = 0;
    }
  if (error != std::errc() || rest != 0 || (shift && value >> (64 - shift)))
    return fail(ErrorCode::InvalidValue, "'" + std::string(text) + "' is not a number (K, M, G and T may follow)");
  into = value << shift;
  return {};
}

Options fromEnvironment() {
  Options result;
  for (const OptionRow &row : optionRows()) {
    std::string variable = "UNDERSTUDY_" + std::string(row.name);
    // A program with more rights than whoever started it must not be told where to find code or to write files.
    const char *text = secure_getenv(variable.c_str());
    if (!text) continue;
    if (auto set = setOption(result, row.name, text); !set)
      std::fprintf(stderr, "understudy: %s: %s; its default is used\n", variable.c_str(), set.error().message.c_str());
  }
  return result;
}

} // namespace

std::span<const OptionRow> optionRows() {
  static constexpr OptionRow kRows[] = {
#define US_OPTION(member, type, name, value, sentence) {name, #type, #value, sentence},
#define US_CHOICE(member, name, value, sentence, ...) {name, "Choice", #value, sentence},
#define US_CHOICES(member, name, value, sentence, ...) {name, "Choices", #value, sentence},
#include "runtime/base/options.def"
#undef US_OPTION
  };
  return kRows;
}

Expected<void> setOption(Options &into, std::string_view name, std::string_view text) {
#define US_OPTION(member, type, optionName, value, sentence)                                                           \
  if (name == optionName) return parse(into.member, text);
#define US_CHOICE(member, optionName, value, sentence, ...)                                                            \
  if (name == optionName)                                                                                              \
    return text.empty() ? parse(into.member, value)                                                                    \
                        : choose(into.member, text, std::to_array<std::string_view>({__VA_ARGS__}));
#define US_CHOICES(member, optionName, value, sentence, ...)                                                           \
  if (name == optionName) return chooseSome(into.member, text, std::to_array<std::string_view>({__VA_ARGS__}));
#include "runtime/base/options.def"
#undef US_OPTION
  return fail(ErrorCode::InvalidValue, "there is no option '" + std::string(name) + "'");
}

const Options &options() {
  // Never destroyed: calls arrive during process exit, after static objects are gone.
  static const Options &instance = *new Options(fromEnvironment());
  return instance;
}

} // namespace us
