// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts a program on our platform.
#pragma once

#include "runtime/base/expected.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace us::install {

/// Programs that are started from now on see this platform only, with these options by name. Errors: it is not there.
Expected<void> enterPlatform(const std::map<std::string, std::string> &options);

/// Says so; returns the exit code of what could not be started or written.
int failed(const Error &error);

/// The program takes this process's place. Returns, with the exit code that says why, only if it cannot.
int becomeProgram(const std::vector<std::string> &program);

/// The program's exit code, 128 plus the signal that ended it, or 125 to 127 where it could not be started. `meanwhile`
/// is called again and again, some times a second, as long as it runs.
int runProgram(const std::vector<std::string> &program, const std::function<void()> &meanwhile = {});

} // namespace us::install
