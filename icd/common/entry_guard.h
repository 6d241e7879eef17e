// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands between a C entry point and its body: Expected and exceptions become the API's codes, calls are traced,
// and calls that come too late are turned away. Used by the generated entry points only.
#pragma once

#include "icd/common/call_times.h"
#include "icd/common/call_trace.h"
#include "icd/common/runtime_life.h"
#include "runtime/base/clock.h"
#include "runtime/base/expected.h"

#include <atomic>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>

namespace us::icd {

/// What an exception that is being handled means; it is none of ours.
Error errorOfException(const char *function) noexcept;

// What happens seldom is not part of each entry point: there are a thousand.

template <class Result> [[gnu::cold, gnu::noinline]] Expected<Result> afterException(const char *function) noexcept {
  return std::unexpected(errorOfException(function));
}
template <class Api, class Result> [[gnu::cold, gnu::noinline]] Expected<Result> turnedAway(const char *function) {
  // Static objects of C++ programs release what they hold after our exit handler has run, and some throw if that
  // fails: while the process ends there is nothing left to release, and saying so is no failure.
  if constexpr (std::is_void_v<Result>)
    if (processIsEnding() && Api::isRelease(function)) return {};
  return std::unexpected(Error{ErrorCode::OutOfResources, {}});
}

/// Runs a body. `Api` has: `static void begin(const char *function)`, `static void failed(const char *function, const
/// Error &)`, `static bool isRelease(const char *function)`, and perhaps `static bool needsNoRuntime(const char
/// *function)`: such functions are answered at any time.
template <class Api, class Result, class Body> Expected<Result> guarded(const char *function, Body &&body) noexcept {
  bool isGone = runtimeIsGone();
  if constexpr (requires { Api::needsNoRuntime(function); }) isGone = isGone && !Api::needsNoRuntime(function);
  if (isGone) [[unlikely]]
    return turnedAway<Api, Result>(function);
  try {
    Api::begin(function);
    Expected<Result> result = body();
    if (!result) [[unlikely]]
      Api::failed(function, result.error());
    return result;
  } catch (...) {
    return afterException<Result>(function);
  }
}

/// What is told of calls.
class Watch {
public:
  /// Asked in every call.
  static Watch ofCalls() {
    const uint8_t known = known_.load(std::memory_order_relaxed);
    return known ? Watch(known) : ask();
  }
  bool isTraced() const { return flags_ & kTraced; }
  bool isTimed() const { return flags_ & kTimed; }
  bool isOn() const { return flags_ & (kTraced | kTimed); }

private:
  enum : uint8_t { kKnown = 1, kTraced = 2, kTimed = 4 };
  explicit Watch(uint8_t flags) : flags_(flags) {}
  static Watch ask();

  static std::atomic<uint8_t> known_; ///< 0: nobody has asked yet
  uint8_t flags_;
};
/// An API may say that nothing is to be traced for a while.
template <class Api> bool tracing(Watch watch) {
  if constexpr (requires { Api::isTracePaused(); })
    return watch.isTraced() && !Api::isTracePaused();
  else
    return watch.isTraced();
}

/// Whoever wants to know of a call that has been answered, or was not any more, is told.
template <class Api>
[[gnu::cold, gnu::noinline]] void told(Watch watch, uint64_t began, const char *function, typename Api::Code code,
                                       const Error *error, std::span<const TracedArgument> arguments) {
  if (runtimeIsGone()) {
    const bool isNumber = !arguments.empty() && arguments[0].kind < TracedArgument::Kind::Floating;
    if constexpr (requires { Api::calledLate(function, 0); })
      Api::calledLate(function, isNumber ? arguments[0].bits : 0);
    return;
  }
  if (tracing<Api>(watch)) traceCall(function, Api::codeName(code), error, arguments);
  if (watch.isTimed()) noteCall(function, began);
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

  static Expected<typename Shape::BodyResult> answer(Arguments... arguments) {
    if constexpr (Shape::kErrorPointer) {
      const std::tuple<Arguments...> all(arguments...);
      return [&]<size_t... I>(std::index_sequence<I...>) {
        return Body(std::get<I>(all)...);
      }(std::make_index_sequence<Shape::kBodyCount>());
    } else {
      return Body(arguments...);
    }
  }

  static Result call(Arguments... arguments) {
    const Watch watch = Watch::ofCalls();
    const uint64_t began = watch.isTimed() ? monotonicNanoseconds() : 0;
    auto result = guarded<Api, typename Shape::BodyResult>(Name, [&] { return answer(arguments...); });
    Code code = result ? Api::codeOfResult() : Api::code(result.error());
    if (runtimeIsGone() || watch.isOn()) [[unlikely]] {
      const TracedArgument all[sizeof...(Arguments) + 1] = {traced(arguments)...};
      told<Api>(watch, began, Name, code, result ? nullptr : &result.error(), {all, sizeof...(Arguments)});
    }
    if constexpr (Shape::kStatus) {
      return code;
    } else {
      if constexpr (Shape::kErrorPointer)
        if (Code *into = std::get<Shape::kCount - 1>(std::tie(arguments...))) *into = code;
      if constexpr (!std::is_void_v<Result>) return result ? *result : Result{};
    }
  }
};

} // namespace us::icd
