// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command lines of the toolkit's smaller programs: options that are known, their values, and files.
#pragma once
#include "runtime/base/expected.h"

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace us::toolkit {

/// An option in its spellings, without dashes; the first one is what it is called here.
struct Option {
  std::vector<std::string_view> names;
  bool hasValue = false;
};

struct Arguments {
  std::map<std::string, std::vector<std::string>, std::less<>> options; ///< the values of each that was given
  std::vector<std::string> files;

  bool has(std::string_view name) const { return options.contains(name); }
  /// The last one; empty if there is none.
  std::string valueOf(std::string_view name) const;
};

/// "--name=value", "-name value", "-ovalue" for one letter; "@file" is read. An option that is not known is an error.
Expected<Arguments> parseArguments(const std::vector<std::string> &words, std::initializer_list<Option> known);

} // namespace us::toolkit
