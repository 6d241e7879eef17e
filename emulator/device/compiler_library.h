// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler library: found beside this one, opened on the first build, never closed; called on compile threads only.
#pragma once

#include "emulator/abi/compiler_api.h"
#include "runtime/base/expected.h"

#include <functional>
#include <string>
#include <vector>

namespace us::emulator {

/// Calls the compiler on a compile thread and waits. Opens the library if need be. Errors: CompilerNotAvailable when
/// it cannot be opened, OutOfResources when no thread can be had, Internal (with a sentence) when the compiler crashed.
Expected<void> callCompiler(const std::function<void(const abi::CompilerApi &)> &call);

/// The lines of an address of a file of machine code, the host's: the innermost of what was inlined there first; none
/// that are not known. Also while the process ends.
std::vector<abi::SourceLine> hostLines(const std::string &file, uint64_t address);

/// True once the library is open.
bool compilerIsOpen();

/// Absolute path of the library's file; empty if there is none where it should be.
const std::string &compilerPath();

/// Text that differs whenever compiled code may: our version, the formats' versions, the compiler library's file, the
/// processor, what of it code is made for. Opens nothing.
const std::string &codeIdentity(abi::Target target = abi::Target::Host);

} // namespace us::emulator
