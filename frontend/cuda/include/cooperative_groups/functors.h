// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What reductions and scans combine values with.
#pragma once

namespace cooperative_groups {
namespace __v1 {

#define US_CG_FUNCTOR(name, expression)                                                                                \
  template <class T> struct name {                                                                                     \
    __device__ __forceinline__ T operator()(T a, T b) const { return expression; }                                     \
  };
US_CG_FUNCTOR(plus, a + b)
US_CG_FUNCTOR(less, b < a ? b : a)
US_CG_FUNCTOR(greater, a < b ? b : a)
US_CG_FUNCTOR(bit_and, a &b)
US_CG_FUNCTOR(bit_or, a | b)
US_CG_FUNCTOR(bit_xor, a ^ b)
#undef US_CG_FUNCTOR

} // namespace __v1
using namespace __v1;
} // namespace cooperative_groups
