// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device code that is compiled by itself (NVRTC) has in the place of the host's C and C++ headers, which it does
// not see: few names, because such sources bring what they miss of the standard library themselves.
#pragma once

#include "../crt/host_defines.h"
#include "../nv/target"

#include <stddef.h>

// NVRTC has the functions of these headers built in; as they come with CUDA they bring them if they are told to
// (the compiler makes one function of several copies).
#define __FORCE_INCLUDE_CUDA_FP16_HPP_FROM_FP16_H__ 1
#define __FORCE_INCLUDE_CUDA_BF16_HPP_FROM_BF16_H__ 1
#define __FORCE_INCLUDE_CUDA_FP8_HPP_FROM_FP8_H__ 1

#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4

// "clock_t clock()": a counter of the multiprocessor.
using clock_t = long;

// Clang's header of overloads asks this of the types that they take.
namespace std {
template <class T> struct us_numeric_limits {
  static constexpr bool is_specialized = __is_integral(T) || __is_floating_point(T), is_integer = __is_integral(T);
};
} // namespace std

// "When code is compiled with assertions, a thread for which the condition is zero stops the kernel."
#ifndef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition)                                                                                              \
  ((condition) ? (void)0 : __assertfail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__, sizeof(char)))
#endif
#endif

extern "C" __device__ void *malloc(size_t) __attribute__((nothrow, malloc));
extern "C" __device__ void free(void *) __attribute__((nothrow));
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Winline-new-delete"
__device__ inline void *operator new(size_t size) { return ::malloc(size == 0 ? 1 : size); }
__device__ inline void *operator new[](size_t size) { return ::malloc(size == 0 ? 1 : size); }
__device__ inline void *operator new(size_t, void *place) noexcept { return place; }
__device__ inline void *operator new[](size_t, void *place) noexcept { return place; }
__device__ inline void operator delete(void *p) noexcept { ::free(p); }
__device__ inline void operator delete[](void *p) noexcept { ::free(p); }
__device__ inline void operator delete(void *p, size_t) noexcept { ::free(p); }
__device__ inline void operator delete[](void *p, size_t) noexcept { ::free(p); }
__device__ inline void operator delete(void *, void *) noexcept {}
__device__ inline void operator delete[](void *, void *) noexcept {}
#pragma clang diagnostic pop

// "--builtin-move-forward", "--builtin-initializer-list": there without a header.
#if __cplusplus >= 201103L
namespace std {
#ifndef UNDERSTUDY_NO_MOVE_FORWARD
template <class T> constexpr __host__ __device__ __remove_reference_t(T) &&move(T &&value) noexcept {
  return static_cast<__remove_reference_t(T) &&>(value);
}
template <class T> constexpr __host__ __device__ T &&forward(__remove_reference_t(T) &value) noexcept {
  return static_cast<T &&>(value);
}
template <class T> constexpr __host__ __device__ T &&forward(__remove_reference_t(T) &&value) noexcept {
  return static_cast<T &&>(value);
}
#endif
#ifndef UNDERSTUDY_NO_INITIALIZER_LIST
#define __NV_BUILTIN_INITIALIZER_LIST 1 /* libcu++ asks */
template <class T> class initializer_list {
public:
  using value_type = T;
  using reference = const T &;
  using const_reference = const T &;
  using size_type = size_t;
  using iterator = const T *;
  using const_iterator = const T *;
  constexpr __host__ __device__ initializer_list() noexcept : first_(nullptr), size_(0) {}
  constexpr __host__ __device__ size_t size() const noexcept { return size_; }
  constexpr __host__ __device__ const T *begin() const noexcept { return first_; }
  constexpr __host__ __device__ const T *end() const noexcept { return first_ + size_; }

private:
  const T *first_;
  size_t size_;
};
#endif
} // namespace std
#endif
