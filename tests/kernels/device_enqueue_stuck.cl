// A kernel that waits for an event that nothing sets is an error, not a hang.
//! kernel stuck
//! options -cl-std=CL3.0
//! global 1
//! arg buffer int 1
//! launch-error KernelDeadlock
kernel void stuck(global int *out) {
  clk_event_t gate = create_user_event();
  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &gate, 0, ^{ *out = 1; });
}
