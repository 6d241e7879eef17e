// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/toolkit/arguments.h"

#include "runtime/base/file.h"
#include "runtime/base/list_text.h"

#include <algorithm>
#include <deque>

namespace us::toolkit {
namespace {

const Option *find(std::initializer_list<Option> known, std::string_view name) {
  for (const Option &option : known)
    if (std::ranges::find(option.names, name) != option.names.end()) return &option;
  return nullptr;
}

/// What blanks and ends of lines part.
std::vector<std::string> wordsIn(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty())
    if (const std::string_view word = takeItem(text, " \t\n\v\f\r"); !word.empty()) words.emplace_back(word);
  return words;
}

} // namespace

std::string Arguments::valueOf(std::string_view name) const {
  const auto found = options.find(name);
  return found == options.end() || found->second.empty() ? "" : found->second.back();
}

Expected<Arguments> parseArguments(const std::vector<std::string> &words, std::initializer_list<Option> known) {
  Arguments arguments;
  std::deque<std::string> rest(words.begin(), words.end());
  while (!rest.empty()) {
    const std::string word = std::move(rest.front());
    rest.pop_front();
    if (word.starts_with('@') && word.size() > 1) {
      US_TRY(const std::string text, readFile(word.substr(1)));
      const std::vector<std::string> read = wordsIn(text);
      rest.insert(rest.begin(), read.begin(), read.end());
      continue;
    }
    if (word.size() < 2 || word[0] != '-') {
      arguments.files.push_back(word);
      continue;
    }
    const std::string body = word.substr(word.starts_with("--") ? 2 : 1);
    const size_t equals = body.find('=');
    const Option *option = find(known, std::string_view(body).substr(0, equals));
    std::string value = equals == std::string::npos ? "" : body.substr(equals + 1);
    bool hasValue = equals != std::string::npos;
    // One letter with its value directly behind it.
    if (!option && !word.starts_with("--")) {
      option = find(known, std::string_view(body).substr(0, 1));
      if (option && !option->hasValue) option = nullptr;
      value = body.substr(1);
      hasValue = true;
    }
    if (!option) return fail(ErrorCode::InvalidValue, "Unknown option '" + word + "'");
    if (option->hasValue && !hasValue) {
      if (rest.empty()) return fail(ErrorCode::InvalidValue, "the value of '" + word + "' is missing");
      value = rest.front();
      rest.pop_front();
    }
    arguments.options[std::string(option->names.front())].push_back(value);
  }
  return arguments;
}

} // namespace us::toolkit
