// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists that are written as one text: "real,2", "/usr/lib:/lib".
#pragma once

#include <algorithm>
#include <string_view>

namespace us {

/// Takes the first item off the list, and what separates it from the rest: any character of `separators`. So nothing is
/// left when no item is, and items between two separators are empty.
inline std::string_view takeItem(std::string_view &list, std::string_view separators) {
  const size_t end = std::min(list.find_first_of(separators), list.size());
  const std::string_view item = list.substr(0, end);
  list.remove_prefix(std::min(end + 1, list.size()));
  return item;
}

} // namespace us
