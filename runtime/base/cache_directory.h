// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where compiled kernels and what else can be made again is kept.
#pragma once

#include <string>

namespace us {
struct Options;

/// `understudy` in the user's cache folder, which is found as the XDG base directory specification says; empty if there
/// is no such place, or if the environment is not the user's own (secure_getenv).
std::string userCacheDirectory();

/// A folder of the user's in the one for temporary files, which all users share: whoever uses it asks whose it is
/// (private_folder.h).
std::string userTemporaryDirectory();

/// The option's folder, else the user's. Says nothing about whether the cache is on.
std::string cacheDirectory(const Options &options);

} // namespace us
