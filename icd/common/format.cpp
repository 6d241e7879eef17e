// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/common/format.h"

#include <cstdio>

namespace us::icd {

void FormatArgument::appendTo(std::string &into, bool hexadecimal) const {
  if (kind_ == Kind::Text) {
    into += text_;
    return;
  }
  char buffer[32];
  if (hexadecimal || kind_ == Kind::Pointer)
    std::snprintf(buffer, sizeof buffer, "0x%llx", static_cast<unsigned long long>(number_));
  else if (kind_ == Kind::Signed)
    std::snprintf(buffer, sizeof buffer, "%lld", static_cast<long long>(number_));
  else
    std::snprintf(buffer, sizeof buffer, "%llu", static_cast<unsigned long long>(number_));
  into += buffer;
}

std::string formatArguments(std::string_view pattern, std::initializer_list<FormatArgument> arguments) {
  std::string result;
  const FormatArgument *next = arguments.begin();
  while (!pattern.empty()) {
    size_t open = pattern.find('{');
    result += pattern.substr(0, open);
    size_t close = open == std::string_view::npos ? open : pattern.find('}', open);
    if (close == std::string_view::npos) break;
    if (next != arguments.end()) next++->appendTo(result, pattern.substr(open, close - open) == "{:#x");
    pattern.remove_prefix(close + 1);
  }
  return result;
}

} // namespace us::icd
