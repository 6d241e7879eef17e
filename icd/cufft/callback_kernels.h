// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels, in PTX, that call a callback for each of a transform's numbers: load callbacks give numbers that follow one
// another, which the transform begins with, store callbacks get those that it ends with. Needs nothing but the C
// library: the archive that programs are linked with has it, too.
#pragma once

#include "icd/cuda/include/cufftXt.h"

#include <cstddef>
#include <cstdint>

namespace us::cufft {

/// What is said of the numbers that callbacks of a type load or store.
struct CallbackType {
  const char *kernel;  ///< the name of the kernel that calls them
  const char *unnamed; ///< what a callback is called that is set without a name
  const char *mangled; ///< what follows the name of one in the name that a compiler of C++ makes of it
  bool isStore, isReal, isDouble;
};
constexpr int kCallbackTypes = CUFFT_CB_UNDEFINED;
extern const CallbackType kCallbackTypeTable[kCallbackTypes]; ///< by cufftXtCallbackType

/// Null: there is no such type.
inline const CallbackType *callbackTypeOf(int type) {
  return type < 0 || type >= kCallbackTypes ? nullptr : &kCallbackTypeTable[type];
}

/// The only parameter of a kernel. Number i of those that follow one another is, from the last dimension on, at
/// i % sizes[2] * strides[2] + i / sizes[2] % sizes[1] * strides[1] and so on; what is left counts distances.
/// Dimensions of one number cost nothing.
struct CallbackArguments {
  void *data;     ///< the caller's numbers
  void *numbers;  ///< those that follow one another
  void *info;     ///< the caller's
  uint64_t count; ///< of numbers
  uint64_t sizes[3], strides[3], distance;
  void *routine; ///< whom to call; not looked at by a kernel that calls one by name
};

/// Room for the text of a kernel, or of all of them.
constexpr size_t kKernelText = 4096;

/// The beginning of a text with kernels in it; they are appended.
size_t beginKernels(char *text, size_t room);
/// Appends a kernel to a text of `size` characters: it calls the function of that name, which another text has, or, if
/// it is null, what the arguments say. The size then.
size_t appendKernel(char *text, size_t room, size_t size, int type, const char *function);

} // namespace us::cufft
