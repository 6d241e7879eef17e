// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/tools/launch_description.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>

namespace us::tools {
namespace {

constexpr ElementType kTypes[] = {
    {"char", Element::Char, 1, false},     {"uchar", Element::Uchar, 1, false},  {"short", Element::Short, 2, false},
    {"ushort", Element::Ushort, 2, false}, {"int", Element::Int, 4, false},      {"uint", Element::Uint, 4, false},
    {"long", Element::Long, 8, false},     {"ulong", Element::Ulong, 8, false},  {"half", Element::Half, 2, true},
    {"float", Element::Float, 4, true},    {"double", Element::Double, 8, true},
};

/// Calls function with a zero of the C++ type of an element type.
template <class Function> auto withType(Element element, Function function) {
  switch (element) {
  case Element::Char:
    return function(int8_t{});
  case Element::Uchar:
    return function(uint8_t{});
  case Element::Short:
    return function(int16_t{});
  case Element::Ushort:
    return function(uint16_t{});
  case Element::Int:
    return function(int32_t{});
  case Element::Uint:
    return function(uint32_t{});
  case Element::Long:
    return function(int64_t{});
  case Element::Ulong:
    return function(uint64_t{});
  case Element::Half:
    return function(_Float16{});
  case Element::Float:
    return function(float{});
  case Element::Double:
    break;
  }
  return function(double{});
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

/// Takes the first word (up to a space or an opening parenthesis) off the text.
std::string_view takeWord(std::string_view &text) {
  text = trimmed(text);
  size_t size = std::min(text.find_first_of(" (\t"), text.size());
  std::string_view word = text.substr(0, size);
  text = trimmed(text.substr(size));
  return word;
}

/// Takes "( … )" with balanced parentheses off the text; nothing if there is none.
std::optional<std::string_view> takeParentheses(std::string_view &text) {
  text = trimmed(text);
  if (!text.starts_with("(")) return std::nullopt;
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
    if (depth != 0) continue;
    std::string_view inner = text.substr(1, at - 1);
    text = trimmed(text.substr(at + 1));
    return inner;
  }
  return std::nullopt;
}

Expected<uint64_t> number(std::string_view text) {
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty())
    return fail(ErrorCode::InvalidValue, "'" + std::string(text) + "' is not a number");
  return value;
}

Expected<double> realNumber(std::string_view text) {
  text = trimmed(text);
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return fail(ErrorCode::InvalidValue, "'" + std::string(text) + "' is not a number");
  return value;
}

Expected<uint32_t> sizes(std::string_view text, Size3 &into) {
  uint32_t count = 0;
  while (!(text = trimmed(text)).empty()) {
    if (count == 3) return fail(ErrorCode::InvalidValue, "more than three sizes");
    US_TRY(into[count], number(takeWord(text)));
    ++count;
  }
  if (count == 0) return fail(ErrorCode::InvalidValue, "a size is missing");
  return count;
}

/// Splits at commas outside of parentheses and brackets.
std::vector<std::string_view> splitList(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    char c = at < text.size() ? text[at] : ',';
    depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
    if (c != ',' || depth > 0) continue;
    parts.push_back(trimmed(text.substr(begin, at - begin)));
    begin = at + 1;
  }
  return parts;
}

/// fill(…) random(…) expect(…) tolerance(…) hash(…) dump, in any order.
Expected<void> parseClauses(std::string_view text, ArgumentDescription &argument) {
  while (!text.empty()) {
    std::string_view word = takeWord(text);
    if (word == "dump") {
      argument.dump = true;
      continue;
    }
    std::optional<std::string_view> inner = takeParentheses(text);
    if (!inner) return fail(ErrorCode::InvalidValue, "'" + std::string(word) + "' needs something in parentheses");
    if (word == "fill") {
      US_TRY(argument.fill, Expression::parse(*inner));
    } else if (word == "expect") {
      US_TRY(argument.expect, Expression::parse(*inner));
    } else if (word == "tolerance") {
      US_TRY(argument.tolerance, realNumber(*inner));
    } else if (word == "hash") {
      argument.hash = trimmed(*inner);
    } else if (word == "random") {
      std::vector<std::string_view> range = splitList(*inner);
      if (range.size() != 2) return fail(ErrorCode::InvalidValue, "random needs two numbers");
      US_TRY(double low, realNumber(range[0]));
      US_TRY(double high, realNumber(range[1]));
      argument.random = {low, high};
    } else {
      return fail(ErrorCode::InvalidValue,
                  "'" + std::string(word) + "' is not one of fill, random, expect, tolerance, hash, dump");
    }
  }
  return {};
}

