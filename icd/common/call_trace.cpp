// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/common/call_trace.h"

#include "runtime/base/c_locale.h"

#include <cstdio>
#include <string>

namespace us::icd {
namespace {

std::string textOf(const TracedArgument &argument) {
  using enum TracedArgument::Kind;
  char buffer[32] = "{…}";
  switch (argument.kind) {
  case Address:
    std::snprintf(buffer, sizeof buffer, "%p", reinterpret_cast<const void *>(argument.bits));
    break;
  case Unsigned:
    std::snprintf(buffer, sizeof buffer, "%#llx", static_cast<unsigned long long>(argument.bits));
    break;
  case Signed:
    std::snprintf(buffer, sizeof buffer, "%lld", static_cast<long long>(argument.bits));
    break;
  case Floating: {
    const CLocale locale;
    std::snprintf(buffer, sizeof buffer, "%g", argument.floating);
    break;
  }
  case Other:
    break;
  }
  return buffer;
}

} // namespace

void traceCall(const char *function, const char *code, const Error *error,
               std::span<const TracedArgument> arguments) noexcept {
  try {
    std::string line = std::string("understudy: ") + function + "(";
    for (const TracedArgument &argument : arguments) {
      if (&argument != arguments.data()) line += ", ";
      line += textOf(argument);
    }
    line += std::string(") = ") + code;
    if (error && !error->message.empty()) line += ": " + error->message;
    line += '\n';
    // One write per line, so that lines of several threads do not mix.
    std::fwrite(line.data(), 1, line.size(), stderr);
  } catch (...) {
    return;
  }
}

} // namespace us::icd
