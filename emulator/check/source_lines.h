// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of a line of the source, as the compiler counts lines.
#pragma once

#include "runtime/device/finding.h"

#include <string>
#include <string_view>

namespace us::check {

/// A line of a file that lies where it lay when the program was made; else nothing.
std::string lineOfFile(const SourcePlace &place);
/// A line of a program that was given as `text`: "#line" may count its lines otherwise and say that they are another
/// file's. Of two lines of one name it is the last, as what a program adds comes before its own text. What is not in
/// the text was included from a file.
std::string lineOfProgram(std::string_view text, const SourcePlace &place);

} // namespace us::check
