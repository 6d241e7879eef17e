// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands in the __attribute__((...)) of each kernel, kept for CL_KERNEL_ATTRIBUTES: IR metadata holds only those
// that code generation knows, and not in the source's order.
#pragma once

namespace clang {
class CompilerInstance;
}
namespace llvm {
class Module;
}

namespace us::frontend::opencl {

/// Gives each kernel of the module the metadata `us_attributes`: a string, attributes in the source's order, separated
/// by spaces. None for a kernel without attributes.
void recordKernelAttributes(clang::CompilerInstance &compiler, llvm::Module &module);

} // namespace us::frontend::opencl
