// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the device says of itself, in the layouts of two releases.
//! nvcc:
//! nvcc: -DRELEASE_12
//! environment: UNDERSTUDY_DEVICE=default
#include "../check.h"
#include <cstring>

int main() {
  int count = 0, device = -1, driver = 0, runtime = 0;
  OK(cudaGetDeviceCount(&count));
  CHECK(count >= 1);
  OK(cudaGetDevice(&device));
  CHECK(device == 0);
  OK(cudaSetDevice(0));
  OK(cudaDriverGetVersion(&driver));
  OK(cudaRuntimeGetVersion(&runtime));
  CHECK(runtime / 1000 == CUDART_VERSION / 1000);
  cudaDeviceProp properties;
  std::memset(&properties, 0x55, sizeof(properties));
  OK(cudaGetDeviceProperties(&properties, 0));
  auto attribute = [](cudaDeviceAttr which) {
    int value = -1;
    OK(cudaDeviceGetAttribute(&value, which, 0));
    return value;
  };
  CHECK(std::strlen(properties.name) > 0 && std::strlen(properties.name) < sizeof(properties.name));
  CHECK(properties.warpSize == 32);
  CHECK(properties.major == attribute(cudaDevAttrComputeCapabilityMajor));
  CHECK(properties.minor == attribute(cudaDevAttrComputeCapabilityMinor));
  CHECK(properties.multiProcessorCount == attribute(cudaDevAttrMultiProcessorCount));
  CHECK(properties.maxGridSize[0] == 2147483647 && properties.maxGridSize[1] == 65535);
  CHECK(properties.maxThreadsDim[2] == attribute(cudaDevAttrMaxBlockDimZ));
  CHECK(properties.sharedMemPerBlock == (size_t)attribute(cudaDevAttrMaxSharedMemoryPerBlock));
  CHECK(properties.totalGlobalMem > 0);
  CHECK(properties.memoryBusWidth == attribute(cudaDevAttrGlobalMemoryBusWidth));
  CHECK(properties.cooperativeLaunch == attribute(cudaDevAttrCooperativeLaunch));
  CHECK(properties.sharedMemPerBlockOptin == (size_t)attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  CHECK(properties.managedMemory == attribute(cudaDevAttrManagedMemory));
  EXPECT(cudaErrorInvalidDevice, cudaGetDeviceProperties(&properties, 99));
  EXPECT(cudaErrorInvalidValue, cudaDeviceGetAttribute(&count, (cudaDeviceAttr)9999, 0));
  char id[32];
  int same = -1;
  OK(cudaDeviceGetPCIBusId(id, sizeof(id), 0));
  OK(cudaDeviceGetByPCIBusId(&same, id));
  CHECK(same == 0);
  cudaDeviceProp wish = {};
  wish.major = 1;
  OK(cudaChooseDevice(&same, &wish));
  CHECK(same == 0);
  size_t limit = 0;
  OK(cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize));
  CHECK(limit == 8 << 20);
  OK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 2 << 20));
  OK(cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize));
  CHECK(limit >= 2 << 20);
  int can = 9;
  OK(cudaDeviceCanAccessPeer(&can, 0, 0));
  CHECK(can == 0);
  return failures != 0;
}
