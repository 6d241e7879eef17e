// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One source file through Clang, for one architecture.
#pragma once
#include "frontend/cuda/architecture.h"
#include "frontend/cuda/command_line.h"

namespace us::cuda {

struct CompileRequest {
  const CommandLine &line;
  const Release &release;
  const Architecture &architecture;
  std::string toolkit; ///< toolkitFolder()
  std::string source;
  std::string output;       ///< a file; "-" is standard output
  Phase phase = Phase::Ptx; ///< Ptx, Preprocessed or Dependencies
};

/// Clang's messages go to standard error. False: there was an error, which has been printed.
bool compile(const CompileRequest &request);

/// The release of Clang.
std::string clangVersion();

} // namespace us::cuda
