// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expected<T>: a value or an Error. US_TRY unwraps one or returns its error; fail() makes one.
#pragma once

#include "runtime/base/error.h"

#include <expected>
#include <functional>
#include <utility>

namespace us {

template <class T> using Expected = std::expected<T, Error>;
/// A reference result: Expected cannot hold T&, so it holds a wrapper that converts.
template <class T> using ExpectedRef = std::expected<std::reference_wrapper<T>, Error>;

/// The error to return: `return fail(ErrorCode::InvalidValue, "asked for 3, there are 2");`
[[nodiscard, gnu::cold, gnu::noinline]] inline std::unexpected<Error> fail(ErrorCode code, std::string message = {}) {
  if (message.empty()) message = errorSentence(code);
  return std::unexpected<Error>(Error{code, std::move(message)});
}

} // namespace us

#define US_CONCAT_(a, b) a##b
#define US_CONCAT(a, b) US_CONCAT_(a, b)

/// US_TRY(Type name, expression): declares `name` with the value, or returns the error to the caller.
#define US_TRY(declaration, ...)                                                                                       \
  auto US_CONCAT(usTry, __LINE__) = (__VA_ARGS__);                                                                     \
  if (!US_CONCAT(usTry, __LINE__)) [[unlikely]]                                                                        \
    return std::unexpected(std::move(US_CONCAT(usTry, __LINE__)).error());                                             \
  declaration = *std::move(US_CONCAT(usTry, __LINE__))

/// US_CHECK(expression): returns the error of an Expected<void> (or drops the value) to the caller.
#define US_CHECK(...)                                                                                                  \
  if (auto usCheck = (__VA_ARGS__); !usCheck) [[unlikely]]                                                             \
  return std::unexpected(std::move(usCheck).error())
