// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The classes of checks, as bits of Specialization::instrumentation.
#pragma once

#include "runtime/base/list_text.h"

#include <cstdint>
#include <string_view>

namespace us::abi {

enum class CheckClass : uint8_t {
#define US_CHECK_CLASS(class, name, isDefault, sentence) class,
#include "emulator/abi/check_classes.def"
#undef US_CHECK_CLASS
};

struct CheckClassInfo {
  CheckClass checkClass;
  std::string_view name;
  bool isDefault;
};
inline constexpr CheckClassInfo kCheckClasses[] = {
#define US_CHECK_CLASS(class, name, isDefault, sentence) {CheckClass::class, name, isDefault},
#include "emulator/abi/check_classes.def"
#undef US_CHECK_CLASS
};

using CheckSet = uint64_t;
constexpr CheckSet bitOf(CheckClass one) { return CheckSet(1) << unsigned(one); }
constexpr bool isIn(CheckSet checks, CheckClass one) { return checks & bitOf(one); }

/// Those of what the host does: kernels' code is what it is without them.
inline constexpr CheckSet kHostChecks = bitOf(CheckClass::Api) | bitOf(CheckClass::Leaks);

/// The accesses of kernels to memory that they share are looked at for these.
inline constexpr CheckSet kRaceChecks = bitOf(CheckClass::Races) | bitOf(CheckClass::SameValue);

/// Of a comma-separated list of names, "default" and "all", in order; one behind a "-" is taken away again. Words that
/// are none of these count for nothing.
inline CheckSet checksNamed(std::string_view list) {
  CheckSet checks = 0;
  while (!list.empty()) {
    std::string_view word = takeItem(list, ",");
    const bool isWithout = word.starts_with('-');
    if (isWithout) word.remove_prefix(1);
    for (const CheckClassInfo &one : kCheckClasses) {
      if (word != one.name && word != "all" && (word != "default" || !one.isDefault)) continue;
      checks = isWithout ? checks & ~bitOf(one.checkClass) : checks | bitOf(one.checkClass);
    }
  }
  return checks;
}

} // namespace us::abi
