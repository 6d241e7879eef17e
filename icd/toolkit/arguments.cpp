// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/toolkit/arguments.h"

#include <algorithm>
#include <deque>
#include <fstream>
#include <iterator>
#include <sstream>

namespace us::toolkit {
namespace {

const Option *find(std::initializer_list<Option> known, std::string_view name) {
  for (const Option &option : known)
    if (std::ranges::find(option.names, name) != option.names.end()) return &option;
  return nullptr;
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
      std::istringstream stream(text);
      rest.insert(rest.begin(), std::istream_iterator<std::string>(stream), {});
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

Expected<std::string> readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorCode::InvalidValue, "Could not open input file '" + path + "'");
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

Expected<void> writeFile(const std::string &path, std::string_view content) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  if (!file) return fail(ErrorCode::OutOfResources, "'" + path + "' cannot be written");
  return {};
}

} // namespace us::toolkit
