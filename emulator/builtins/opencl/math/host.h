// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f64 functions that for now come from the host's C library (emulator/builtins/host binds the names). glibc's are
// within the OpenCL limits for f64, but a call does not vectorise: each is to be replaced by one of ours.
#pragma once
#include "math/widths.h"

#define US_HOST1(NAME) __attribute__((const)) double us_host_##NAME(double x) __asm("us.host." #NAME);
#define US_HOST2(NAME) __attribute__((const)) double us_host_##NAME(double x, double y) __asm("us.host." #NAME);

US_HOST1(acos)
US_HOST1(acosh)
US_HOST1(asin)
US_HOST1(asinh)
US_HOST1(atan)
US_HOST2(atan2)
US_HOST1(atanh)
US_HOST1(cosh)
US_HOST1(erf)
US_HOST1(erfc)
US_HOST1(lgamma)
US_HOST1(sinh)
US_HOST1(tanh)
US_HOST1(tgamma)
