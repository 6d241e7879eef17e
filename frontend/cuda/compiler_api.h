// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of libunderstudy-cuda-compiler.so: Clang and LLVM for programs that compile CUDA while they run, and for
// understudy-nvcc. Both sides
// are built together, so plain C++ data may cross.
#pragma once
#include "frontend/cuda/compile.h"
#include "frontend/cuda/compile_ir.h"

namespace us::frontend::cuda {

struct CompilerApi {
  uint32_t size = sizeof(CompilerApi);
  Logged<Compiled> (*compile)(const CompileInput &input) = nullptr;
  Logged<std::string> (*compileIr)(const IrInput &input) = nullptr;
  int (*nvcc)(int argc, char **argv) = nullptr; ///< what the program understudy-nvcc does
};

/// The exported symbol.
inline constexpr const char *kCompilerApiSymbol = "understudy_cuda_compiler_1";
using CompilerApiGetter = const CompilerApi *(*)();

} // namespace us::frontend::cuda

/// For who links the library.
extern "C" [[gnu::visibility("default")]] const us::frontend::cuda::CompilerApi *understudy_cuda_compiler_1();
