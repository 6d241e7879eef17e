// cl_ext_float_atomics: sums, least and largest of floats, doubles and halves, in global and local memory.
//! kernel fold
//! options -cl-std=CL3.0
//! global 64
//! local 16
//! arg buffer float 3 expect(i == 0 ? 2016 : i == 1 ? -63 : 63)
//! arg buffer double 3 expect(i == 0 ? 1008 : i == 1 ? -63 : 63)
//! arg buffer float 4 expect(16 * 1.5)
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#if !defined(cl_ext_float_atomics) || !defined(__opencl_c_ext_fp32_global_atomic_add) ||                               \
    !defined(__opencl_c_ext_fp64_global_atomic_min_max) || !defined(__opencl_c_ext_fp16_local_atomic_add)
#error the macros are not defined
#endif
kernel void fold(global float *singles, global double *doubles, global float *groups) {
  int i = get_global_id(0);
  atomic_fetch_add_explicit((volatile global atomic_float *)&singles[0], (float)i, memory_order_relaxed);
  atomic_fetch_min_explicit((volatile global atomic_float *)&singles[1], (float)-i, memory_order_relaxed);
  atomic_fetch_max_explicit((volatile global atomic_float *)&singles[2], (float)i, memory_order_relaxed);
  atomic_fetch_add_explicit((volatile global atomic_double *)&doubles[0], i * 0.5, memory_order_relaxed);
  atomic_fetch_min_explicit((volatile global atomic_double *)&doubles[1], (double)-i, memory_order_relaxed);
  atomic_fetch_max_explicit((volatile global atomic_double *)&doubles[2], (double)i, memory_order_relaxed);
  local atomic_half sum;
  if (get_local_id(0) == 0) atomic_store_explicit(&sum, (half)0, memory_order_relaxed);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_fetch_add_explicit(&sum, (half)1.5, memory_order_relaxed);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) groups[get_group_id(0)] = (float)atomic_load_explicit(&sum, memory_order_relaxed);
}
