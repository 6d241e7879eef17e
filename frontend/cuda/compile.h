// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA C++ to PTX, and to an object for the host that holds it, by Clang in process: texts in, a text and a log out.
// Nothing is printed; of the disk it reads the toolkit's folder and what the source includes, and it writes nothing but
// what CodeOptions::clang asks Clang for.
#pragma once
#include "frontend/cuda/architecture.h"
#include "frontend/cuda/file_log.h"
#include "runtime/device/compile_request.h"

#include <string>
#include <string_view>
#include <vector>

namespace us::frontend::cuda {

/// How the host's code is generated.
struct HostOptions {
  std::string optimisation = "2";
  std::vector<std::string> compiler = {}; ///< meant for a host compiler: what Clang does not know is left out
  bool debug = false;
  bool ownDefaultStreams = false; ///< stream 0 is one for each thread
  bool operator==(const HostOptions &) const = default;
};

/// How device code is generated, and the host's.
struct CodeOptions {
  std::vector<std::string> clang = {}; ///< options that Clang takes as they are
  std::string optimisation = "3", standard = "c++17";
  unsigned maxRegisters = 0; ///< of a kernel that does not say itself; 0: no limit
  bool relocatable = false, deviceDebug = false, lineInfo = false;
  bool flushToZero = false, preciseDivision = true, preciseRoot = true, fuse = true, fastMath = false;
  bool noWarnings = false;
  /// There is no host: the source sees none of its headers (NVRTC).
  bool withoutHost = false;
  bool deviceByDefault = false; ///< what says nothing is for the device
  HostOptions host = {};
  bool operator==(const CodeOptions &) const = default;
};

/// What is wanted of a source.
enum class Product : uint8_t {
  Ptx,
  Preprocessed, ///< its text
  Dependencies, ///< as a rule for make; empty if an option for Clang names a file for it
  Bitcode,      ///< LLVM's, optimised, with the device functions it calls
  Object,       ///< the host's code, with the image of the device's in it
  Precompiled,  ///< what Clang makes of the headers that each source begins with, and of CompileInput::beginning
};

/// What the log of Product::Precompiled calls the source.
inline constexpr const char *kBeginning = "/<understudy>/beginning.cu";

/// Whoever asks owns the texts meanwhile.
struct CompileInput {
  std::string_view source;
  std::string name; ///< of the source, in messages and line tables; what stands beside it can be included
  std::vector<NamedText> headers = {}; ///< found before all others
  CodeOptions options = {};
  Architecture architecture = {};
  CudaRelease release = {};
  std::string toolkit; ///< the folder with include, clang and device
  Product product = Product::Ptx;
  std::string_view image = {}; ///< what an object holds for the device
  bool onlyCommand = false;    ///< the result is what Clang would be told, and nothing else is done
  std::string output = "-";    ///< what the result will be called, where Clang is asked for dependencies besides
  bool colors = false;         ///< in the log, if standard error is a terminal that has them
  /// Expressions that name kernels or variables of the device: templates are instantiated by them.
  std::vector<std::string> names = {};
  /// Product::Precompiled of the same options, architecture, release and toolkit: the headers are not read again.
  std::string_view precompiled = {};
  /// `precompiled` is of another architecture for which the headers are the same, of fewer macros, or of a toolkit that
  /// lay elsewhere.
  bool precompiledElsewhere = false;
  bool withIdentifiers = false; ///< Compiled::identifiers are wanted
  /// How much of the source, in whole lines, `precompiled` holds too, or shall hold.
  size_t beginning = 0;
};

struct Compiled {
  std::string content;
  std::vector<std::string> loweredNames; ///< of CompileInput::names
  FileLog files;                         ///< what was looked for on the disk
  /// Of Product::Precompiled: all that the headers mention. No other macro says what they mean.
  std::vector<std::string> identifiers = {};
};

/// Thread-safe; those with the same options for LLVM, which are the process's, run side by side. With an error the log
/// says why, also with one that LLVM calls fatal.
Logged<Compiled> compile(const CompileInput &input);

/// The release of Clang.
std::string clangVersion();

} // namespace us::frontend::cuda
