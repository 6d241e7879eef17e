#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the CUDA runtime and the compilers around it cost: cuda_toolkit.py [BUILD]. Prints JSON; each figure is the least
of several rounds. Launches are timed by the clock (one thread at work), compilations by processor time of a new process."""
import ctypes
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

LAUNCHES = r"""
#include <algorithm>
#include <chrono>
#include <cstdio>
__global__ void nothing(int *p) { if (p) *p = 1; }
template <class F> double least(int rounds, F body) {
  double best = 1e9;
  for (int i = 0; i < rounds; ++i) {
    auto begin = std::chrono::steady_clock::now();
    body();
    best = std::min(best, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}
int main() {
  int *p;
  cudaMalloc(&p, 4);
  const double launch = least(20000, [&] { nothing<<<1, 32>>>(p); cudaDeviceSynchronize(); });
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  for (int i = 0; i < 100; ++i) nothing<<<1, 32, 0, stream>>>(p);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  const double call = least(2000, [&] { cudaGraphLaunch(executable, stream); }) ;
  cudaStreamSynchronize(stream);
  const double done = least(2000, [&] { cudaGraphLaunch(executable, stream); cudaStreamSynchronize(stream); });
  if (cudaGetLastError() != cudaSuccess) return 1;
  std::printf("{\"launch and synchronize, us\": %.2f, \"graph of 100 kernels: the launch, us\": %.2f, "
              "\"graph of 100 kernels, to its end, us\": %.2f}\n", launch, call, done);
}
"""

# A kernel of fifty lines: a tiled product with an epilogue.
KERNEL = """
extern "C" __global__ void product(const float *a, const float *b, float *c, int n, float alpha, float beta) {
  __shared__ float tileA[16][17], tileB[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    tileA[y][x] = row < n && k + x < n ? a[row * n + k + x] : 0.0f;
    tileB[y][x] = column < n && k + y < n ? b[(k + y) * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 16; ++i)
      sum += tileA[y][i] * tileB[i][x];
    __syncthreads();
  }
  if (row < n && column < n)
    c[row * n + column] = alpha * sum + beta * c[row * n + column];
}
extern "C" __global__ void normalize(float *values, int n) {
  __shared__ float partial[256];
  float sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    sum += values[i] * values[i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (threadIdx.x < step)
      partial[threadIdx.x] += partial[threadIdx.x + step];
    __syncthreads();
  }
  const float factor = rsqrtf(partial[0] + 1e-12f);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    values[i] *= factor;
}
extern "C" __global__ void histogram(const unsigned char *data, int n, unsigned int *counts) {
  __shared__ unsigned int local[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    local[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[data[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    atomicAdd(&counts[i], local[i]);
}
// %d
"""


def compile_with_nvrtc(library, text):
    """In this process: the clock's and the processor's milliseconds of one compilation."""
    nvrtc = ctypes.CDLL(library)
    program = ctypes.c_void_p()
    begin, cpu = time.perf_counter(), time.process_time()
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"k.cu", 0, None, None) == 0
    assert nvrtc.nvrtcCompileProgram(program, 1, (ctypes.c_char_p * 1)(b"-arch=compute_80")) == 0
    return (time.perf_counter() - begin) * 1000, (time.process_time() - cpu) * 1000


def nvrtc(build, text, twice=False):
    """The processor time of a compilation in a new process, and of another one in it with a text of its own."""
    done = subprocess.run(
        [sys.executable, __file__, "--nvrtc", str(build / "lib/cuda/libnvrtc.so.13"), "twice" if twice else "once"],
        input=text, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)


def main():
    if sys.argv[1:2] == ["--nvrtc"]:
        text = sys.stdin.read()
        first = compile_with_nvrtc(sys.argv[2], text)[1]
        print(
            json.dumps(
                [first, compile_with_nvrtc(sys.argv[2], text + "// again\n")[1]] if sys.argv[3] == "twice" else [first]
            )
        )
        return
    build = Path(sys.argv[1]).resolve() if sys.argv[1:] else ROOT / "build" / "release"
    figures = {}
    with tempfile.TemporaryDirectory() as scratch:
        os.environ["UNDERSTUDY_CACHE_DIRECTORY"] = f"{scratch}/cache"
        (Path(scratch) / "launches.cu").write_text(LAUNCHES)
        subprocess.run(
            [build / "cuda/bin/nvcc", "-O2", "-arch=sm_80", "launches.cu", "-o", "launches"], cwd=scratch, check=True
        )
        for _ in range(3):
            done = subprocess.run(
                [build / "bin/understudy", "run", "--", "./launches"], cwd=scratch, capture_output=True, text=True
            )
            for name, value in json.loads(done.stdout).items():
                figures[name] = min(value, figures.get(name, value))
        cold, next_one, cached = [], [], []
        for i in range(5):
            os.environ["UNDERSTUDY_CACHE_DIRECTORY"] = f"{scratch}/cache of round {i}"
            first, second = nvrtc(build, KERNEL % i, twice=True)
            cold.append(first)
            next_one.append(second)
            cached.append(nvrtc(build, KERNEL % i)[0])
        figures["NVRTC, 50 lines, the first with an empty cache, CPU ms"] = round(min(cold), 1)
        figures["NVRTC, 50 lines, another in the process, CPU ms"] = round(min(next_one), 1)
        figures["NVRTC, from the cache, CPU ms"] = round(min(cached), 2)
        times = []
        for _ in range(5):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run(
                [build / "cuda/bin/nvcc", "-O2", "-arch=sm_80", ROOT / "docs/examples/vector_add.cu", "-o", "program"],
                cwd=scratch, check=True,
            )  # fmt: skip
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        figures["nvcc, host and device, one program, CPU s"] = round(min(times), 2)
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
