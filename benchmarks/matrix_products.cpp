// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX's mma.m16n8k16 and wgmma.m64n64k16 of halves with sums of f32 against the host's peak of fused multiply-adds in
// f32, one block on one core each, in turn. Prints a JSON object: multiply-adds a nanosecond, the best of all rounds,
// and mma's by the peak.
#include "benchmarks/timing.h"
#include "icd/cuda/include/cuda.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace us::benchmarks;

constexpr unsigned kWarps = 4, kTurns = 2000, kSums = 8, kRounds = 40;
constexpr unsigned kGroupTurns = 1000, kColumns = 64;
constexpr double kOfOne = 16 * 8 * 16, kOfGroup = 64 * kColumns * 16; ///< multiply-adds

/// A kernel until it has its thread's 16 bytes at %rd0.
std::string begun(const std::string &target) {
  return ".version 8.0\n.target " + target + R"(
.address_size 64
.visible .entry products(.param .u64 memory)
{
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<6>;
  .reg .f32 %f<64>;
  ld.param.u64 %rd0, [memory];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %rd1, %r0, 16;
  add.u64 %rd0, %rd0, %rd1;
)";
}

/// The end of the loop `again`, of which %r5 counts the turns, and of the kernel: it stores the sum of so many numbers.
std::string ended(unsigned sums) {
  std::string text = "  sub.u32 %r5, %r5, 1;\n  setp.ne.u32 %p0, %r5, 0;\n  @%p0 bra again;\n";
  for (unsigned i = 1; i < sums; ++i) text += "  add.f32 %f0, %f0, %f" + std::to_string(i) + ";\n";
  return text + "  st.global.f32 [%rd0], %f0;\n  ret;\n}\n";
}

/// Loads A and B once, and adds their product to so many sums in each turn.
std::string kernel() {
  std::string text = begun("sm_80") + R"(  ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd0];
)";
  text += "  mov.u32 %r5, " + std::to_string(kTurns) + ";\nagain:\n";
  const auto sums = [](unsigned number) {
    std::string list;
    for (unsigned i = 0; i < 4; ++i) list += (i ? ", %f" : "%f") + std::to_string(4 * number + i);
    return "{" + list + "}";
  };
  for (unsigned i = 0; i < kSums; ++i)
    text += "  mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " + sums(i) + ", {%r1, %r2, %r3, %r4}, {%r1, %r2}, " +
            sums(i) + ";\n";
  return text + ended(4 * kSums);
}

/// A and B in shared memory, in rows of K of 128 bytes, swizzled; what the memory holds is not looked at.
std::string kernelOfGroup() {
  std::string text = begun("sm_90a") + R"(  .shared .align 1024 .b8 matrices[16384];
  mov.u32 %r1, matrices;
  shr.u32 %r2, %r1, 4;
  cvt.u64.u32 %rd2, %r2;
  or.b64 %rd2, %rd2, 0x4000004000010000;
  add.u64 %rd3, %rd2, 512;
  shl.b32 %r3, %r0, 2;
  add.u32 %r4, %r1, %r3;
  mov.u32 %r6, 0x2c002c00;
  setp.eq.u32 %p1, %r0, %r0;
fill:
  st.shared.b32 [%r4], %r6;
  add.u32 %r4, %r4, 512;
  add.u32 %r3, %r3, 512;
  setp.lt.u32 %p0, %r3, 16384;
  @%p0 bra fill;
  fence.proxy.async.shared::cta;
  bar.sync 0;
)";
  std::string sums;
  for (unsigned i = 0; i < kColumns / 2; ++i) {
    text += "  mov.f32 %f" + std::to_string(i) + ", 0f00000000;\n";
    sums += (i ? ", %f" : "%f") + std::to_string(i);
  }
  text += "  mov.u32 %r5, " + std::to_string(kGroupTurns) + ";\nagain:\n  wgmma.fence.sync.aligned;\n";
  text += "  wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {" + sums + "}, %rd2, %rd3, %p1, 1, 1, 0, 0;\n";
  text += "  wgmma.commit_group.sync.aligned;\n  wgmma.wait_group.sync.aligned 0;\n";
  return text + ended(kColumns / 2);
}

using Vector = float __attribute__((vector_size(64)));

/// Twelve chains of fused multiply-adds, which is more than any processor has under way.
__attribute__((target_clones("avx512f", "fma", "default"))) double peak() {
  constexpr unsigned kChains = 12, kSteps = 200000;
  Vector chains[kChains] = {}; // NOLINT: an element of std::array is a call, and these are to be registers
  const Vector factor = Vector{} + 0.999F, term = Vector{} + 0.001F;
  const auto since = Clock::now();
  for (unsigned step = 0; step < kSteps; ++step) {
#pragma clang fp contract(fast)
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < kChains; ++i) chains[i] = chains[i] * factor + term;
  }
  const double time = microseconds(since);
  float sum = 0;
  for (const Vector &chain : chains) sum += chain[0];
  if (sum < 0) std::puts("");
  return double(kChains) * kSteps * (sizeof(Vector) / sizeof(float)) / time / 1000;
}

CUfunction load(const std::string &text) {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  check(cuModuleLoadData(&module, text.c_str()), "cuModuleLoadData");
  check(cuModuleGetFunction(&function, module, "products"), "cuModuleGetFunction");
  return function;
}

double time(CUfunction function, CUdeviceptr memory) {
  check(cuMemsetD32(memory, 0x2c002c00, 4 * 32 * kWarps), "cuMemsetD32"); // 1/16, and 1/16
  void *parameters[] = {&memory};
  const auto since = Clock::now();
  check(cuLaunchKernel(function, 1, 1, 1, 32 * kWarps, 1, 1, 0, nullptr, parameters, nullptr), "cuLaunchKernel");
  check(cuCtxSynchronize(), "cuCtxSynchronize");
  return microseconds(since) * 1000;
}

} // namespace

int main() {
  CUcontext context = nullptr;
  CUdeviceptr memory = 0;
  check(cuInit(0), "cuInit");
  check(cuCtxCreate(&context, nullptr, 0, 0), "cuCtxCreate");
  check(cuMemAlloc(&memory, 16 * 32 * kWarps), "cuMemAlloc");
  CUfunction warps = load(kernel()), group = load(kernelOfGroup());
  double products = 0, ofGroup = 0, most = 0;
  for (unsigned round = 0; round < kRounds; ++round) {
    most = std::max(most, peak());
    products = std::max(products, kOfOne * kSums * kTurns * kWarps / time(warps, memory));
    ofGroup = std::max(ofGroup, kOfGroup * kGroupTurns / time(group, memory));
  }
  std::printf("{\"mma_f16\": %.1f, \"wgmma_f16\": %.1f, \"fma_f32\": %.1f, \"share\": %.2f}\n", products, ofGroup, most,
              products / most);
  return 0;
}
