// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An ordinary program of the CUDA driver API: loads the module named by its argument, runs a kernel of it and checks
// the result.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(CUresult status, const char *what) {
  if (status == CUDA_SUCCESS) return;
  const char *name = "an unknown error";
  cuGetErrorName(status, &name);
  std::fprintf(stderr, "%s failed: %s\n", what, name);
  std::exit(1);
}

int main(int count, char **arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: saxpy MODULE.ptx\n");
    return 2;
  }
  CUdevice device;
  CUcontext context;
  CUmodule module;
  CUfunction kernel;
  char name[256];
  check(cuInit(0), "cuInit");
  check(cuDeviceGet(&device, 0), "cuDeviceGet");
  check(cuDeviceGetName(name, sizeof name, device), "cuDeviceGetName");
  check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  check(cuModuleLoad(&module, arguments[1]), "cuModuleLoad");
  check(cuModuleGetFunction(&kernel, module, "saxpy"), "cuModuleGetFunction");

  int n = 1 << 20;
  float a = 3;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) x[i] = float(i % 1000), y[i] = float(i % 7);
  CUdeviceptr deviceX, deviceY;
  const size_t bytes = n * sizeof(float);
  check(cuMemAlloc(&deviceX, bytes), "cuMemAlloc");
  check(cuMemAlloc(&deviceY, bytes), "cuMemAlloc");
  check(cuMemcpyHtoD(deviceX, x.data(), bytes), "cuMemcpyHtoD");
  check(cuMemcpyHtoD(deviceY, y.data(), bytes), "cuMemcpyHtoD");
  void *parameters[] = {&a, &deviceX, &deviceY, &n};
  check(cuLaunchKernel(kernel, (n + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr, parameters, nullptr), "cuLaunchKernel");
  std::vector<float> result(n);
  check(cuMemcpyDtoH(result.data(), deviceY, bytes), "cuMemcpyDtoH");
  for (int i = 0; i < n; ++i)
    if (result[i] != a * x[i] + y[i]) {
      std::fprintf(stderr, "element %d is %g instead of %g\n", i, result[i], a * x[i] + y[i]);
      return 1;
    }
  check(cuMemFree(deviceX), "cuMemFree");
  check(cuMemFree(deviceY), "cuMemFree");
  check(cuDevicePrimaryCtxRelease(device), "cuDevicePrimaryCtxRelease");
  std::printf("saxpy of %d elements on %s: as computed on the host\n", n, name);
}
