// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands between a C entry point and its body: Expected and exceptions become the API's codes, calls are traced,
// and calls that come too late are turned away. Used by the generated entry points only.
#pragma once

#include "icd/common/call_times.h"
#include "icd/common/runtime_life.h"
#include "runtime/base/c_locale.h"
#include "runtime/base/clock.h"
#include "runtime/base/expected.h"
#include "runtime/base/log.h"
#include "runtime/base/options.h"

#include <cstdint>
#include <cstdio>
#include <new>
#include <string>
#include <tuple>
#include <type_traits>

namespace us::icd {

/// One line of trace under construction: `function(argument, argument) = result`.
class TraceLine {
public:
  explicit TraceLine(const char *function) : text_(std::string("understudy: ") + function + "(") {}

  template <class T> void argument(T value) {
    if (!first_) text_ += ", ";
    first_ = false;
    put(value);
  }
  void result(const char *code, const Error *error) {
    text_ += ") = ";
    text_ += code;
    if (error && !error->message.empty()) text_ += ": " + error->message;
    text_ += '\n';
    // One write per line, so that lines of several threads do not mix.
    std::fwrite(text_.data(), 1, text_.size(), stderr);
  }

private:
  template <class T> void put(T value) {
    char buffer[32];
    if constexpr (std::is_pointer_v<T> && std::is_function_v<std::remove_pointer_t<T>>)
      std::snprintf(buffer, sizeof buffer, "%p", reinterpret_cast<const void *>(value));
    else if constexpr (std::is_pointer_v<T>)
      std::snprintf(buffer, sizeof buffer, "%p", static_cast<const volatile void *>(value));
    else if constexpr (std::is_floating_point_v<T>) {
      const CLocale locale;
      std::snprintf(buffer, sizeof buffer, "%g", static_cast<double>(value));
    } else if constexpr (std::is_unsigned_v<T>)
      std::snprintf(buffer, sizeof buffer, "%#llx", static_cast<unsigned long long>(value));
    else if constexpr (std::is_integral_v<T>)
      std::snprintf(buffer, sizeof buffer, "%lld", static_cast<long long>(value));
    else
      std::snprintf(buffer, sizeof buffer, "{…}");
    text_ += buffer;
  }

