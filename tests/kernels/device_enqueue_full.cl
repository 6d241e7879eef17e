// A full queue takes nothing and says so; what it took is run. A queue that is none takes nothing.
//! kernel fill
//! options -cl-std=CL3.0
//! global 1
//! arg queue 1024
//! arg buffer int 3 expect(i == 2 ? -101 : 1)
kernel void fill(queue_t queue, global int *seen) {
  int taken = 0;
  for (int i = 0; i < 1000; ++i) {
    int result = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ seen[0] = 1; });
    if (result == CLK_SUCCESS) ++taken;
    else seen[2] = result;
  }
  seen[1] = taken > 1 && taken < 10;
}
