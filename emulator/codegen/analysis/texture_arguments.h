// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which of a kernel's arguments are handles of textures: a handle is a number like any other, until one is read.
#pragma once

#include <llvm/ADT/SmallVector.h>

#include <utility>

namespace llvm {
class Argument;
class CallInst;
class Function;
} // namespace llvm

namespace us::codegen {

/// Reads of textures in the kernel's own code, each with the argument that is its handle, where its sampler belongs to
/// the texture. Looks through variables that have one value, as a front end makes them; they begin with zero, which is
/// no texture.
llvm::SmallVector<std::pair<llvm::CallInst *, llvm::Argument *>> textureReads(llvm::Function &kernel);

} // namespace us::codegen
