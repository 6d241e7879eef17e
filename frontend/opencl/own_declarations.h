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

} // namespace us::frontend::opencl
