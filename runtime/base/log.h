// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines for a person on standard error, by level (UNDERSTUDY_LOG). Never called from signal handlers.
#pragma once

#include <string_view>

namespace us {

enum class LogLevel { Error, Info, Debug };

/// True if a line of this level would be written: test it before building a costly message.
bool logs(LogLevel level);
/// Writes "understudy: <message>" as one line.
void log(LogLevel level, std::string_view message);

/// For what a person should hear of without having asked, because the program will only see a number: writes it as
/// log(Error) does, or, where nothing was said about logging, the first few different messages. UNDERSTUDY_LOG=none
/// keeps it quiet.
void notice(std::string_view message);

} // namespace us
