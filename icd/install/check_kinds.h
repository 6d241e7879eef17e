// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What there is to say of classes and kinds of findings; check_kinds.def has the words.
#pragma once

#include <string>
#include <string_view>

namespace us::install {

/// "Limits and progress"; of a class that the table does not have, its own word.
std::string titleOf(std::string_view category);
/// What a kind means and what one does about it, or what its class does.
std::string_view helpOf(std::string_view category, std::string_view kind);
/// "memory/out-of-bounds-write": small letters, digits and hyphens only.
std::string ruleIdOf(std::string_view category, std::string_view kind);
/// Of a class, its place in the table, which is the order of reports; of unknown ones, behind all.
size_t orderOf(std::string_view category);

} // namespace us::install
