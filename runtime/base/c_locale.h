// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers and letters as the "C" locale has them. The program's own locale must not decide what a kernel prints or
// means.
#pragma once

#include <locale.h>

namespace us {

constexpr char lowerCase(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

/// While it lives, the C library's functions use the "C" locale on this thread.
class CLocale {
public:
  CLocale() : before_(uselocale(instance())) {}
  ~CLocale() { uselocale(before_); }
  CLocale(const CLocale &) = delete;
  CLocale &operator=(const CLocale &) = delete;

private:
  static locale_t instance() {
    static const locale_t made = newlocale(LC_ALL_MASK, "C", nullptr);
    return made;
  }
  const locale_t before_;
};

} // namespace us
