// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: nvcc -arch=sm_86 -g -G --ptx %s -o %t && FileCheck --check-prefix=DEBUG %s < %t
// RUN: nvcc -arch=sm_86 -lineinfo --ptx %s -o %t && FileCheck --check-prefix=LINES %s < %t
// RUN: nvcc -arch=sm_86 --ptx %s -o %t && FileCheck --check-prefix=PLAIN %s < %t
// DEBUG: .target sm_86, debug
// DEBUG: .loc
// DEBUG: .section{{.*}}.debug_info
// LINES-NOT: debug_info
// LINES: .loc
// PLAIN-NOT: .loc
extern "C" __global__ void kernel(int *out) { out[0] = out[1] + 1; }
