// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaError_t: the numbers that the device runtime gives, and what it can say of others.
#pragma once

#include <cstdint>

namespace us::cuda {

enum RuntimeError : uint64_t {
  kSuccess = 0,
  kInvalidValue = 1,
  kMemoryAllocation = 2,
  kInvalidConfiguration = 9,
  kInvalidMemcpyDirection = 21,
  kLaunchMaxDepthExceeded = 65,
  kSyncDepthExceeded = 68,
  kLaunchPendingCountExceeded = 69,
  kInvalidDeviceFunction = 98,
  kInvalidDevice = 101,
  kInvalidResourceHandle = 400,
  kUnknown = 999
};

struct RuntimeErrorText {
  uint64_t error;
  const char *name, *sentence;
};
inline constexpr RuntimeErrorText kRuntimeErrors[] = {
    {kSuccess, "cudaSuccess", "no error"},
    {kInvalidValue, "cudaErrorInvalidValue", "an argument has a value that is not allowed"},
    {kMemoryAllocation, "cudaErrorMemoryAllocation", "there is no memory left"},
    {kInvalidConfiguration, "cudaErrorInvalidConfiguration", "the device cannot launch a grid of that shape"},
    {kInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection", "there is no such direction of copies"},
    {kLaunchMaxDepthExceeded, "cudaErrorLaunchMaxDepthExceeded", "launches are nested too deep"},
    {kSyncDepthExceeded, "cudaErrorSyncDepthExceeded", "a grid that is nested so deep cannot wait for others"},
    {kLaunchPendingCountExceeded, "cudaErrorLaunchPendingCountExceeded", "too many launches are not complete yet"},
    {kInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "that is no kernel of the module"},
    {kInvalidDevice, "cudaErrorInvalidDevice", "there is no device of that number"},
    {kInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "that is no stream and no event"},
    {600, "cudaErrorNotReady", "the work is not complete yet"},
    {700, "cudaErrorIllegalAddress", "a kernel used an address where there is no memory"},
    {701, "cudaErrorLaunchOutOfResources", "the launch needs more than there is"},
    {702, "cudaErrorLaunchTimeout", "the kernel ran too long"},
    {719, "cudaErrorLaunchFailure", "the kernel failed"},
    {800, "cudaErrorNotPermitted", "that is not permitted"},
    {801, "cudaErrorNotSupported", "that is not supported"},
    {kUnknown, "cudaErrorUnknown", "an unknown error"},
};

} // namespace us::cuda