  std::string text_;
  bool first_ = true;
};

/// Runs a body. `Api` has: `static void begin(const char *function)`, `static void failed(const char *function, const
/// Error &)`, `static bool isRelease(const char *function)`, and perhaps `static bool needsNoRuntime(const char
/// *function)`: such functions are answered at any time.
template <class Api, class Result, class Body> Expected<Result> guarded(const char *function, Body &&body) noexcept {
  bool isGone = runtimeIsGone();
  if constexpr (requires { Api::needsNoRuntime(function); }) isGone = isGone && !Api::needsNoRuntime(function);
  if (isGone) [[unlikely]] {
    // Static objects of C++ programs release what they hold after our exit handler has run, and some throw if that
    // fails: while the process ends there is nothing left to release, and saying so is no failure.
    if constexpr (std::is_void_v<Result>)
      if (processIsEnding() && Api::isRelease(function)) return {};
    return std::unexpected(Error{ErrorCode::OutOfResources, {}});
  }
  try {
    Api::begin(function);
    Expected<Result> result = body();
    if (!result) [[unlikely]]
      Api::failed(function, result.error());
    return result;
  } catch (const std::bad_alloc &) {
    return std::unexpected(Error{ErrorCode::OutOfHostMemory, {}});
  } catch (...) {
    // Nothing we write throws, but the standard library may (a lock, a thread).
    log(LogLevel::Error, function);
    return std::unexpected(Error{ErrorCode::Internal, {}});
  }
}

template <class... Arguments>
void trace(const char *function, const char *code, const Error *error, const Arguments &...arguments) noexcept {
  try {
    TraceLine line(function);
    (line.argument(arguments), ...);
    line.result(code, error);
  } catch (...) {
    return; // no memory for a line of trace: there will be none
  }
}

/// What is told of calls.
struct Watch {
  bool isTraced = false, isTimed = false;
  bool isOn() const { return isTraced || isTimed; }
};
inline Watch watchOfCalls() {
  static const Watch wanted{options().trace, !options().timeline.empty()}; // asked in every call
  return wanted;
}
/// An API may say that nothing is to be traced for a while.
template <class Api> bool tracing(Watch watch) {
  if constexpr (requires { Api::isTracePaused(); })
    return watch.isTraced && !Api::isTracePaused();
  else
    return watch.isTraced;
}

/// What a body looks like for a C signature:
///   code f(a…)                → Expected<void> body(a…)
///   handle f(a…, code *error) → Expected<handle> body(a…)
///   other f(a…)               → Expected<other> body(a…); the result is null on failure
template <class Code, class Signature> struct BodyOf;
template <class Code, class Result, class... Arguments> struct BodyOf<Code, Result (*)(Arguments...)> {
  static constexpr size_t kCount = sizeof...(Arguments);
  using Tuple = std::tuple<Arguments...>;
  static constexpr bool kStatus = std::is_same_v<Result, Code>;
  static constexpr bool kErrorPointer = [] {
    if constexpr (kStatus || kCount == 0)
      return false;
    else
      return std::is_same_v<std::tuple_element_t<kCount - 1, Tuple>, Code *>;
  }();
  static constexpr size_t kBodyCount = kErrorPointer ? kCount - 1 : kCount;
  using BodyResult = std::conditional_t<kStatus, void, Result>;

  template <size_t... I>
  static auto type(std::index_sequence<I...>) -> Expected<BodyResult> (*)(std::tuple_element_t<I, Tuple>...);
  using Type = std::remove_pointer_t<decltype(type(std::make_index_sequence<kBodyCount>()))>;
};

/// The C function for a body. `Api` adds: `Code`, `static Code code(const Error &)`, `static Code codeOfResult()` (of a
/// call that did not fail), `static const char *codeName(Code)`, and perhaps `static void calledLate(const char
/// *function, uint64_t firstArgument)`: calls that are not answered any more.
template <class Api, class Signature, auto Body, const char *const &Name> struct EntryPoint;
template <class Api, class Result, class... Arguments, auto Body, const char *const &Name>
struct EntryPoint<Api, Result (*)(Arguments...), Body, Name> {
  using Shape = BodyOf<typename Api::Code, Result (*)(Arguments...)>;
  using Code = typename Api::Code;

  static uint64_t firstWord() { return 0; }
  template <class First, class... Rest> static uint64_t firstWord(First first, Rest...) {
    if constexpr (std::is_pointer_v<First>)
      return reinterpret_cast<uint64_t>(first);
    else if constexpr (std::is_integral_v<First>)
      return static_cast<uint64_t>(first);
    else
      return 0;
  }

  static Result call(Arguments... arguments) {
    std::tuple<Arguments...> all(arguments...);
    const Watch watch = watchOfCalls();
    const uint64_t began = watch.isTimed ? monotonicNanoseconds() : 0;
    auto result = guarded<Api, typename Shape::BodyResult>(Name, [&]() {
      return [&]<size_t... I>(std::index_sequence<I...>) {
        return Body(std::get<I>(all)...);
      }(std::make_index_sequence<Shape::kBodyCount>());
    });
    Code code = result ? Api::codeOfResult() : Api::code(result.error());
    if (runtimeIsGone()) [[unlikely]] {
      if constexpr (requires { Api::calledLate(Name, 0); }) Api::calledLate(Name, firstWord(arguments...));
    } else if (watch.isOn()) [[unlikely]] {
      if (tracing<Api>(watch)) trace(Name, Api::codeName(code), result ? nullptr : &result.error(), arguments...);
      if (watch.isTimed) noteCall(Name, began);
    }
    if constexpr (Shape::kStatus) {
      return code;
    } else {
      if constexpr (Shape::kErrorPointer)
        if (Code *into = std::get<Shape::kCount - 1>(all)) *into = code;
      if constexpr (!std::is_void_v<Result>) return result ? *result : Result{};
    }
  }
};

} // namespace us::icd
