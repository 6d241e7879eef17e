// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A text that a driver gives: its size is asked first, and it ends at its first zero.
#pragma once

#include <CL/cl.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace us::forward {

/// `query(size, into, &needed)` is the driver's function. Empty: the driver gives none, or one longer than `longest`.
template <class Query> std::string textFrom(Query query, size_t longest = std::string::npos) {
  size_t size = 0;
  if (query(0, nullptr, &size) != CL_SUCCESS || size == 0 || size > longest) return {};
  std::string text(size, '\0');
  if (query(size, text.data(), nullptr) != CL_SUCCESS) return {};
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

} // namespace us::forward
