// A fault in a kernel that another enqueued ends the launch, and what waits for it is not run.
//! kernel wild
//! options -cl-std=CL3.0
//! global 1
//! arg buffer int 1 expect(0)
//! launch-error KernelFault
kernel void wild(global int *out) {
  clk_event_t event;
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, 0, &event,
                 ^{ *(global int *)(size_t)(out[0] + 64) = 1; });
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &event, 0, ^{ *out = 1; });
}
