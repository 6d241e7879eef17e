// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel IR to machine code. These functions have the signatures of abi::CompilerApi, whose table points at them.
#pragma once

#include "emulator/abi/compiler_api.h"

#include <cstdint>
#include <string>

namespace us::codegen {

/// Makes machine code of one kernel for one specialization. Errors: Unsupported if the tier cannot run the kernel.
Expected<abi::CodeData> generate(const abi::CodeInput &input, const abi::CompilerSettings &settings = {},
                                 std::vector<std::string> *remarks = nullptr);

/// Places an object made by generate() into executable memory. What it places stays until unload().
Expected<abi::LoadedCode> load(const abi::CodeData &code, const abi::CodeMemory &memory, bool registerWithDebuggers);
void unload(void *handle);

/// The source line of a byte of the code, counted from the entry.
abi::SourceLine sourceLine(const abi::CodeData &code, uint64_t offsetFromEntry);
/// Those of an address in a file of the host's program.
std::vector<abi::SourceLine> hostLines(const std::string &file, uint64_t address);

/// The host CPU, its features and the code version, as text; a part of cache keys.
std::string hostIdentity();

} // namespace us::codegen
