// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's IR to PTX: what compilers hand over that generate code for NVVM, as text or bitcode, also in the form of old
// releases (typed pointers), and what has to be linked before.
#pragma once
#include "frontend/cuda/architecture.h"
#include "runtime/device/compile_request.h"

#include <string>
#include <string_view>
#include <vector>

namespace us::frontend::cuda {

struct IrModule {
  std::string name;
  std::string_view bytes;
  bool onlyWhatIsNeeded = false; ///< what others refer to, and for nobody else to see
};

/// Whoever asks owns the texts meanwhile.
struct IrInput {
  std::vector<IrModule> modules;
  Architecture architecture = {};
  unsigned optimisation = 3; ///< 0 to 3
  bool deviceDebug = false, lineInfo = false;
  bool flushToZero = false, preciseDivision = true, preciseRoot = true, fuse = true;
  bool wholeProgram = false;        ///< nothing else is linked: only kernels and variables stay
  std::string deviceFunctions = {}; ///< a file of bitcode, for what the modules lack; empty: none
  bool toBitcode = false;           ///< instead of PTX
  bool onlyCheck = false;           ///< nothing is made
};

/// Thread-safe, as compile() is. InvalidValue: the IR is not right; BuildProgramFailure: no code can be made of it.
Logged<std::string> compileIr(const IrInput &input);

} // namespace us::frontend::cuda
