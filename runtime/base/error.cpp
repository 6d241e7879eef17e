// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/error.h"

namespace us {
namespace {
struct Row {
  const char *name;
  const char *sentence;
};
constexpr Row kRows[] = {
#define US_ERROR(name, sentence) {#name, sentence},
#include "runtime/base/error_codes.def"
#undef US_ERROR
};
} // namespace

const char *errorName(ErrorCode code) { return kRows[static_cast<size_t>(code)].name; }
const char *errorSentence(ErrorCode code) { return kRows[static_cast<size_t>(code)].sentence; }

} // namespace us
