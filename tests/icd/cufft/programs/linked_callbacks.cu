// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Callbacks whose code is compiled and linked while the program runs.
//! nvcc: -lcufft -lnvrtc -DFOLDER="%S"
//! output: done
using Offset = unsigned long long;
#include "callbacks.h"

#include <nvrtc.h>

/// Code for linking; or, of a virtual architecture and without -dlto, PTX.
static std::string compiled(const char *source, bool isForLinking = true) {
  const char *options[] = {"-arch=compute_80", "-rdc=true", "-I" FOLDER, "-dlto"};
  nvrtcProgram program;
  CHECK(nvrtcCreateProgram(&program, source, "callbacks", 0, nullptr, nullptr) == NVRTC_SUCCESS);
  CHECK(nvrtcCompileProgram(program, isForLinking ? 4 : 3, options) == NVRTC_SUCCESS);
  size_t size = 0;
  CHECK((isForLinking ? nvrtcGetLTOIRSize : nvrtcGetPTXSize)(program, &size) == NVRTC_SUCCESS);
  std::string code(size, 0);
  CHECK((isForLinking ? nvrtcGetLTOIR : nvrtcGetPTX)(program, code.data()) == NVRTC_SUCCESS);
  CHECK(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS);
  return code;
}

static cufftResult set(cufftHandle plan, const char *name, const std::string &code, cufftXtCallbackType type,
                       void *info = nullptr) {
  return cufftXtSetJITCallback(plan, name, code.data(), code.size(), type, &info);
}

/// What a plan that is told this answers when it is made.
static cufftResult made(const char *name, const std::string &code, cufftXtCallbackType type, cufftType of = CUFFT_C2C) {
  cufftHandle plan;
  size_t bytes = 0;
  FFT(cufftCreate(&plan));
  FFT(set(plan, name, code, type));
  const cufftResult result = cufftMakePlan1d(plan, 16, of, 1, &bytes);
  FFT(cufftDestroy(plan));
  return result;
}

