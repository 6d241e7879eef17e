// Bits that are no queue are refused, wherever they point; the kernel goes on.
//! kernel wild
//! options -cl-std=CL3.0
//! global 1
//! arg buffer int 4 expect(i < 3 ? -101 : 1)
int enqueueOn(ulong bits, global int *out) {
  queue_t queue = *(queue_t *)&bits;
  return enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ *out = 0; });
}
kernel void wild(global int *out) {
  ulong words[4] = {1, 1, 1, 1};
  out[0] = enqueueOn(64, out);
  out[1] = enqueueOn((ulong)out + 8, out);
  out[2] = enqueueOn((ulong)words, out);
  out[3] = words[0] == 1;
}
