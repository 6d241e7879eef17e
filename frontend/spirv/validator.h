// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPIRV-Tools' opinion of a module. The reader decides by itself what it can translate; this says it in the words that
// people know, and finds what a translation need not notice.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace us::frontend::spirv {

/// What is wrong with the module, "" if nothing.
std::string validate(std::span<const std::byte> bytes);

} // namespace us::frontend::spirv
