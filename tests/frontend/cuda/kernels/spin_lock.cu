// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All lanes of a warp take the same lock, one after the other; warp votes and matches beside it.
extern "C" __global__ void spin_lock(int *lock, volatile int *counter) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *counter = *counter + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
extern "C" __global__ void votes(unsigned int *results) {
  const int lane = threadIdx.x % warpSize;
  unsigned int *mine = results + 8 * threadIdx.x;
  mine[0] = __ballot_sync(0xffffffffu, lane % 3 == 0);
  mine[1] = __all_sync(0xffffffffu, lane < 32) + 2 * __any_sync(0xffffffffu, lane == 31);
  mine[2] = __match_any_sync(0xffffffffu, lane / 4);
  int all = 0;
  mine[3] = __match_all_sync(0xffffffffu, 7.0, &all) + all;
  mine[4] = __reduce_add_sync(0xffffffffu, (unsigned)lane);
  mine[5] = lane < 10 ? __popc(__activemask()) : 0;
  mine[6] = __shfl_xor_sync(0xffffffffu, lane, 5);
  mine[7] = (unsigned int)__shfl_sync(0xffffffffu, (double)lane * 2.0, 3, 8);
}
