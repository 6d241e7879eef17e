// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The only export of libunderstudy-cuda-compiler.so: the table of compiler_api.h.
#include "frontend/cuda/compiler_api.h"
#include "frontend/cuda/nvcc.h"

namespace us::frontend::cuda {
namespace {

constinit const CompilerApi api = {.compile = compile, .compileIr = compileIr, .nvcc = nvcc};

} // namespace
} // namespace us::frontend::cuda

const us::frontend::cuda::CompilerApi *understudy_cuda_compiler_1() { return &us::frontend::cuda::api; }

// No static object of LLVM or Clang is destroyed when the process exits: other threads may still compile then. The
// library is never closed, so nothing is lost.
extern "C" int __cxa_atexit(void (*destructor)(void *), void *object, void *library);

/// The linker prefers this to the C library's for all that is linked into this library, and exports.map hides it.
extern "C" int __cxa_atexit(void (*)(void *), void *, void *) { return 0; }
