// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A line of trace for a call: `function(argument, argument) = result`.
#pragma once

#include "runtime/base/error.h"

#include <cstdint>
#include <span>
#include <type_traits>

namespace us::icd {

/// An argument of a call, as a trace shows it.
struct TracedArgument {
  enum class Kind : uint8_t { Address, Unsigned, Signed, Floating, Other } kind;
  union {
    uint64_t bits;
    double floating;
  };
};

template <class T> TracedArgument traced(T value) {
  using Kind = TracedArgument::Kind;
  if constexpr (std::is_pointer_v<T>)
    return {Kind::Address, {.bits = reinterpret_cast<uint64_t>(value)}};
  else if constexpr (std::is_floating_point_v<T>)
    return {Kind::Floating, {.floating = static_cast<double>(value)}};
  else if constexpr (std::is_unsigned_v<T>)
    return {Kind::Unsigned, {.bits = value}};
  else if constexpr (std::is_integral_v<T>)
    return {Kind::Signed, {.bits = static_cast<uint64_t>(static_cast<int64_t>(value))}};
  else
    return {Kind::Other, {.bits = 0}};
}

/// Writes the line to standard error. No error: the call has a result. Where there is no memory there is no line.
void traceCall(const char *function, const char *code, const Error *error,
               std::span<const TracedArgument> arguments) noexcept;

} // namespace us::icd
