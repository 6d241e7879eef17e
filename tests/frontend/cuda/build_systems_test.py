#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Projects as their authors write them, built by CMake and by make with understudy-nvcc, and run on the emulated device:
build_systems_test.py TOOLKIT UNDERSTUDY."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOLKIT, UNDERSTUDY = (Path(argument).resolve() for argument in sys.argv[1:3])

KERNELS = """
#include "part.h"
#include "count.h"
__device__ int twice(int x);
__global__ void doubled(int *p) { p[threadIdx.x] = twice(p[threadIdx.x]); }
int run(int value) {
  int *p = nullptr, result[32];
  for (int &one : result) one = value;
  cudaMalloc(&p, sizeof result);
  cudaMemcpy(p, result, sizeof result, cudaMemcpyHostToDevice);
  doubled<<<1, 32>>>(p);
  if (cudaMemcpy(result, p, sizeof result, cudaMemcpyDeviceToHost) != cudaSuccess) return -1;
  cudaFree(p);
  return result[count - 1];
}
"""
PART = """
#include "part.h"
__device__ int twice(int x) { return 2 * x; }
int half(int x) { return x / 2; }
"""
HEADER = "#pragma once\n#include <cuda_runtime.h>\nint run(int value);\nint half(int x);\n"
# The runtime API in a file of the host's own compiler.
MAIN = """
#include "part.h"
#include <cstdio>
int main() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) return 2;
#ifdef WITH_SHARED
  int firstOf(const char *text);
  if (firstOf("text") != '+') return 3;
#endif
  std::printf("result %d\\n", run(half(42)));
  return 0;
}
"""
# A library that is linked with the shared runtime, and by CMake with the archive behind it.
SHARED = """
#include <cuda_runtime.h>
#include <string>
__global__ void first(const char *from, char *to) { *to = *from; }
int firstOf(const char *text) {
  std::string copy(text);
  copy.replace(0, 1, "+");
  cudaFuncAttributes attributes;
  if (cudaFuncGetAttributes(&attributes, first) != cudaSuccess) return -1;
  char *p, result = 0;
  cudaMalloc(&p, 2);
  cudaMemcpy(p, copy.data(), 1, cudaMemcpyHostToDevice);
  first<<<1, 1>>>(p, p + 1);
  cudaMemcpy(&result, p + 1, 1, cudaMemcpyDeviceToHost);
  return result;
}
"""
CLANG_SOURCE = """
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <cstdio>
#include <vector>
namespace cg = cooperative_groups;
__global__ void sum(int *p, float *q) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int whole = __reduce_add_sync(~0u, (int)threadIdx.x);
  int part = threadIdx.x;
  for (int step = 16; step; step /= 2) part += tile.shfl_down(part, step);
  if (tile.thread_rank() == 0) {
    atomicAdd(&p[0], whole);
    atomicAdd(&p[1], whole == part);
  }
  if (threadIdx.x == 0) *q = __half2float(__float2half(rsqrtf(4.0f)));
}
int main() {
  int *p;
  float *q;
  cudaMallocManaged(&p, 8);
  cudaMallocManaged(&q, 4);
  p[0] = p[1] = 0;
  sum<<<1, 64>>>(p, q);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  std::printf("result %d %d %g\\n", p[0], p[1] == 2, *q + rsqrt(4.0f) - 0.5f);
}
"""
CMAKE = """
cmake_minimum_required(VERSION 3.18)
project(mixed LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
set(CMAKE_CUDA_STANDARD 17)
add_library(part STATIC kernels.cu part.cu)
set_target_properties(part PROPERTIES CUDA_SEPARABLE_COMPILATION ON POSITION_INDEPENDENT_CODE ON)
target_compile_options(part PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>)
target_include_directories(part PRIVATE "${CMAKE_SOURCE_DIR}/other headers")
add_library(shared SHARED shared.cu)
target_link_libraries(shared PRIVATE CUDA::cudart)
add_executable(program main.cpp)
target_compile_definitions(program PRIVATE WITH_SHARED)
target_link_libraries(program PRIVATE part shared CUDA::cudart CUDA::cuda_driver)
file(WRITE ${CMAKE_BINARY_DIR}/found "${CMAKE_CUDA_COMPILER_ID} ${CUDAToolkit_VERSION_MAJOR}")
"""
MAKEFILE = """
NVCC ?= nvcc
NVCCFLAGS = -I"other headers" -O2 -std=c++17 -Xcompiler -Wall -gencode arch=compute_80,code=sm_80
program: main.o kernels.o part.o
\t$(NVCC) -rdc=true $(NVCCFLAGS) -o $@ $^
%.o: %.cu part.h
\t$(NVCC) $(NVCCFLAGS) -rdc=true -c $< -o $@
main.o: main.cpp part.h
\tg++ -I$(CUDA_HOME)/include -c $< -o $@
"""


