// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: nvcc --ptx -arch=sm_86 -o %t %s && FileCheck %s < %t
// 16 bytes are loaded as one where they are aligned, else in words that are. The optimizer makes one load of bytes that
// lie side by side, as cub's sort of bytes has them.

typedef signed char at1 __attribute__((ext_vector_type(16), aligned(1)));
typedef signed char at4 __attribute__((ext_vector_type(16), aligned(4)));
typedef signed char at16 __attribute__((ext_vector_type(16)));

// CHECK-LABEL: .entry of_bytes(
// CHECK-NOT: ld.global.v
// CHECK-COUNT-16: ld.global.u8
// CHECK: st.global
extern "C" __global__ void of_bytes(at16 *to, const signed char *from) {
  *to = *reinterpret_cast<const at1 *>(from + 19 * threadIdx.x + 3);
}

// CHECK-LABEL: .entry of_words(
// CHECK-NOT: ld.global.v
// CHECK-COUNT-4: ld.global.u32
// CHECK: st.global
extern "C" __global__ void of_words(at16 *to, const signed char *from) {
  *to = *reinterpret_cast<const at4 *>(from + 20 * threadIdx.x + 4);
}

// CHECK-LABEL: .entry aligned(
// CHECK: ld.global.v4.u32
extern "C" __global__ void aligned(at16 *to, const at16 *from) { *to = from[threadIdx.x + 1]; }
