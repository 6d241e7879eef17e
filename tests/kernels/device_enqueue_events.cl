// Events on the device: kernels wait for user events, for other kernels and for markers; what fails is passed on.
//! kernel order
//! options -cl-std=CL3.0
//! global 1
//! arg buffer int 4 expect(i < 3 ? 3 - i : 0)
//! arg buffer int 12 expect(i == 5 ? -1 : i == 8 || i == 9 ? 1 : 0)
//! arg buffer ulong 2 expect(0)
kernel void order(global int *turns, global int *seen, global ulong *times) {
  queue_t queue = get_default_queue();
  ndrange_t one = ndrange_1D(1);
  clk_event_t gate = create_user_event(), first, second, marker, third;
  global int *turn = &seen[10];
  seen[0] = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &gate, &first, ^{ turns[2] = ++*turn; });
  seen[1] = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &first, &second, ^{ turns[1] = ++*turn; });
  clk_event_t both[2] = {first, second};
  seen[2] = enqueue_marker(queue, 2, both, &marker);
  seen[3] = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &marker, &third, ^{
    turns[0] = ++*turn;
    *turn = 0;
  });
  seen[4] = is_valid_event(gate) && is_valid_event(third) ? 0 : 1;
  seen[5] = enqueue_marker(queue, 0, 0, &marker) == CLK_SUCCESS ? 1 : -1;

  // What waits for a failed event is not run.
  clk_event_t bad = create_user_event(), after;
  seen[6] = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &bad, &after, ^{ turns[3] = 99; });
  seen[7] = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &after, 0, ^{ turns[3] = 99; });
  set_user_event_status(bad, -1);
  release_event(bad);
  release_event(after);
  seen[8] = !is_valid_event(bad);

  retain_event(gate);
  release_event(gate);
  set_user_event_status(gate, CL_COMPLETE);
  release_event(gate);
  seen[9] = !is_valid_event(gate) && is_valid_event(first);
  release_event(first);
  release_event(second);
  release_event(marker);
  release_event(third);
}
