// cl_khr_kernel_clock: it never goes back; and cl_khr_expect_assume changes nothing.
//! kernel clocks
//! options -cl-std=CL3.0
//! global 8
//! arg buffer int 8 expect(3)
#if !defined(cl_khr_kernel_clock) || !defined(__opencl_c_kernel_clock_scope_device) ||                                \
    !defined(__opencl_c_kernel_clock_scope_work_group) || !defined(__opencl_c_kernel_clock_scope_sub_group)
#error the macros are not defined
#endif
kernel void clocks(global int *out) {
  ulong device = clock_read_device(), group = clock_read_work_group(), lanes = clock_read_sub_group();
  ulong later = clock_read_device();
  int good = (later >= device) + (clock_read_work_group() >= group) + (clock_read_sub_group() >= lanes);
  __builtin_assume(good >= 0);
  out[get_global_id(0)] = __builtin_expect(good == 3, 1) ? good : 0;
}
