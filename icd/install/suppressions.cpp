// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/install/suppressions.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>

namespace us::install {
namespace {

std::string trimmed(const std::string &text) {
  constexpr const char *kSpace = " \t\r";
  const size_t first = text.find_first_not_of(kSpace);
  return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

/// What stands between the wildcards of a pattern, as it stands in keys.
std::vector<std::string> piecesOf(std::string_view pattern) {
  std::vector<std::string> pieces(1);
  for (size_t at = 0; at < pattern.size(); ++at)
    if (pattern[at] == '*')
      pieces.emplace_back();
    else if (pattern[at] == '\\' && at + 1 < pattern.size() && std::strchr("*#\\", pattern[at + 1]))
      pieces.back() += pattern[++at];
    else
      pieces.back() += pattern[at];
  return pieces;
}

} // namespace

bool matchesKey(std::string_view pattern, std::string_view key) {
  const std::vector<std::string> pieces = piecesOf(pattern);
  if (pieces.size() == 1) return key == pieces.front();
  if (!key.starts_with(pieces.front())) return false;
  key.remove_prefix(pieces.front().size());
  if (!key.ends_with(pieces.back())) return false;
  key.remove_suffix(pieces.back().size());
  // Each as far to the left as it can be leaves most to those behind it.
  for (size_t i = 1; i + 1 < pieces.size(); ++i) {
    const size_t found = key.find(pieces[i]);
    if (found == std::string_view::npos) return false;
    key.remove_prefix(found + pieces[i].size());
  }
  return true;
}

std::string patternOf(std::string_view key) {
  std::string pattern;
  for (const char c : key) {
    if (c == '*' || c == '\\' || (c == '#' && pattern.empty())) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

Expected<void> Suppressions::read(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  for (unsigned number = 1; std::getline(file, line); ++number)
    if (const std::string pattern = trimmed(line); !pattern.empty() && pattern.front() != '#')
      patterns_.push_back({pattern, " (" + path + ":" + std::to_string(number) + ")"});
  // A folder can be opened, but not read.
  if (!file.eof())
    return fail(ErrorCode::InvalidValue, "the suppressions '" + path + "' cannot be read: " + std::strerror(errno));
  return {};
}

void Suppressions::accept(const std::string &pattern) { patterns_.push_back({trimmed(pattern), " (--accept)"}); }

const std::string *Suppressions::matching(std::string_view key) {
  const std::string *first = nullptr;
  const std::string known = trimmed(std::string(key));
  for (Pattern &pattern : patterns_)
    if (matchesKey(pattern.text, known)) {
      pattern.isUsed = true;
      if (!first) first = &pattern.text;
    }
  return first;
}

std::vector<std::string> Suppressions::unused() const {
  std::vector<std::string> texts;
  for (const Pattern &pattern : patterns_)
    if (!pattern.isUsed) texts.push_back("'" + pattern.text + "'" + pattern.from);
  return texts;
}

} // namespace us::install
