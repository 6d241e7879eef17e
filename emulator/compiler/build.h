// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a build is made of: front end, passes, linking, description. (docs/program-build.md)
#pragma once

#include "emulator/abi/compiler_api.h"

namespace us::compiler {

Logged<abi::ModuleData> compile(const CompileRequest &request, const LanguageFacts &facts,
                                const abi::CompilerSettings &settings);
Logged<abi::ModuleData> link(const abi::LinkInput &input, const LanguageFacts &facts,
                             const abi::CompilerSettings &settings);

} // namespace us::compiler
