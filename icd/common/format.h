// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sentences for error messages: "{}" is replaced by the next argument, "{:#x}" by it in hexadecimal. (The standard
// library of our oldest compiler has no std::format.)
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

namespace us::icd {

class FormatArgument {
public:
  FormatArgument(std::string_view text) : text_(text), kind_(Kind::Text) {}
  FormatArgument(const std::string &text) : FormatArgument(std::string_view(text)) {}
  FormatArgument(const char *text) : FormatArgument(std::string_view(text)) {}
  FormatArgument(const void *pointer) : number_(reinterpret_cast<uint64_t>(pointer)), kind_(Kind::Pointer) {}
  template <std::integral T>
  FormatArgument(T number)
      : number_(static_cast<uint64_t>(number)), kind_(std::is_signed_v<T> ? Kind::Signed : Kind::Unsigned) {}

  void appendTo(std::string &into, bool hexadecimal) const;

private:
  enum class Kind : uint8_t { Text, Pointer, Signed, Unsigned };
  std::string_view text_;
  uint64_t number_ = 0;
  Kind kind_;
};

std::string formatArguments(std::string_view pattern, std::initializer_list<FormatArgument> arguments);

template <class... Arguments> std::string format(std::string_view pattern, const Arguments &...arguments) {
  return formatArguments(pattern, {FormatArgument(arguments)...});
}

} // namespace us::icd
