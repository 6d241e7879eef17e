// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program whose locale writes numbers as "1,5".
#pragma once

#include <clocale>
#include <cstdlib>
#include <string>

namespace us::test {

/// While it lives, the process's locale is one with a comma. It needs US_LOCALES (us_comma_locale() in CMake).
class CommaLocale {
public:
  CommaLocale() : before_(std::setlocale(LC_ALL, nullptr)) {
    setenv("LOCPATH", US_LOCALES, 1);
    isSet_ = std::setlocale(LC_ALL, "comma") && *std::localeconv()->decimal_point == ',';
  }
  ~CommaLocale() { std::setlocale(LC_ALL, before_.c_str()); }
  /// False where localedef could not make it.
  bool isSet() const { return isSet_; }

private:
  const std::string before_;
  bool isSet_ = false;
};

} // namespace us::test
