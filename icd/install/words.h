// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How reports write numbers of things, and text that others chose.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace us::install {

/// "1 launch", "2 launches".
std::string plural(uint64_t number, std::string_view what);

/// Text of a kernel's or a program's, so that a terminal only shows it: control characters, and those that change the
/// order of others, as \x1b and \u202e, and so what is no UTF-8. Tabs stay.
std::string printable(std::string_view text);

/// The same for HTML and XML, between tags and in quoted attributes.
std::string markup(std::string_view text);

/// How many characters of UTF-8 `text` has.
uint64_t charactersOf(std::string_view text);
/// At most `length` bytes of it, with no character cut; "…" stands for the rest.
std::string shortened(std::string_view text, size_t length);

} // namespace us::install
