// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the process that asks a driver writes: a word a line, and what belongs to it behind tabulators.
#pragma once

namespace us::forward {

inline constexpr const char *kLibraryLine = "library";   ///< its absolute path
inline constexpr const char *kProblemLine = "problem";   ///< DriverReport::problem
inline constexpr const char *kQuietLine = "quiet";       ///< DriverReport::isQuiet
inline constexpr const char *kPlatformLine = "platform"; ///< name and version
inline constexpr const char *kDeviceLine = "device";     ///< type, name, version of the driver
inline constexpr const char *kLastLine = "end\n";        ///< all was said

} // namespace us::forward
