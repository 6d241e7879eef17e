// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a fuzz target (targets/*.cpp) is: three functions. libfuzzer_main.cpp lets libFuzzer drive them for as long as
// somebody likes; short_main.cpp drives them for a few seconds with a fixed seed, in any build.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace us::fuzz {

using Random = std::mt19937;

// --- What a target defines ---

/// Inputs to begin with: right ones, near which the interesting wrong ones lie.
std::vector<std::string> seeds();
/// Does with an input what the product does. What must never be ends in found(), a sanitizer's report or a signal.
void run(std::string_view input);
/// Changes an input in a way of its format's own. False: it has none, and its bytes are changed.
bool damage(std::string &input, Random &random);

// --- What it is given ---

/// Ends the process; the driver keeps the input.
[[noreturn]] void found(const std::string &what);
/// Of a call that cannot fail. `code` is any API's in which 0 is success.
void must(int code, const char *call);

/// Every file of a folder, in the order of names; with an ending (".ptx") only those.
std::vector<std::string> filesIn(const std::string &folder, std::string_view ending);

/// Runs `work` on a thread with the stack of 64 MiB that compilation is promised: the same one each time.
void onLargeStack(const std::function<void()> &work);

/// Changes bytes, in the ways that suit any format.
void damageBytes(std::string &input, Random &random);

/// An input read as decisions, for what is no file but calls. Past its end all are 0.
class Choices {
public:
  explicit Choices(std::string_view input) : rest_(input) {}

  bool empty() const { return rest_.empty(); }
  uint8_t byte();
  uint64_t number();
  uint64_t below(uint64_t limit) { return limit == 0 ? 0 : (limit <= 256 ? byte() : number()) % limit; }
  /// A size or an offset for something of `whole` bytes: mostly one that may be right, else one as callers get them
  /// wrong: near the whole, near a power of two, near 2^64, and what multiplied by `factor` wraps to something small.
  uint64_t size(uint64_t whole, uint64_t factor = 1);

private:
  std::string_view rest_;
};

} // namespace us::fuzz
