// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The neutral error: a code that both APIs can map to their own, and a sentence for a person.
#pragma once

#include <cstdint>
#include <string>

namespace us {

/// What went wrong, in no API's terms. Each API maps these to its own codes in its errors.def.
enum class ErrorCode : uint16_t {
#define US_ERROR(name, sentence) name,
#include "runtime/base/error_codes.def"
#undef US_ERROR
};

/// The name of a code ("InvalidValue"); never null.
const char *errorName(ErrorCode code);
/// The default sentence of a code; never null.
const char *errorSentence(ErrorCode code);

/// A failure: the code, and what was asked and what was found, for a person.
struct Error {
  ErrorCode code;
  std::string message;
};

} // namespace us
