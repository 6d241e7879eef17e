// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Callbacks that are pointers to device functions, of programs that are linked with the static library.
//! nvcc: -rdc=true -lcufft_static -lculibos
//! nvcc: -rdc=true -cudart shared -lcufft_static -lculibos
//! output: done
#include <cstddef>
using Offset = size_t;
#include "callbacks.h"

#include <map>

#define POINTERS(LETTER)                                                                                               \
  __device__ cufftCallbackLoad##LETTER load##LETTER##Pointer = load##LETTER;                                           \
  __device__ cufftCallbackStore##LETTER store##LETTER##Pointer = store##LETTER;
POINTERS(C)
POINTERS(Z)
POINTERS(R)
POINTERS(D)
__device__ cufftCallbackLoadC loadSharedPointer = loadShared, loadMadePointer = loadMade;
__device__ cufftCallbackStoreC storeEvenPointer = storeEven;

template <class T> void *pointerIn(const T &variable) {
  void *pointer = nullptr;
  OK(cudaMemcpyFromSymbol(&pointer, variable, sizeof(pointer)));
  return pointer;
}

int main() {
  std::map<int, void *> pointers = {
      {CUFFT_CB_LD_COMPLEX, pointerIn(loadCPointer)},  {CUFFT_CB_LD_COMPLEX_DOUBLE, pointerIn(loadZPointer)},
      {CUFFT_CB_LD_REAL, pointerIn(loadRPointer)},     {CUFFT_CB_LD_REAL_DOUBLE, pointerIn(loadDPointer)},
      {CUFFT_CB_ST_COMPLEX, pointerIn(storeCPointer)}, {CUFFT_CB_ST_COMPLEX_DOUBLE, pointerIn(storeZPointer)},
      {CUFFT_CB_ST_REAL, pointerIn(storeRPointer)},    {CUFFT_CB_ST_REAL_DOUBLE, pointerIn(storeDPointer)}};
  const Way way = {nullptr, [&](cufftHandle plan, cufftXtCallbackType type, Info *info) {
                     FFT(cufftXtSetCallback(plan, &pointers[type], type, (void **)&info));
                   }};
  testLayouts(way);

  // What NVIDIA's library answers: only the types of the plan's numbers are valid, and only of a plan that is made.
  cufftHandle plan, real;
  size_t bytes = 0;
  void *loadPointer = pointers[CUFFT_CB_LD_COMPLEX];
  FFT(cufftCreate(&plan));
  IS(CUFFT_INVALID_PLAN, cufftXtSetCallback(plan, &loadPointer, CUFFT_CB_LD_COMPLEX, nullptr));
  IS(CUFFT_INVALID_PLAN, cufftXtClearCallback(plan, CUFFT_CB_LD_COMPLEX));
  IS(CUFFT_INVALID_PLAN, cufftXtSetCallbackSharedSize(plan, CUFFT_CB_LD_COMPLEX, 16));
  IS(CUFFT_INVALID_PLAN, cufftXtSetCallback(12345, &loadPointer, CUFFT_CB_LD_COMPLEX, nullptr));
  FFT(cufftMakePlan1d(plan, 256, CUFFT_C2C, 1, &bytes));
  FFT(cufftPlan1d(&real, 16, CUFFT_R2C, 1));
  for (int type = -1; type < 10; ++type) {
    const bool isOfComplex = type == CUFFT_CB_LD_COMPLEX || type == CUFFT_CB_ST_COMPLEX;
    const bool isOfReal = type == CUFFT_CB_LD_REAL || type == CUFFT_CB_ST_COMPLEX;
    const auto as = cufftXtCallbackType(type);
    IS(isOfComplex ? CUFFT_SUCCESS : CUFFT_INVALID_TYPE, cufftXtSetCallback(plan, &pointers[type], as, nullptr));
    IS(isOfComplex ? CUFFT_SUCCESS : CUFFT_INVALID_TYPE, cufftXtClearCallback(plan, as));
    IS(isOfComplex ? CUFFT_SUCCESS : CUFFT_INVALID_TYPE, cufftXtSetCallbackSharedSize(plan, as, 64));
    IS(isOfReal ? CUFFT_SUCCESS : CUFFT_INVALID_TYPE, cufftXtSetCallback(real, &pointers[type], as, nullptr));
  }
  FFT(cufftDestroy(real));
  IS(CUFFT_INTERNAL_ERROR, cufftXtSetCallback(plan, nullptr, CUFFT_CB_LD_COMPLEX, nullptr));
  FFT(cufftXtSetCallbackSharedSize(plan, CUFFT_CB_ST_COMPLEX, 16384));
  IS(CUFFT_INVALID_SIZE, cufftXtSetCallbackSharedSize(plan, CUFFT_CB_LD_COMPLEX, 16385));

  // Memory that a block shares.
  Array<float2> in(256), out(256);
  for (int i = 0; i < 256; ++i) in.data[i] = make_float2(0, -1); // with 1 added there is nothing left
  void *sharing = pointerIn(loadSharedPointer);
  FFT(cufftXtSetCallback(plan, &sharing, CUFFT_CB_LD_COMPLEX, nullptr));
  FFT(cufftXtSetCallbackSharedSize(plan, CUFFT_CB_LD_COMPLEX, 1024 * sizeof(float2)));
  FFT(cufftExecC2C(plan, in.data, out.data, CUFFT_FORWARD));
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 256; ++i) CHECK(out.data[i].x == 0 && out.data[i].y == 0);
  // Without it the numbers are as they are.
  FFT(cufftXtClearCallback(plan, CUFFT_CB_LD_COMPLEX));
  FFT(cufftExecC2C(plan, in.data, out.data, CUFFT_FORWARD));
  OK(cudaDeviceSynchronize());
  CHECK(out.data[0].y == -256 && std::abs(out.data[1].y) < 1e-4);

  // Input that is nowhere and output that is smaller; in a graph, at each launch, also when the plan is gone.
  void *made = pointerIn(loadMadePointer), *even = pointerIn(storeEvenPointer);
  Array<float2> half(128);
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  FFT(cufftSetStream(plan, stream));
  FFT(cufftXtSetCallback(plan, &made, CUFFT_CB_LD_COMPLEX, nullptr));
  FFT(cufftXtSetCallback(plan, &even, CUFFT_CB_ST_COMPLEX, nullptr));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  FFT(cufftExecC2C(plan, (float2 *)16, half.data, CUFFT_FORWARD));
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphInstantiate(&exec, graph, 0));
  FFT(cufftDestroy(plan));
  for (int launch = 0; launch < 2; ++launch) {
    std::memset(half.data, 0, 128 * sizeof(float2));
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    for (int k = 0; k < 128; ++k) { // the transform of a 1 at place 1
      const double angle = 2 * 3.141592653589793 * (2 * k) / 256;
      CHECK(std::abs(half.data[k].x - std::cos(angle)) < 1e-6 && std::abs(half.data[k].y + std::sin(angle)) < 1e-6);
    }
  }
  OK(cudaGraphExecDestroy(exec));
  OK(cudaGraphDestroy(graph));
  OK(cudaStreamDestroy(stream));
  if (!failures) std::printf("done\n");
  return failures != 0;
}
