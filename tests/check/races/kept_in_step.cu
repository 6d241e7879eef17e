// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel turned
//! global 32
//! local 32
//! arg buffer int 32 fill(i)
//! arg buffer int 32 expect((i + 1) % 32)
// A warp exchanges numbers and counts on doing so in step. The result is that of a device, and it is a race.
extern "C" __global__ void turned(const int *from, int *to) {
  __shared__ int room[32];
  const int lane = threadIdx.x;
  const bool any = __any_sync(~0u, from[lane] != 0);
  room[lane] = from[lane];
#ifdef FIXED
  __syncwarp();
#endif
  const int next = room[(lane + 1) % 32]; //~ race of a read and a write: work-items 0-31 of work-group 0
  to[lane] = any ? next : -1;
}
