// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builtin functions that Clang's table of them does not have.
#pragma once

namespace us::frontend::opencl {

/// cl_khr_work_group_uniform_arithmetic, from OpenCL C 2.0 on.
inline constexpr char kWorkGroupArithmetic[] = R"(
#define __us_declare(T, operation) \
  T __attribute__((overloadable, convergent)) work_group_reduce_##operation(T); \
  T __attribute__((overloadable, convergent)) work_group_scan_inclusive_##operation(T); \
  T __attribute__((overloadable, convergent)) work_group_scan_exclusive_##operation(T);
#define __us_integers(operation) \
  __us_declare(int, operation) __us_declare(uint, operation) __us_declare(long, operation) __us_declare(ulong, operation)
__us_integers(and) __us_integers(or) __us_integers(xor) __us_integers(mul)
__us_declare(int, logical_and) __us_declare(int, logical_or) __us_declare(int, logical_xor)
__us_declare(float, mul)
#ifdef cl_khr_fp64
__us_declare(double, mul)
#endif
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__us_declare(half, mul)
#pragma OPENCL EXTENSION cl_khr_fp16 : disable
#endif
#undef __us_declare
#undef __us_integers
)";

/// cl_khr_extended_async_copies and cl_khr_async_work_group_copy_fence: for programs that name such a function.
inline constexpr char kAsyncCopies[] = R"(
#define __us_function __attribute__((overloadable, convergent))
#ifdef cl_khr_extended_async_copies
#define __us_copies(TO, FROM) \
  event_t __us_function async_work_group_copy_2D2D(TO void *, size_t, const FROM void *, size_t, size_t, size_t, \
                                                   size_t, size_t, size_t, event_t); \
  event_t __us_function async_work_group_copy_3D3D(TO void *, size_t, const FROM void *, size_t, size_t, size_t, \
                                                   size_t, size_t, size_t, size_t, size_t, size_t, event_t);
__us_copies(local, global) __us_copies(global, local)
#undef __us_copies
#endif
#ifdef cl_khr_async_work_group_copy_fence
void __us_function async_work_group_copy_fence(cl_mem_fence_flags);
#endif
#undef __us_function
)";

/// cl_intel_subgroups, _short, _char, _long, cl_intel_subgroup_local_block_io. Reading them takes a millisecond: for
/// programs that name such a function.
inline constexpr char kIntelSubGroups[] = R"(
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define __us_function __attribute__((overloadable, convergent))
#define __us_shuffles(T) \
  T __us_function intel_sub_group_shuffle(T, uint); \
  T __us_function intel_sub_group_shuffle_xor(T, uint); \
  T __us_function intel_sub_group_shuffle_up(T, T, uint); \
  T __us_function intel_sub_group_shuffle_down(T, T, uint);
#define __us_widths(T) \
  __us_shuffles(T) __us_shuffles(T##2) __us_shuffles(T##3) __us_shuffles(T##4) __us_shuffles(T##8) __us_shuffles(T##16)
__us_widths(char) __us_widths(uchar) __us_widths(short) __us_widths(ushort)
__us_widths(int) __us_widths(uint) __us_widths(float) __us_shuffles(long) __us_shuffles(ulong)
#ifdef cl_khr_fp16
__us_shuffles(half)
#endif
#ifdef cl_khr_fp64
__us_shuffles(double)
#endif
#if defined(__IMAGE_SUPPORT__) && defined(__opencl_c_read_write_images)
#define __us_both_ways(T, ending) \
  T __us_function intel_sub_group_block_read##ending(read_write image2d_t, int2); \
  void __us_function intel_sub_group_block_write##ending(read_write image2d_t, int2, T);
#else
#define __us_both_ways(T, ending)
#endif
#ifdef __IMAGE_SUPPORT__
#define __us_images(T, ending) \
  T __us_function intel_sub_group_block_read##ending(read_only image2d_t, int2); \
  void __us_function intel_sub_group_block_write##ending(write_only image2d_t, int2, T); \
  __us_both_ways(T, ending)
#else
#define __us_images(T, ending)
#endif
#define __us_memory(A, T, TN, ending) \
  TN __us_function intel_sub_group_block_read##ending(const A T *); \
  void __us_function intel_sub_group_block_write##ending(A T *, TN);
#ifdef cl_intel_subgroup_local_block_io
#define __us_local(T, TN, ending) __us_memory(local, T, TN, ending)
#else
#define __us_local(T, TN, ending)
#endif
#define __us_form(T, TN, ending) \
  __us_memory(global, T, TN, ending) __us_local(T, TN, ending) __us_images(TN, ending)
#define __us_block(T, N, ending) __us_form(T, T##N, ending##N)
#define __us_blocks(T, ending) \
  __us_form(T, T, ending) __us_block(T, 2, ending) __us_block(T, 4, ending) __us_block(T, 8, ending)
__us_blocks(uint, ) __us_blocks(uint, _ui) __us_blocks(ulong, _ul)
__us_blocks(ushort, _us) __us_block(ushort, 16, _us) __us_blocks(uchar, _uc) __us_block(uchar, 16, _uc)
#define intel_sub_group_broadcast sub_group_broadcast
#define intel_sub_group_reduce_add sub_group_reduce_add
#define intel_sub_group_reduce_min sub_group_reduce_min
#define intel_sub_group_reduce_max sub_group_reduce_max
#define intel_sub_group_scan_exclusive_add sub_group_scan_exclusive_add
#define intel_sub_group_scan_exclusive_min sub_group_scan_exclusive_min
#define intel_sub_group_scan_exclusive_max sub_group_scan_exclusive_max
#define intel_sub_group_scan_inclusive_add sub_group_scan_inclusive_add
#define intel_sub_group_scan_inclusive_min sub_group_scan_inclusive_min
#define intel_sub_group_scan_inclusive_max sub_group_scan_inclusive_max
#undef __us_function
#undef __us_shuffles
#undef __us_widths
#undef __us_both_ways
#undef __us_images
#undef __us_memory
#undef __us_local
#undef __us_form
#undef __us_block
#undef __us_blocks
)";

} // namespace us::frontend::opencl
