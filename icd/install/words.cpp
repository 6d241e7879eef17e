// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/install/words.h"

#include <algorithm>
#include <cstdio>

namespace us::install {
namespace {

bool continues(char byte) { return (static_cast<uint8_t>(byte) & 0xc0) == 0x80; }

struct Character {
  uint32_t code;
  size_t bytes;
  bool isWhole = true; ///< else a byte that begins or continues nothing
};

/// The first of a text that is not empty.
Character firstOf(std::string_view text) {
  const auto first = static_cast<uint8_t>(text.front());
  if (first < 0x80) return {first, 1};
  const size_t bytes = first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;
  if (bytes == 0 || text.size() < bytes || !std::ranges::all_of(text.substr(1, bytes - 1), continues))
    return {first, 1, false};
  uint32_t code = first & (0x7f >> bytes);
  for (const char next : text.substr(1, bytes - 1)) code = code << 6 | (static_cast<uint8_t>(next) & 0x3f);
  return {code, bytes};
}

/// Ranges of what is shown as an escape: controls of both kinds, what changes the order of text, separators of lines,
/// and what XML cannot hold.
constexpr std::pair<uint32_t, uint32_t> kEscaped[] = {
    {0, 8}, {10, 31}, {0x7f, 0x9f}, {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}, {0xfffe, 0xffff}};

} // namespace

std::string plural(uint64_t number, std::string_view what) {
  return std::to_string(number) + " " + std::string(what) +
         (number == 1           ? ""
          : what.ends_with('h') ? "es"
          : what.ends_with('s') ? "es"
                                : "s");
}

std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const Character first = firstOf(text);
    const auto holds = [&](const auto &range) { return first.code >= range.first && first.code <= range.second; };
    if (!first.isWhole || std::ranges::any_of(kEscaped, holds)) {
      char escape[12];
      std::snprintf(escape, sizeof escape, first.code < 0x100 ? "\\x%02x" : "\\u%04x", first.code);
      shown += escape;
    } else {
      shown += text.substr(0, first.bytes);
    }
    text.remove_prefix(first.bytes);
  }
  return shown;
}

std::string markup(std::string_view text) {
  std::string escaped;
  for (const char c : printable(text)) switch (c) {
    case '&':
      escaped += "&amp;";
      break;
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    case '\'':
      escaped += "&#39;";
      break;
    default:
      escaped += c;
    }
  return escaped;
}

uint64_t charactersOf(std::string_view text) {
  return static_cast<uint64_t>(std::ranges::count_if(text, [](char byte) { return !continues(byte); }));
}

std::string shortened(std::string_view text, size_t length) {
  if (text.size() <= length) return std::string(text);
  while (length && continues(text[length])) --length;
  return std::string(text.substr(0, length)) + "…";
}

} // namespace us::install
