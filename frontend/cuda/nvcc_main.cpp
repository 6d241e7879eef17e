// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program understudy-nvcc: the compiler is in libunderstudy-cuda-compiler.so, where the libraries of icd/nvrtc find
// it, too.
#include "frontend/cuda/compiler_api.h"

int main(int argc, char **argv) { return understudy_cuda_compiler_1()->nvcc(argc, argv); }
