// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a build is made of: front end, passes, linking, description. (docs/program-build.md)
#pragma once

#include "emulator/abi/compiler_api.h"

namespace us::compiler {

void compile(const abi::CompileInput &input, abi::ModuleOutput &output);
void link(const abi::LinkInput &input, abi::ModuleOutput &output);

} // namespace us::compiler
