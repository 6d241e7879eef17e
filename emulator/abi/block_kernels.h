// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels that blocks are made into have names that no kernel of a program can have.
#pragma once

#include <string_view>

namespace us::abi {

inline constexpr std::string_view kBlockKernelMark = ".block";
constexpr bool isBlockKernel(std::string_view name) { return name.find(kBlockKernelMark) != name.npos; }

} // namespace us::abi
