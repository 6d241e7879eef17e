// A block that enqueues the block again, two thousand deep: the queue has room again for what has been run.
//! kernel start
//! options -cl-std=CL3.0
//! global 1
//! arg queue 2048
//! arg buffer int 2 expect(i == 0 ? 2000 : 0)
void next(queue_t queue, global int *counts, int left) {
  if (left == 0) return;
  int result = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
    ++counts[0];
    next(get_default_queue(), counts, left - 1);
  });
  if (result != CLK_SUCCESS) counts[1] = result;
}
kernel void start(queue_t queue, global int *counts) { next(queue, counts, 2000); }
