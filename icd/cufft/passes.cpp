// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cufft/run_pass.inc"

namespace us::cufft {
namespace {

template <class R> RunPass<R> choose() {
#if defined(US_CUFFT_WIDE)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return wide::runPass;
#endif
  return runPassOf<R>;
}

} // namespace

RunPass<float> runPassOfFloats() { return choose<float>(); }
RunPass<double> runPassOfDoubles() { return choose<double>(); }

} // namespace us::cufft
