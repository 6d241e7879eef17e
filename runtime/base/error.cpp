// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/error.h"

#include <iterator>

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

const Row &rowOf(ErrorCode code) {
  // APIs have codes of their own above ours, which only they can name.
  static constexpr Row kOther = {"Error", "an error that only the API knows"};
  const auto number = static_cast<size_t>(code);
  return number < std::size(kRows) ? kRows[number] : kOther;
}
} // namespace

const char *errorName(ErrorCode code) { return rowOf(code).name; }
const char *errorSentence(ErrorCode code) { return rowOf(code).sentence; }

} // namespace us
