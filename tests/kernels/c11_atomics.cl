//! kernel count
//! options -cl-std=CL3.0
//! global 1000
//! arg buffer int 2 fill(i * 5) expect(i == 0 ? 1000 : 999)
kernel void count(global atomic_int *counters) {
  atomic_fetch_add_explicit(&counters[0], 1, memory_order_relaxed, memory_scope_device);
  int expected = atomic_load_explicit(&counters[1], memory_order_acquire, memory_scope_device);
  int mine = get_global_id(0);
  while (mine > expected &&
         !atomic_compare_exchange_weak_explicit(&counters[1], &expected, mine, memory_order_acq_rel,
                                                memory_order_acquire, memory_scope_device))
    ;
}
