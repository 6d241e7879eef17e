// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// KernelInfo from a finished program's IR and metadata.
#pragma once

#include "runtime/device/executable.h"

#include <vector>

namespace llvm {
class Argument;
class Module;
} // namespace llvm

namespace us::codegen {

/// Every kernel, in source order. Requires a program that link_builtins has closed.
std::vector<KernelInfo> describeKernels(llvm::Module &module);

/// What a kernel's argument is, by its type and the kernel's metadata.
ArgumentKind argumentKind(const llvm::Argument &argument);

} // namespace us::codegen
