// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices of tensor cores: the device has none.
#error                                                                                                                 \
    "mma.h: Understudy's device has no tensor cores (wmma, mma and ldmatrix are not supported); write the product with ordinary arithmetic"
