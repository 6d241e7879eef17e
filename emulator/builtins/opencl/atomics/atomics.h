// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names that the atomic families share. The order of an _explicit form may be a run-time value: Clang emits a
// switch, which folds once the function is inlined. The scope needs no code: atomic instructions of the host are atomic
// for everybody.
#pragma once
#include "emulator/builtins/opencl/support.h"

#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
