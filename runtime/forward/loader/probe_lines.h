// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the process that asks a driver is told, and what it writes: a word a line, and what belongs to it behind
// tabulators.
#pragma once

namespace us::forward {

// Its first argument: which API the driver speaks.
inline constexpr const char *kAskOpenCl = "opencl";
inline constexpr const char *kAskCuda = "cuda";

// The first words of its lines.
inline constexpr const char *kLibraryLine = "library";   ///< its absolute path
inline constexpr const char *kProblemLine = "problem";   ///< DriverReport::problem
inline constexpr const char *kQuietLine = "quiet";       ///< DriverReport::isQuiet
inline constexpr const char *kPlatformLine = "platform"; ///< name and version
inline constexpr const char *kDeviceLine = "device";     ///< type, name, version of the driver
inline constexpr const char *kLastLine = "end\n";        ///< all was said

} // namespace us::forward
