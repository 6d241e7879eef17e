// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A target whose input is calls of an API, held against a model of what they must do.
#pragma once

#include "tests/fuzz/fuzz_target.h"

namespace us::fuzz {

class Model {
public:
  virtual ~Model() = default;
  /// What an input left, the next one does not see.
  virtual void reset() = 0;
  /// Makes a call and checks its answer.
  virtual void call(Choices &choices) = 0;
  /// Looks at all that calls can change.
  virtual void compare() = 0;
};

/// The target's: made when first asked for.
Model &model();

/// What the documents leave to us is Either.
enum class Answer { Refused, Accepted, Either };
inline Answer acceptedIf(bool fits) { return fits ? Answer::Accepted : Answer::Refused; }

/// True if the call was accepted.
bool check(Answer expected, int code, const char *call);

} // namespace us::fuzz
