// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `understudy doctor`: why a program sees no device, or another one than it should.
#pragma once

#include <string>

namespace us::install {

/// Prints a line for each finding; the process's exit code: 1 if something is wrong.
int reportHealth();

/// What the doctor starts itself for, in the environment of a program: prints the path of the library that the dynamic
/// linker opens by that name. 1 if it opens none.
int reportLibrary(const std::string &name);

} // namespace us::install
