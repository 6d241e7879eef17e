// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each host thread has of its own: the last error, the device, and what stands between <<< and >>>; and the
// primary contexts, which all threads share.
#pragma once

#include "icd/cudart/driver.h"

namespace us::cudart {

struct LaunchShape {
  dim3 grid, block;
  size_t sharedBytes;
  cudaStream_t stream;
};

/// Notes what a call returns as the thread's last error, and returns it.
/// "Note that cudaErrorNotReady is not considered an error and is therefore not reported" by cudaGetLastError().
cudaError_t noteError(cudaError_t error);
cudaError_t lastError();
void forgetLastError();

/// The device of the calling thread: that of the driver's current context if there is one, else what cudaSetDevice
/// chose.
cudaError_t currentDevice(int *device);
/// Makes the primary context of a device the calling thread's.
cudaError_t makeDeviceCurrent(int device);
/// Makes sure that the calling thread has a context: the driver's current one, whoever made it, or the primary context
/// of its device. What nearly every call does first.
cudaError_t useContext();
/// Resets the primary context of the thread's device: the next call makes a new one.
cudaError_t resetDevice();
/// The primary context of a device.
cudaError_t primaryContext(int device, CUcontext *context);

/// False: the launches that stand between <<< and >>> are nested too deeply.
bool pushLaunch(const LaunchShape &shape);
bool popLaunch(LaunchShape &shape);

/// While one lives, stream 0 of the thread's calls is its own default stream, not the one that all share.
class PerThreadDefaultStream {
public:
  PerThreadDefaultStream();
  ~PerThreadDefaultStream();
  PerThreadDefaultStream(const PerThreadDefaultStream &) = delete;
};
bool hasOwnDefaultStream();
/// What the driver is told for a stream.
CUstream streamOf(cudaStream_t stream);

} // namespace us::cudart
