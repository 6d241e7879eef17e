// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the mathematical libraries share: work of the host on a stream, over memory of the device. That is in reach of
// the host where the device is emulated, which is tried out, not asked. Of the driver only CUDA's own functions are
// called.
#pragma once

#include "icd/cuda/include/cuda.h"

#include <functional>
#include <memory>

namespace us::math {

/// Writes a sentence to standard error: libraries of CUDA have no other place for what a status does not say.
[[gnu::format(printf, 2, 3)]] void say(const char *function, const char *format, ...);

/// What a handle has: the context that it was made in, and a stream.
class Session {
public:
  CUstream stream = nullptr;

  /// Takes the current context, or makes the first device's the current one. A real device's, whose memory the host
  /// cannot reach, is CUDA_ERROR_NOT_SUPPORTED; that is said.
  CUresult start(const char *function);
  /// The same with the primary context of a device, which does not become the current one.
  CUresult startOn(const char *function, int device);

  /// Does the work when the stream gets to it: at each launch of the graph if the stream is being captured. Then, or if
  /// not told to wait, it returns before.
  CUresult run(std::function<void()> work, bool wait = false) const;
  CUresult synchronize() const;

  /// The device of the context, and how many there are.
  CUresult where(int *device, int *count) const;

  /// Are these bytes of an allocation that the driver knows, or of several without a gap?
  static bool reaches(const void *pointer, size_t bytes);

  /// Memory of the device, which the host reaches too.
  CUresult allocate(void **memory, size_t bytes) const;
  static CUresult release(void *memory);

  /// The same when the stream gets there: a graph's allocations if it is being captured.
  CUresult allocateOnStream(void **memory, size_t bytes) const;
  CUresult releaseOnStream(void *memory) const;

  /// Device code in the context: PTX, or another image that the driver takes.
  CUresult load(const void *image, CUmodule *module) const;
  CUresult find(CUmodule module, const char *name, CUfunction *kernel) const;
  CUresult unload(CUmodule module) const;
  /// Starts blocks of a kernel with one parameter, a structure.
  CUresult launch(CUfunction kernel, unsigned blocks, unsigned threads, unsigned sharedBytes, void *parameter) const;
  /// As in sm_86.
  CUresult architecture(int *number) const;

  /// Between memory of any kind: rows of so many bytes, each so far behind the one before.
  CUresult copy(const void *from, size_t fromPitch, void *into, size_t intoPitch, size_t width, size_t rows) const;
  CUresult copyAsync(const void *from, size_t fromPitch, void *into, size_t intoPitch, size_t width, size_t rows,
                     CUstream on) const;

private:
  CUcontext context_ = nullptr;
};

/// Handles that are alive, so that others are told apart.
void addHandle(const void *handle);
bool isHandle(const void *handle);
bool removeHandle(const void *handle);

/// Makes what a handle stands for, whose session starts, for a call of `function`. As Session::start(), and if that is
/// no success there is no handle.
template <class Context> CUresult makeHandle(Context **handle, const char *function) {
  auto made = std::make_unique<Context>();
  if (const CUresult result = made->session.start(function); result != CUDA_SUCCESS) return result;
  addHandle(made.get());
  *handle = made.release();
  return CUDA_SUCCESS;
}
/// False: that is none. Work that is under way holds nothing of a handle.
template <class Context> bool endHandle(Context *handle) {
  if (!removeHandle(handle)) return false;
  delete handle;
  return true;
}

} // namespace us::math
