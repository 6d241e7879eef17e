// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Overheads of the CUDA driver library. `first`: a fresh process loads PTX and launches a kernel of it, which a second
// such process finds in the cache; `launch`: launch and synchronise, again and again;
// `graph`: the same of a graph of 100 kernels. Prints a JSON object of figures.
#include "benchmarks/timing.h"
#include "icd/cuda/include/cuda.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

using namespace us::benchmarks;

const char *const kHead = ".version 8.0\n.target sm_80\n.address_size 64\n";

/// A kernel of about `count` instructions that nothing can be left out of: a chain of multiplications and additions on
/// what it reads.
std::string kernelOf(const std::string &name, unsigned count) {
  std::string text = ".visible .entry " + name + R"((.param .u64 to)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [to];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd1, %rd1, %rd2;
  ld.global.u32 %r2, [%rd1];
)";
  for (unsigned i = 0; i < count / 2; ++i)
    text += "  mad.lo.u32 %r2, %r2, %r2, " + std::to_string(i * 7 + 1) + ";\n  xor.b32 %r2, %r2, " +
            std::to_string(i * 13 + 5) + ";\n";
  return text + "  st.global.u32 [%rd1], %r2;\n  ret;\n}\n";
}

struct Context {
  CUcontext context = nullptr;
  CUdeviceptr memory = 0;
  Context() {
    check(cuInit(0), "cuInit");
    check(cuCtxCreate(&context, nullptr, 0, 0), "cuCtxCreate");
    check(cuMemAlloc(&memory, 4096), "cuMemAlloc");
    check(cuMemsetD8(memory, 1, 4096), "cuMemsetD8");
  }
};

CUfunction load(const std::string &text, const char *name) {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  check(cuModuleLoadData(&module, text.c_str()), "cuModuleLoadData");
  check(cuModuleGetFunction(&function, module, name), "cuModuleGetFunction");
  return function;
}

void launch(CUfunction function, CUdeviceptr memory) {
  void *parameters[] = {&memory};
  check(cuFuncSetBlockShape(function, 64, 1, 1), "cuFuncSetBlockShape"); // as PyCUDA does
  check(cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr), "cuLaunchKernel");
  check(cuCtxSynchronize(), "cuCtxSynchronize");
}

double firstMs(const std::string &text, const char *name, CUdeviceptr memory) {
  const Clock::time_point begin = Clock::now();
  launch(load(text, name), memory);
  return microseconds(begin) / 1e3;
}

/// 100 nodes of a kernel with one thread each.
double graphUs(CUfunction function, CUdeviceptr memory, bool inARow) {
  CUgraph graph = nullptr;
  CUgraphExec exec = nullptr;
  CUstream stream = nullptr;
  check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  check(cuGraphCreate(&graph, 0), "cuGraphCreate");
  void *parameters[] = {&memory};
  const CUDA_KERNEL_NODE_PARAMS given{function, 1, 1, 1, 1, 1, 1, 0, parameters, nullptr, nullptr, nullptr};
  CUgraphNode last = nullptr;
  for (unsigned i = 0; i < 100; ++i) {
    CUgraphNode node = nullptr;
    check(cuGraphAddKernelNode(&node, graph, &last, inARow && last ? 1 : 0, &given), "cuGraphAddKernelNode");
    last = node;
  }
  check(cuGraphInstantiate(&exec, graph, 0), "cuGraphInstantiate");
  std::vector<double> figures;
  for (unsigned round = 0; round < 20; ++round) {
    const Clock::time_point begin = Clock::now();
    for (unsigned i = 0; i < 200; ++i) {
      check(cuGraphLaunch(exec, stream), "cuGraphLaunch");
      check(cuStreamSynchronize(stream), "cuStreamSynchronize");
    }
    figures.push_back(microseconds(begin) / 200);
  }
  std::sort(figures.begin(), figures.end());
  return figures[figures.size() / 2];
}

} // namespace

int main(int argc, char **argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  Context context;
  if (mode == "first") {
    const std::string small = kHead + kernelOf("small", 1000);
    std::string large = kHead;
    for (unsigned i = 0; i < 12; ++i) large += kernelOf("part" + std::to_string(i), 1000);
    // Whatever the process must open once is opened by another kernel.
    if (argc > 2) firstMs(kHead + kernelOf("warmUp", 10), "warmUp", context.memory);
    std::printf("{\"1,000 instructions, ms\": %.2f, ", firstMs(small, "small", context.memory));
    std::printf("\"12,000 instructions, one kernel of 12, ms\": %.2f}\n", firstMs(large, "part5", context.memory));
    return 0;
  }
  if (mode == "launch") {
    CUfunction function = load(kHead + kernelOf("empty", 0), "empty");
    std::vector<double> figures;
    for (unsigned round = 0; round < 20; ++round) {
      const Clock::time_point begin = Clock::now();
      for (unsigned i = 0; i < 2000; ++i) launch(function, context.memory);
      figures.push_back(microseconds(begin) / 2000);
    }
    std::sort(figures.begin(), figures.end());
    std::printf("{\"launch and synchronise, us\": %.2f}\n", figures[figures.size() / 2]);
    return 0;
  }
  if (mode == "graph") {
    CUfunction function = load(kHead + kernelOf("empty", 0), "empty");
    std::printf("{\"graph of 100 kernels in a row, launch and synchronise, us\": %.2f, ",
                graphUs(function, context.memory, true));
    std::printf("\"graph of 100 kernels side by side, launch and synchronise, us\": %.2f}\n",
                graphUs(function, context.memory, false));
    return 0;
  }
  std::fprintf(stderr, "usage: cuda_overheads first [warm] | launch | graph\n");
  return 2;
}
