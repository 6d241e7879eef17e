// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By this symbol another copy of us, which looks for a real driver, knows that this is none
// (runtime/forward/loader/cuda_driver.h).
extern "C" __attribute__((visibility("default"))) const char cuUnderstudy[] = "Understudy";
