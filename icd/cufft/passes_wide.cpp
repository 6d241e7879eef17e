// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cufft/run_pass.inc"

namespace us::cufft::wide {

void runPass(const Pass<float> &pass, size_t stride, const Complex<float> *from, Complex<float> *into) {
  runPassOf(pass, stride, from, into);
}
void runPass(const Pass<double> &pass, size_t stride, const Complex<double> *from, Complex<double> *into) {
  runPassOf(pass, stride, from, into);
}

} // namespace us::cufft::wide
