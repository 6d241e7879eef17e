// An event that goes nowhere is a fault of the kernel that says so; what it had enqueued is not run.
//! kernel wild
//! options -cl-std=CL3.0
//! global 1
//! arg buffer int 1 expect(0)
//! launch-error KernelFault
kernel void wild(global int *out) {
  clk_event_t *nowhere = (clk_event_t *)(size_t)(out[0] + 64);
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, 0, nowhere, ^{ *out = 1; });
}
