// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: nvcc -arch=sm_86 --ptx %s -o %t && FileCheck %s < %t

// CHECK: .visible .entry warps(
extern "C" __global__ void warps(int *i, double *d, unsigned mask) {
  // CHECK: shfl.sync.down.b32
  i[1] = __shfl_down_sync(mask, i[0], 4);
  // CHECK: shfl.sync.bfly.b32
  // CHECK: shfl.sync.bfly.b32
  d[1] = __shfl_xor_sync(mask, d[0], 1, 16);
  // CHECK: vote.sync.ballot.b32
  i[2] = __ballot_sync(mask, i[3]);
  // CHECK: vote.sync.any.pred
  i[4] = __any_sync(mask, i[5]);
  // CHECK: match.any.sync.b32
  i[6] = __match_any_sync(mask, i[7]);
  // CHECK: match.all.sync.b64
  int all;
  i[8] = __match_all_sync(mask, d[2], &all);
  i[9] = all;
  // CHECK: activemask.b32
  i[10] = __activemask();
  // The value, then the mask: this parameter's register.
  // CHECK: ld.global.u32 [[VALUE:%r[0-9]+]]
  // CHECK: redux.sync.add.s32 {{%r[0-9]+}}, [[VALUE]], %r
  i[11] = __reduce_add_sync(mask, i[12]);
  // CHECK: bar.warp.sync
  __syncwarp();
  // CHECK: bar.sync 0
  __syncthreads();
  // CHECK: barrier.sync
  __barrier_sync(1);
  // CHECK: membar.gl
  __threadfence();
  // CHECK: nanosleep.u32
  __nanosleep(100);
}
