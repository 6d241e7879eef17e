// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/install/check_kinds.h"

#include "runtime/base/c_locale.h"

#include <algorithm>
#include <iterator>

namespace us::install {
namespace {

struct ClassRow {
  std::string_view category, title, help;
};
constexpr ClassRow kClasses[] = {
#define US_CHECK_CLASS(category, title, help) {category, title, help},
#include "icd/install/check_kinds.def"
};

struct KindRow {
  std::string_view category, words, help;
};
constexpr KindRow kKinds[] = {
#define US_CHECK_KIND(category, words, help) {category, words, help},
#include "icd/install/check_kinds.def"
};

std::string wordOf(std::string_view text) {
  std::string word;
  for (const char c : text) {
    const char small = lowerCase(c);
    if ((small >= 'a' && small <= 'z') || (small >= '0' && small <= '9'))
      word += small;
    else if (!word.empty() && word.back() != '-')
      word += '-';
  }
  if (word.ends_with('-')) word.pop_back();
  return word.empty() ? "other" : word;
}

} // namespace

size_t orderOf(std::string_view category) {
  return static_cast<size_t>(std::ranges::find(kClasses, category, &ClassRow::category) - std::begin(kClasses));
}

std::string titleOf(std::string_view category) {
  const size_t order = orderOf(category);
  return std::string(order < std::size(kClasses) ? kClasses[order].title : category);
}

std::string_view helpOf(std::string_view category, std::string_view kind) {
  for (const KindRow &row : kKinds)
    if (row.category == category && kind.contains(row.words)) return row.help;
  const size_t order = orderOf(category);
  return order < std::size(kClasses) ? kClasses[order].help
                                     : std::string_view("What the finding says is all that there is to say.");
}

std::string ruleIdOf(std::string_view category, std::string_view kind) { return wordOf(category) + "/" + wordOf(kind); }

} // namespace us::install