class BuildSystems(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name, text in (
            ("kernels.cu", KERNELS),
            ("part.cu", PART),
            ("shared.cu", SHARED),
            ("part.h", HEADER),
            ("other headers/count.h", "constexpr int count = 32;\n"),
            ("main.cpp", MAIN),
            ("CMakeLists.txt", CMAKE),
            ("Makefile", MAKEFILE),
        ):
            (self.folder / name).parent.mkdir(exist_ok=True)
            (self.folder / name).write_text(text)

    def run_in_folder(self, *words, **environment):
        done = subprocess.run(
            [str(word) for word in words],
            cwd=self.folder,
            capture_output=True,
            text=True,
            env={**os.environ, **environment},
        )
        self.assertEqual(done.returncode, 0, f"{words}\n{done.stdout[-6000:]}\n{done.stderr[-6000:]}")
        return done.stdout

    def test_cmake(self):
        """enable_language(CUDA), find_package(CUDAToolkit), device code in two files of a library."""
        # Makefiles pass directories in options files.
        for generator, build in (("Ninja", "build"), ("Unix Makefiles", "build with make")):
            compiler = f"-DCMAKE_CUDA_COMPILER={TOOLKIT}/bin/nvcc"
            self.run_in_folder("cmake", "-S", ".", "-B", build, "-G", generator, compiler)
            self.assertEqual((self.folder / build / "found").read_text(), "NVIDIA 13")
            self.run_in_folder("cmake", "--build", build)
            self.assertIn("result 42", self.run_in_folder(UNDERSTUDY, "run", "--", f"{build}/program"))
            # Every header that a source was said to depend on is there, by that name: nothing is built again.
            built = self.folder / build / "program"
            before = built.stat().st_mtime_ns
            self.run_in_folder("cmake", "--build", build)
            self.assertEqual(built.stat().st_mtime_ns, before)

    def test_cmake_by_environment(self):
        """As users do who have set CUDACXX once, for one architecture, with the shared runtime."""
        self.run_in_folder(
            "cmake",
            "-S",
            ".",
            "-B",
            "build",
            "-G",
            "Ninja",
            "-DCMAKE_CUDA_ARCHITECTURES=80",
            "-DCMAKE_CUDA_RUNTIME_LIBRARY=Shared",
            CUDACXX=f"{TOOLKIT}/bin/nvcc",
        )
        self.run_in_folder("cmake", "--build", "build")
        self.assertIn("result 42", self.run_in_folder(UNDERSTUDY, "run", "--", "build/program"))

    @unittest.skipUnless(shutil.which("make"), "make is not installed")
    def test_makefile(self):
        """A Makefile that says nvcc, found on the path."""
        self.run_in_folder("make", PATH=f"{TOOLKIT}/bin:{os.environ['PATH']}", CUDA_HOME=str(TOOLKIT))
        self.assertIn("result 42", self.run_in_folder(UNDERSTUDY, "run", "--", "./program"))

    CLANG = shutil.which("clang++-19") or shutil.which("clang++")

    @unittest.skipUnless(CLANG, "clang++ is not installed")
    def test_clang(self):
        """Clang itself, with our folder as the toolkit."""
        (self.folder / "reduce.cu").write_text(CLANG_SOURCE)
        # Its headers before those that another toolkit may have linked into /usr/local/include.
        words = [self.CLANG, "-x", "cuda", f"--cuda-path={TOOLKIT}", "--cuda-gpu-arch=sm_80", "-std=c++17", "reduce.cu",
                 "-isystem", TOOLKIT / "include", "-Wno-unknown-cuda-version", f"-L{TOOLKIT}/lib64"]  # fmt: skip
        for runtime in (["-lcudart"], ["-lcudart_static", "-ldl", "-lrt", "-pthread"]):
            self.run_in_folder(*words, *runtime, "-o", "reduce")
            self.assertIn("result 2016 1 0.5", self.run_in_folder(UNDERSTUDY, "run", "--", "./reduce"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
