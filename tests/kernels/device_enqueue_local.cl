// Blocks with local arguments, whose sizes are given where they are enqueued; a barrier among their work-items.
//! kernel reverse
//! options -cl-std=CL3.0
//! global 3
//! arg buffer int 192 expect(i / 64 * 1000 + 63 - i % 64)
//! arg buffer int 4 expect(i == 0 ? 1 : i == 1 ? 1 : i == 2 ? -101 : 0)
//! arg buffer float 3 expect(i * 2)
kernel void reverse(global int *out, global int *seen, global float *sums) {
  int i = get_global_id(0);
  ndrange_t range = ndrange_1D(64, 64);
  void (^block)(local void *, local void *) = ^(local void *values, local void *more) {
    local int *numbers = values;
    local float *halves = more;
    int k = get_local_id(0);
    numbers[k] = i * 1000 + k;
    if (k < 4) halves[k] = i * 0.5f;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i * 64 + k] = numbers[63 - k];
    if (k == 0) sums[i] = halves[0] + halves[1] + halves[2] + halves[3];
  };
  int result = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, range, block, 64 * (uint)sizeof(int), 16u);
  if (result != CLK_SUCCESS) seen[3] = result;
  if (i == 0) {
    seen[0] = get_kernel_work_group_size(block) >= 64;
    seen[1] = get_kernel_preferred_work_group_size_multiple(block) > 0;
    // More local memory than any device has.
    seen[2] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, range, block, 1u << 31, 16u);
  }
}
