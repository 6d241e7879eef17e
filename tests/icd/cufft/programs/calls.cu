// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What cuFFT's functions answer, and when their work is done.
//! nvcc: -lcufft
//! output: done
#include "transforms.h"

#include <cufftXt.h>

#define IS(result, ...) CHECK((__VA_ARGS__) == (result))

__global__ void fill(float2 *numbers, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) numbers[i] = make_float2(i == 1, 0);
}

int main() {
  int version = 0, part = 0;
  FFT(cufftGetVersion(&version));
  FFT(cufftGetProperty(MAJOR_VERSION, &part));
  CHECK(version / 1000 == part && (part == 11 || part == 12));
  IS(CUFFT_INVALID_VALUE, cufftGetVersion(nullptr));
  IS(CUFFT_INVALID_VALUE, cufftGetProperty(MAJOR_VERSION, nullptr));

  cufftHandle plan = 77;
  size_t bytes = 1;
  IS(CUFFT_INVALID_SIZE, cufftPlan1d(&plan, 0, CUFFT_C2C, 1));
  IS(CUFFT_INVALID_SIZE, cufftPlan1d(&plan, -5, CUFFT_C2C, 1));
  IS(CUFFT_INVALID_SIZE, cufftPlan1d(&plan, 8, CUFFT_C2C, 0));
  IS(CUFFT_INVALID_SIZE, cufftPlan1d(&plan, 2147483647, CUFFT_C2C, 1));
  IS(CUFFT_INVALID_SIZE, cufftPlan2d(&plan, 8, 0, CUFFT_R2C));
  IS(CUFFT_INVALID_SIZE, cufftPlan3d(&plan, 8, 8, -1, CUFFT_R2C));
  IS(CUFFT_INVALID_TYPE, cufftPlan1d(&plan, 8, (cufftType)7, 1));
  IS(CUFFT_INVALID_VALUE, cufftPlan1d(nullptr, 8, CUFFT_C2C, 1));
  int n[4] = {8, 8, 8, 8};
  IS(CUFFT_INVALID_SIZE, cufftPlanMany(&plan, 4, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
  IS(CUFFT_INVALID_SIZE, cufftPlanMany(&plan, 0, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
  IS(CUFFT_INVALID_VALUE, cufftPlanMany(&plan, 1, nullptr, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1));
  IS(CUFFT_INVALID_VALUE, cufftPlanMany(&plan, 1, n, n, 0, 8, n, 1, 8, CUFFT_C2C, 1));
  CHECK(plan == 77);
  IS(CUFFT_INVALID_PLAN, cufftDestroy(77));
  IS(CUFFT_INVALID_PLAN, cufftSetStream(-1, nullptr));
  IS(CUFFT_INVALID_PLAN, cufftExecC2C(12345, nullptr, nullptr, CUFFT_FORWARD));

  // A handle comes first, its plan once.
  FFT(cufftCreate(&plan));
  FFT(cufftSetAutoAllocation(plan, 0));
  float2 *numbers, *results;
  OK(cudaMallocManaged(&numbers, 64 * sizeof(float2)));
  OK(cudaMallocManaged(&results, 64 * sizeof(float2)));
  IS(CUFFT_INVALID_PLAN, cufftExecC2C(plan, numbers, results, CUFFT_FORWARD));
  IS(CUFFT_INVALID_PLAN, cufftGetSize(plan, &bytes));
  FFT(cufftGetSize1d(plan, 64, CUFFT_C2C, 1, &bytes));
  FFT(cufftEstimate3d(4, 4, 4, CUFFT_D2Z, &bytes));
  IS(CUFFT_INVALID_SIZE, cufftEstimate2d(4, 0, CUFFT_D2Z, &bytes));
  FFT(cufftSetPlanPropertyInt64(plan, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, 1));
  long long value = 0;
  FFT(cufftGetPlanPropertyInt64(plan, NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, &value));
  CHECK(value == 1);
  IS(CUFFT_INVALID_VALUE, cufftMakePlan1d(plan, 64, CUFFT_C2C, 1, nullptr));
  FFT(cufftMakePlan1d(plan, 64, CUFFT_C2C, 1, &bytes));
  IS(CUFFT_INVALID_PLAN, cufftMakePlan1d(plan, 64, CUFFT_C2C, 1, &bytes));
  void *area = nullptr;
  OK(cudaMalloc(&area, bytes));
  FFT(cufftSetWorkArea(plan, area));

  IS(CUFFT_INVALID_VALUE, cufftExecC2C(plan, nullptr, results, CUFFT_FORWARD));
  IS(CUFFT_INVALID_VALUE, cufftExecC2C(plan, numbers, results, 0));
  IS(CUFFT_INVALID_TYPE, cufftExecR2C(plan, (float *)numbers, results));
  IS(CUFFT_INVALID_TYPE, cufftExecZ2Z(plan, (double2 *)numbers, (double2 *)results, CUFFT_FORWARD));
  IS(CUFFT_INVALID_VALUE, cufftExecC2C(plan, numbers + 1, results, CUFFT_FORWARD)); // one number beyond the end
  long long size = 64;
  IS(CUFFT_NOT_SUPPORTED,
     cufftXtMakePlanMany(plan, 1, &size, nullptr, 1, 0, CUDA_C_16F, nullptr, 1, 0, CUDA_C_16F, 1, &bytes, CUDA_C_16F));

  // In the stream's order: numbers that a kernel made, and in a graph at each launch.
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  FFT(cufftSetStream(plan, stream));
  fill<<<1, 32, 0, stream>>>(numbers, 64);
  FFT(cufftExecC2C(plan, numbers, results, CUFFT_FORWARD));
  FFT(cufftDestroy(plan)); // what is under way goes on
  OK(cudaStreamSynchronize(stream));
  for (int k = 0; k < 64; ++k) {
    const double angle = 2 * 3.141592653589793 * k / 64;
    CHECK(std::abs(results[k].x - std::cos(angle)) < 1e-6 && std::abs(results[k].y + std::sin(angle)) < 1e-6);
  }
  FFT(cufftPlan1d(&plan, 64, CUFFT_C2C, 1));
  FFT(cufftSetStream(plan, stream));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  fill<<<1, 32, 0, stream>>>(numbers, 64);
  FFT(cufftExecC2C(plan, numbers, numbers, CUFFT_FORWARD));
  FFT(cufftExecC2C(plan, numbers, numbers, CUFFT_INVERSE));
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphInstantiate(&exec, graph, 0));
  FFT(cufftDestroy(plan));
  for (int launch = 0; launch < 2; ++launch) {
    for (int i = 0; i < 64; ++i) numbers[i] = make_float2(9, 9);
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    for (int i = 0; i < 64; ++i) CHECK(std::abs(numbers[i].x - 64 * (i == 1)) < 1e-4 && std::abs(numbers[i].y) < 1e-4);
  }
  OK(cudaGraphExecDestroy(exec));
  OK(cudaGraphDestroy(graph));

  long long large[2] = {6, 10};
  FFT(cufftCreate(&plan));
  FFT(cufftMakePlanMany64(plan, 1, large, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 2, &bytes));
  FFT(cufftGetSize(plan, &bytes));
  FFT(cufftDestroy(plan));
  IS(CUFFT_INVALID_PLAN, cufftDestroy(plan));
  OK(cudaFree(numbers));
  OK(cudaFree(results));
  OK(cudaStreamDestroy(stream));
  if (!failures) std::printf("done\n");
  return failures != 0;
}
