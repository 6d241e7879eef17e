// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/architecture.h"

#include <algorithm>
#include <cctype>

namespace us::frontend::cuda {
namespace {

constexpr unsigned kOf11[] = {35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};
constexpr unsigned kOf12[] = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121};
constexpr unsigned kOf13[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
/// What Clang 19 generates code for, from where its warp functions need no replacement.
constexpr unsigned kOfClang[] = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};
/// What `native` means where no device can be asked: the default device of the emulator.
constexpr unsigned kNative = 86;

unsigned defaultOf(const Release &release) { return release.major >= 13 ? 75 : 52; }

} // namespace

std::span<const unsigned> architecturesOf(const Release &release) {
  if (release.major >= 13) return kOf13;
  return release.major >= 12 ? std::span<const unsigned>(kOf12) : kOf11;
}

Expected<Architecture> architectureNamed(const std::string &name, const Release &release) {
  const std::span<const unsigned> known = architecturesOf(release);
  Architecture result;
  if (name.empty()) {
    result.number = defaultOf(release);
  } else if (name == "native") {
    result.number = kNative;
  } else if (name == "all" || name == "all-major") {
    result.number = known.back();
  } else {
    size_t at = name.find('_');
    at = at == std::string::npos ? 0 : at + 1;
    while (at < name.size() && std::isdigit(static_cast<unsigned char>(name[at])))
      result.number = result.number * 10 + static_cast<unsigned>(name[at++] - '0');
    result.suffix = name.substr(at);
  }
  const bool goodSuffix = result.suffix.empty() || result.suffix == "a" || result.suffix == "f";
  if (std::ranges::find(known, result.number) == known.end() || !goodSuffix)
    return fail(ErrorCode::InvalidValue, "CUDA " + release.text() + " has no architecture '" + name + "'");
  unsigned nearest = kOfClang[0];
  for (unsigned number : kOfClang)
    if (number <= result.number) nearest = number;
  result.clang = "sm_" + std::to_string(nearest);
  if (nearest == 90 && result.number == 90 && result.suffix == "a") result.clang += "a";
  return result;
}

} // namespace us::frontend::cuda
