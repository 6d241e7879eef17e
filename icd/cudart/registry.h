// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the program's objects hold for devices: images of device code, and the host's names for the kernels and
// variables in them. Objects make them known while they are loaded, before main; an image is given to the driver when
// something of it is used for the first time.
#pragma once

#include "icd/cudart/driver.h"

namespace us::cudart {

/// The kernel that the host knows by this address: that of the function which <<<>>> calls.
/// cudaErrorInvalidResourceHandle (before CUDA 13 cudaErrorInvalidDeviceFunction) if there is none; or what the driver
/// said of the image.
cudaError_t kernelOf(const void *hostFunction, CUkernel *kernel);
/// The same as a function of the calling thread's context, which must have one.
cudaError_t functionOf(const void *hostFunction, CUfunction *function);

/// A kernel that the program got of a library: "can be passed to cudaLaunchKernel" and what else takes a function.
void noteKernel(CUkernel kernel, CUlibrary library);
void forgetKernelsOf(CUlibrary library);

/// The address that the host knows a kernel by; null if it knows none.
const void *hostFunctionOf(CUkernel kernel);

struct Variable {
  CUdeviceptr address;
  size_t size;
};
/// The variable that the host knows by this address, in the calling thread's context. cudaErrorInvalidSymbol if there
/// is none.
cudaError_t variableOf(const void *hostVariable, Variable *variable);

/// The driver's reference of a texture that the host knows by this address, in the calling thread's context, and
/// whether integers are read as numbers from 0 or -1 to 1. cudaErrorInvalidTexture if there is none.
cudaError_t textureOf(const void *hostTexture, CUtexref *reference, bool *isNormalized);
/// cudaErrorInvalidSurface.
cudaError_t surfaceOf(const void *hostSurface, CUsurfref *reference);
/// How far a texture's memory begins behind what is aligned.
void noteOffset(const void *hostTexture, size_t offset);
cudaError_t offsetOf(const void *hostTexture, size_t *offset);

} // namespace us::cudart
