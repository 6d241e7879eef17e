// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: nvcc --ptx -arch=sm_86 -o %t %s && FileCheck %s < %t
// What the device makes fast code of: indices in 64 bits from numbers that do not overflow, counters too; loops as they were
// written, those with barriers even where the count is known. A pragma has its way.

// CHECK-LABEL: .entry indices(
// CHECK: mad.lo.s32 [[ID:%r[0-9]+]]
// CHECK: cvt.s64.s32 %rd{{[0-9]+}}, [[ID]];
// CHECK: [[LOOP:\$L__BB[0-9_]+]]:
// CHECK-NOT: {{mul.wide|cvt}}
// CHECK: mul.lo.s64
// CHECK-NOT: {{mul.wide|cvt}}
// CHECK: ld.global.f32
// CHECK-NOT: ld.global.f32
// CHECK: bra.uni [[LOOP]];
extern "C" __global__ void indices(float *to, const float *from, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += from[i * n + x];
  to[x] = sum;
}

// CHECK-LABEL: .entry waits(
// CHECK: bar.sync
// CHECK-NOT: bar.sync
// CHECK: ret;
extern "C" __global__ void waits(int *values) {
  __shared__ int part[64];
  const int i = threadIdx.x;
  part[i] = values[i];
  for (int distance = 32; distance > 0; distance /= 2) {
    __syncthreads();
    if (i < distance) part[i] += part[i + distance];
  }
  values[i] = part[i];
}

// CHECK-LABEL: .entry asked(
// CHECK: bar.sync
// CHECK: bar.sync
// CHECK: bar.sync
// CHECK-NOT: bra
// CHECK: ret;
extern "C" __global__ void asked(int *values) {
  __shared__ int part[64];
  const int i = threadIdx.x;
#pragma unroll
  for (int step = 0; step < 3; ++step) {
    part[i] = values[i] + step;
    __syncthreads();
    values[i] += part[63 - i];
  }
}

// CHECK-LABEL: .entry unsigned_numbers(
// CHECK: mul.wide.u32
// CHECK: ret;
extern "C" __global__ void unsigned_numbers(int *values, unsigned a, unsigned b) { values[a * b] = 1; }

// More copies than are worth it: it stays a loop.
// CHECK-LABEL: .entry asked_for_too_much(
// CHECK: bar.sync
// CHECK-NOT: bar.sync
// CHECK: ret;
extern "C" __global__ void asked_for_too_much(int *values) {
  __shared__ int part[64];
  const int i = threadIdx.x;
#pragma unroll
  for (int step = 0; step < 2000; ++step) {
    part[i] = values[i] + step;
    __syncthreads();
    values[i] += part[63 - i];
  }
}
