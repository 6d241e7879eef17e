// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvcc's command line: the options that programs and build systems write, in their long and short spellings.
#pragma once
#include "frontend/cuda/compile.h"

#include <string>
#include <string_view>
#include <vector>

namespace us::frontend::cuda {

/// What a run ends with.
enum class Phase : uint8_t { Link, DeviceLink, Library, Object, Ptx, Cubin, Fatbin, Preprocessed, Dependencies };

/// A -gencode: code for `arch` is generated; `codes` are what it is meant for.
struct Target {
  std::string arch;
  std::vector<std::string> codes;
};

struct CommandLine : CodeOptions {
  Phase phase = Phase::Link;
  std::vector<std::string> inputs; ///< libraries (-l...) among them, where they stood
  std::string language;            ///< of the inputs, whatever their names are
  std::string output, outputFolder;
  std::vector<std::string> dependencies; ///< options that ask for a rule for make beside what is made
  std::string hostCompiler, runtime = "static";
  std::vector<std::string> link; ///< options of the linker
  bool shared = false, run = false;
  bool linksDeviceCode = false; ///< of objects, also into an image (--cubin, --fatbin)
  std::vector<Target> targets;
  std::string arch, keepFolder;
  std::vector<std::string> codes;
  bool keep = false, dryRun = false, verbose = false;
  bool version = false, help = false, listArchitectures = false, listCodes = false;
};

/// Parses `arguments` between the words of NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS.
Expected<CommandLine> parseCommandLine(std::vector<std::string> arguments);

/// The options, for --help.
std::string optionsText();

} // namespace us::frontend::cuda
