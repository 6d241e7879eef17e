// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans that are told their one device, and memory by descriptors; the transform of a shifted unit impulse is the roots
// of unity. Callbacks are refused, and a device twice.
//! nvcc: -lcufft
#include "../../cudart/check.h"

#include <cmath>
#include <complex>
#include <cufftXt.h>
#include <vector>

#define IS(result, ...) CHECK((__VA_ARGS__) == (result))
#define FFT(...) IS(CUFFT_SUCCESS, __VA_ARGS__)

int main() {
  constexpr int n = 12;
  cufftHandle plan;
  size_t size = 1;
  int absent[] = {0, 99};
  FFT(cufftCreate(&plan));
  IS(CUFFT_INVALID_DEVICE, cufftXtSetGPUs(plan, 2, absent));
  IS(CUFFT_INVALID_VALUE, cufftXtSetGPUs(plan, 1, nullptr));
  IS(CUFFT_INVALID_VALUE, cufftXtSetGPUs(plan, 1, absent)); // one device is a plan's without being named
  cudaLibXtDesc *memory = nullptr;
  IS(CUFFT_INVALID_PLAN, cufftXtMalloc(plan, &memory, CUFFT_XT_FORMAT_INPLACE));
  FFT(cufftMakePlan1d(plan, n, CUFFT_Z2Z, 1, &size));
  IS(CUFFT_INVALID_VALUE, cufftXtMalloc(plan, nullptr, CUFFT_XT_FORMAT_INPLACE));
  FFT(cufftXtMalloc(plan, &memory, CUFFT_XT_FORMAT_INPLACE));
  CHECK(memory->descriptor->nGPUs == 1 && memory->descriptor->GPUs[0] == 0);
  CHECK(memory->descriptor->size[0] == n * sizeof(cufftDoubleComplex));

  std::vector<std::complex<double>> numbers(n), results(n);
  numbers[1] = 1;
  FFT(cufftXtMemcpy(plan, memory, numbers.data(), CUFFT_COPY_HOST_TO_DEVICE));
  FFT(cufftXtExecDescriptorZ2Z(plan, memory, memory, CUFFT_FORWARD));
  FFT(cufftXtMemcpy(plan, results.data(), memory, CUFFT_COPY_DEVICE_TO_HOST));
  for (int i = 0; i < n; ++i) CHECK(std::abs(results[i] - std::polar(1.0, -2 * M_PI * i / n)) < 1e-15 * n);
  FFT(cufftXtExecDescriptor(plan, memory, memory, CUFFT_INVERSE));
  cudaLibXtDesc *copy = nullptr;
  FFT(cufftXtMalloc(plan, &copy, CUFFT_XT_FORMAT_INPLACE));
  FFT(cufftXtMemcpy(plan, copy, memory, CUFFT_COPY_DEVICE_TO_DEVICE));
  FFT(cufftXtMemcpy(plan, results.data(), copy, CUFFT_COPY_DEVICE_TO_HOST));
  for (int i = 0; i < n; ++i) CHECK(std::abs(results[i] - numbers[i] * double(n)) < 1e-15 * n * n);

  IS(CUFFT_INVALID_VALUE, cufftXtMemcpy(plan, nullptr, memory, CUFFT_COPY_DEVICE_TO_HOST));
  CHECK(cufftXtExecDescriptorZ2Z(plan, nullptr, memory, CUFFT_FORWARD) != CUFFT_SUCCESS);
  CHECK(cufftXtExecDescriptorC2C(plan, memory, memory, CUFFT_FORWARD) != CUFFT_SUCCESS);
  IS(CUFFT_NOT_IMPLEMENTED, cufftXtClearCallback(plan, CUFFT_CB_LD_COMPLEX));
  FFT(cufftXtFree(copy));
  FFT(cufftXtFree(memory));
  FFT(cufftDestroy(plan));
  return failures != 0;
}
