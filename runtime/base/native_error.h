// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Codes of a driver for which there is no neutral one: they go through untouched to whoever speaks the driver's API.
#pragma once

#include "runtime/base/error.h"

#include <optional>

namespace us {

inline constexpr uint16_t kFirstNativeError = 0x8000;

/// Of a negative code above -32768, which is what drivers' are.
constexpr ErrorCode nativeError(int32_t code) {
  return code < 0 && code > -0x8000 ? static_cast<ErrorCode>(kFirstNativeError - code) : ErrorCode::Internal;
}
/// The driver's code, if it is one.
constexpr std::optional<int32_t> nativeCodeOf(ErrorCode code) {
  const auto number = static_cast<uint16_t>(code);
  return number >= kFirstNativeError ? std::optional<int32_t>(kFirstNativeError - number) : std::nullopt;
}

} // namespace us
