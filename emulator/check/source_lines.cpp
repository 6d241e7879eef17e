// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/check/source_lines.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>

namespace us::check {
namespace {

void skipBlanks(std::string_view &text) { text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size())); }

bool skip(std::string_view &text, std::string_view what) {
  if (!text.starts_with(what)) return false;
  text.remove_prefix(what.size());
  return true;
}

struct LineDirective {
  uint32_t next = 0; ///< the number of the line behind it
  std::optional<std::string_view> file;
};

/// "#line 12", "# 12 "file.cl"": C11, 6.10.4, and what preprocessors write.
std::optional<LineDirective> lineDirective(std::string_view line) {
  skipBlanks(line);
  if (!skip(line, "#")) return {};
  skipBlanks(line);
  if (skip(line, "line")) skipBlanks(line);
  LineDirective found;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), found.next);
  if (error != std::errc{}) return {};
  line.remove_prefix(size_t(end - line.data()));
  skipBlanks(line);
  if (skip(line, "\"")) found.file = line.substr(0, line.find('"'));
  return found;
}

} // namespace

std::string lineOfFile(const SourcePlace &place) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(place.file, failed)) return {};
  std::ifstream file(place.file);
  std::string line;
  for (uint32_t number = 0; number < place.line; ++number)
    if (!std::getline(file, line)) return {};
  return line;
}

std::string lineOfProgram(std::string_view text, const SourcePlace &place) {
  // A text that has no file is "<source>", or nothing.
  const std::string_view wanted = place.file.starts_with('<') ? std::string_view() : place.file;
  std::optional<std::string_view> found;
  std::string_view file;
  uint32_t number = 1;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (const std::optional<LineDirective> directive = lineDirective(line)) {
      number = directive->next;
      if (directive->file) file = directive->file->starts_with('<') ? std::string_view() : *directive->file;
      continue;
    }
    if (number++ == place.line && file == wanted) found = line;
  }
  if (found) return std::string(*found);
  return wanted.empty() ? std::string() : lineOfFile(place);
}

} // namespace us::check
