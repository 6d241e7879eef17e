// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where compiled kernels and what else can be made again is kept.
#pragma once

#include <string>

namespace us {
struct Options;

/// `understudy` in the user's cache folder, which is found as the XDG base directory specification says; empty if there
/// is no such place.
std::string userCacheDirectory();

/// The option's folder, else the user's. Says nothing about whether the cache is on.
std::string cacheDirectory(const Options &options);

} // namespace us
