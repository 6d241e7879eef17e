// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The build options of OpenCL, from text to facts. The table is build_options.def.
#pragma once

#include "runtime/base/expected.h"

#include <string>
#include <string_view>
#include <vector>

namespace us::frontend::opencl {

/// Which call the options belong to: it decides what is allowed and which error an invalid option is.
enum class BuildStep { Build, Compile, Link };

struct BuildOptions {
  std::vector<std::string> definitions;  ///< "NAME" or "NAME=TEXT", in order
  std::vector<std::string> includePaths; ///< in order
  /// "If the -cl-std build option is not specified, the highest OpenCL C 1.x language version supported by each device
  /// is used when compiling the program for each device."
  unsigned languageVersion = 120;
  unsigned cppVersion = 0; ///< of C++ for OpenCL, as __OPENCL_CPP_VERSION__ says it; 0: the language is OpenCL C
  bool singlePrecisionConstant = false, denormsAreZero = false, correctlyRounded = false, optimise = true;
  bool strictAliasing = false, uniformWorkGroups = false, subgroupProgress = true;
  bool madEnable = false, noSignedZeros = false, unsafeMath = false, finiteMathOnly = false, fastRelaxedMath = false;
  bool warnings = true, warningsAreErrors = false, kernelArgumentInfo = false, debugInfo = false;
  bool createLibrary = false, enableLinkOptions = false;
};

/// Splits at white space; quotes and backslashes protect it, and are removed, as a shell does.
std::vector<std::string> splitOptions(std::string_view text);

/// InvalidBuildOptions, InvalidCompilerOptions or InvalidLinkerOptions by step, with a sentence that names the option.
Expected<BuildOptions> parseBuildOptions(std::string_view text, BuildStep step);

} // namespace us::frontend::opencl