/// buffer <type> <count> clauses | local <type> <count> | value <type><width> formula, formula …
Expected<ArgumentDescription> parseArgument(std::string_view text) {
  ArgumentDescription argument;
  std::string_view use = takeWord(text), type = takeWord(text);
  if (use == "value") {
    argument.use = ArgumentUse::Value;
    size_t digits = std::min(type.find_first_of("0123456789"), type.size());
    if (digits < type.size()) {
      US_TRY(argument.count, number(type.substr(digits)));
      type = type.substr(0, digits);
    }
    for (std::string_view part : splitList(text)) {
      US_TRY(Expression value, Expression::parse(part));
      argument.values.push_back(std::move(value));
    }
    if (argument.values.size() != argument.count)
      return fail(ErrorCode::InvalidValue,
                  "a value with " + std::to_string(argument.count) + " components needs as many formulas");
  } else if (use == "buffer" || use == "local") {
    argument.use = use == "local" ? ArgumentUse::Local : ArgumentUse::Buffer;
    US_TRY(argument.count, number(takeWord(text)));
    US_CHECK(parseClauses(text, argument));
  } else {
    return fail(ErrorCode::InvalidValue, "'" + std::string(use) + "' is not one of buffer, value, local");
  }
  argument.type = elementType(type);
  if (!argument.type) return fail(ErrorCode::InvalidValue, "'" + std::string(type) + "' is not a scalar type");
  return argument;
}

Expected<void> applyLine(std::string_view word, std::string_view rest, LaunchDescription &into) {
  if (word == "kernel")
    into.kernel = rest;
  else if (word == "options")
    into.options = rest;
  else if (word == "build-error")
    into.buildError = rest;
  else if (word == "launch-error")
    into.launchError = rest;
  else if (word == "repeat") {
    US_TRY(into.repeat, number(rest));
  } else if (word == "global") {
    US_TRY(into.dimensions, sizes(rest, into.global));
  } else if (word == "local") {
    into.local = {1, 1, 1};
    US_CHECK(sizes(rest, into.local));
  } else if (word == "offset") {
    US_CHECK(sizes(rest, into.offset));
  } else if (word == "prints") {
    into.checksPrint = true;
    into.print.emplace_back(rest);
  } else if (word == "arg") {
    US_TRY(ArgumentDescription argument, parseArgument(rest));
    into.arguments.push_back(std::move(argument));
  } else {
    return fail(ErrorCode::InvalidValue, "'" + std::string(word) +
                                             "' is not one of kernel, options, global, local, offset, arg, repeat, "
                                             "prints, build-error, launch-error");
  }
  return {};
}

/// A JSON value as the text after the word: lists of numbers become words.
std::string textOf(const nlohmann::json &value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const nlohmann::json &one : value) text += (text.empty() ? "" : " ") + textOf(one);
  return text;
}

} // namespace

const ElementType *elementType(std::string_view name) {
  for (const ElementType &type : kTypes)
    if (name == type.name) return &type;
  return nullptr;
}

void storeElement(const ElementType &type, std::byte *at, Number number) {
  withType(type.element, [&](auto zero) {
    using T = decltype(zero);
    T value = type.real ? static_cast<T>(number.asReal()) : static_cast<T>(number.asInteger());
    std::memcpy(at, &value, sizeof(value));
  });
}

Number loadElement(const ElementType &type, const std::byte *at) {
  return withType(type.element, [&](auto zero) {
    std::memcpy(&zero, at, sizeof(zero));
    return type.real ? Number::of(static_cast<double>(zero)) : Number::of(static_cast<int64_t>(zero));
  });
}

Expected<LaunchDescription> describeFromSource(std::string_view source) {
  LaunchDescription description;
  size_t lineNumber = 0;
  while (!source.empty()) {
    size_t end = source.find('\n');
    std::string_view line = source.substr(0, end);
    source.remove_prefix(end == std::string_view::npos ? source.size() : end + 1);
    ++lineNumber;
    line = trimmed(line);
    if (!line.starts_with("//!")) continue;
    line = line.substr(3);
    std::string_view word = takeWord(line);
    if (Expected<void> applied = applyLine(word, line, description); !applied)
      return fail(applied.error().code, "line " + std::to_string(lineNumber) + ": " + applied.error().message);
  }
  return description;
}

Expected<LaunchDescription> describeFromJson(std::string_view json) {
  nlohmann::json parsed = nlohmann::json::parse(json, nullptr, false, true);
  if (!parsed.is_object()) return fail(ErrorCode::InvalidValue, "the launch description is not a JSON object");
  LaunchDescription description;
  for (auto &[word, value] : parsed.items()) {
    bool each = value.is_array() && (word == "arg" || word == "prints");
    for (const nlohmann::json &one : each ? value : nlohmann::json::array({value}))
      if (Expected<void> applied = applyLine(word, textOf(one), description); !applied)
        return fail(applied.error().code, "'" + word + "': " + applied.error().message);
  }
  return description;
}

} // namespace us::tools
