// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where each program-scope variable lies in the program's storage, and that storage's initial bytes. The one rule, used
// for ModuleData::variables and for generated code.
#pragma once

#include "emulator/abi/compiler_api.h"
#include "runtime/base/expected.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace llvm {
class GlobalVariable;
class Module;
} // namespace llvm

namespace us::codegen {

/// The offset of each stored variable: all of address space 1, and those constants of address space 2 whose address or
/// contents depend on where the storage is. In module order.
using ProgramVariableOffsets = std::vector<std::pair<llvm::GlobalVariable *, uint64_t>>;
ProgramVariableOffsets programVariableOffsets(llvm::Module &module);

/// Size, initial bytes (as far as they are not zero to the end) and relocations. Fails if they take more than `most`
/// bytes (0: there is no limit), or if an initial value needs something that storage cannot hold.
Expected<abi::ProgramVariables> programVariables(llvm::Module &module, uint64_t most);

} // namespace us::codegen