int main() {
  const char *const source = R"(
    typedef unsigned long long Offset;
    #include "callback_functions.h"
    extern "C" __device__ float2 plainName(void *data, Offset offset, void *, void *) { return ((float2 *)data)[offset]; }
    __device__ float2 otherOffset(void *data, unsigned offset, void *, void *) { return ((float2 *)data)[offset]; }
    namespace inside { __device__ float2 hidden(void *data, Offset offset, void *, void *) { return ((float2 *)data)[offset]; } }
    __device__ float2 cufftJITCallbackLoadComplex(void *data, Offset offset, void *, void *) { return ((float2 *)data)[offset]; }
    __constant__ float2 constants[2] = {{3, 4}, {5, 6}};
    __device__ float2 loadConstants(void *, Offset offset, void *, void *) { return constants[offset % 2]; }
    )";
  const std::string code = compiled(source), ptx = compiled(source, false);
  const char *const kNames[] = {"loadC", "loadZ", "loadR", "loadD", "storeC", "storeZ", "storeR", "storeD"};
  testOffsets();
  const Way way = {
      [&](cufftHandle plan, cufftXtCallbackType type, Info *info) { FFT(set(plan, kNames[type], code, type, info)); },
      nullptr};
  for (const Case &c : {Case{{6}, 2, true}, Case{{4, 3, 6}, 2}}) testAll(c, way);
  test<float, Kind::Complex>({{3, 4}, 2, false, {3, 6}, {3, 5}, 2, 50, 3, 60}, way);

  // What NVIDIA's library answers: a name is one of C++ without a namespace, which has the documented parameters.
  cufftHandle plan;
  size_t bytes = 0;
  FFT(cufftCreate(&plan));
  IS(CUFFT_INVALID_VALUE, set(plan, "", code, CUFFT_CB_LD_COMPLEX));
  IS(CUFFT_INVALID_VALUE, set(plan, "inside::hidden", code, CUFFT_CB_LD_COMPLEX));
  IS(CUFFT_INVALID_VALUE, set(plan, "loadC", "", CUFFT_CB_LD_COMPLEX));
  IS(CUFFT_INVALID_VALUE, cufftXtSetJITCallback(plan, "loadC", nullptr, 8, CUFFT_CB_LD_COMPLEX, nullptr));
  IS(CUFFT_INVALID_TYPE, set(plan, "loadC", code, CUFFT_CB_UNDEFINED));
  IS(CUFFT_INVALID_TYPE, set(plan, "loadC", code, cufftXtCallbackType(-1)));
  IS(CUFFT_INVALID_PLAN, set(12345, "loadC", code, CUFFT_CB_LD_COMPLEX));
  for (const char *name : {"plainName", "otherOffset", "hidden", "nowhere", "_Z5loadCPvyS_S_"})
    IS(CUFFT_INTERNAL_ERROR, made(name, code, CUFFT_CB_LD_COMPLEX));
  IS(CUFFT_INTERNAL_ERROR, made("loadC", "this is no code", CUFFT_CB_LD_COMPLEX));
  IS(CUFFT_INTERNAL_ERROR, made("loadZ", code, CUFFT_CB_LD_COMPLEX_DOUBLE)); // the plan is of floats
  IS(CUFFT_SUCCESS, made("loadR", code, CUFFT_CB_LD_REAL));                  // never called
  IS(CUFFT_SUCCESS, made(nullptr, code, CUFFT_CB_LD_COMPLEX));
  IS(CUFFT_SUCCESS, made("loadC", ptx, CUFFT_CB_LD_COMPLEX));

  FFT(set(plan, "loadC", code, CUFFT_CB_LD_COMPLEX));
  FFT(set(plan, "loadConstants", code, CUFFT_CB_LD_COMPLEX)); // instead
  FFT(cufftMakePlan1d(plan, 2, CUFFT_C2C, 1, &bytes));
  IS(CUFFT_INVALID_PLAN, set(plan, "loadC", code, CUFFT_CB_LD_COMPLEX));
  IS(CUFFT_NOT_IMPLEMENTED, cufftXtClearCallback(plan, CUFFT_CB_LD_COMPLEX));
  FFT(cufftXtSetCallbackSharedSize(plan, CUFFT_CB_LD_COMPLEX, 16384));
  FFT(cufftXtSetCallbackSharedSize(plan, CUFFT_CB_ST_COMPLEX, 64));
  IS(CUFFT_INVALID_SIZE, cufftXtSetCallbackSharedSize(plan, CUFFT_CB_LD_COMPLEX, 16385));
  IS(CUFFT_INVALID_TYPE, cufftXtSetCallbackSharedSize(plan, cufftXtCallbackType(9), 16));
  Array<float2> numbers(256);
  FFT(cufftExecC2C(plan, numbers.data, numbers.data, CUFFT_FORWARD));
  OK(cudaDeviceSynchronize());
  CHECK(numbers.data[0].x == 8 && numbers.data[0].y == 10 && numbers.data[1].x == -2 && numbers.data[1].y == -2);

  // In a graph, also when the plan is gone.
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  OK(cudaStreamCreate(&stream));
  FFT(cufftSetStream(plan, stream));
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  FFT(cufftExecC2C(plan, numbers.data, numbers.data, CUFFT_FORWARD));
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphInstantiate(&exec, graph, 0));
  FFT(cufftDestroy(plan));
  for (int launch = 0; launch < 2; ++launch) {
    numbers.data[0] = numbers.data[1] = make_float2(0, 0);
    OK(cudaGraphLaunch(exec, stream));
    OK(cudaStreamSynchronize(stream));
    CHECK(numbers.data[0].x == 8 && numbers.data[0].y == 10 && numbers.data[1].x == -2 && numbers.data[1].y == -2);
  }
  OK(cudaGraphExecDestroy(exec));
  OK(cudaGraphDestroy(graph));
  OK(cudaStreamDestroy(stream));

  // Not on several devices, and pointers only in programs that are linked with the static library.
  int devices[] = {0, 0};
  FFT(cufftCreate(&plan));
  FFT(cufftXtSetGPUs(plan, 2, devices));
  IS(CUFFT_NOT_SUPPORTED, set(plan, "loadC", code, CUFFT_CB_LD_COMPLEX));
  FFT(cufftDestroy(plan));
  FFT(cufftCreate(&plan));
  FFT(set(plan, "loadC", code, CUFFT_CB_LD_COMPLEX));
  IS(CUFFT_NOT_SUPPORTED, cufftXtSetGPUs(plan, 2, devices));
  FFT(cufftDestroy(plan));
  FFT(cufftPlan1d(&plan, 16, CUFFT_C2C, 1));
  void *pointer = plan ? &plan : nullptr;
  IS(CUFFT_NOT_IMPLEMENTED, cufftXtSetCallback(plan, &pointer, CUFFT_CB_LD_COMPLEX, nullptr));
  IS(CUFFT_NOT_IMPLEMENTED, cufftXtClearCallback(plan, CUFFT_CB_LD_COMPLEX));
  IS(CUFFT_INVALID_PLAN, cufftXtSetCallbackSharedSize(plan, CUFFT_CB_LD_COMPLEX, 64));
  FFT(cufftDestroy(plan));
  if (!failures) std::printf("done\n");
  return failures != 0;
}
