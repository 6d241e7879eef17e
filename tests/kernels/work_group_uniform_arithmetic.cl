// cl_khr_work_group_uniform_arithmetic: products, bits and truths of a work-group's values, whole and running.
//! kernel fold
//! options -cl-std=CL3.0
//! global 8
//! local 4
//! arg buffer int 8 expect(i % 4 == 0 ? 1 : i % 4 == 1 ? 2 : i % 4 == 2 ? 6 : 24)
//! arg buffer int 8 expect(i % 4 == 0 ? 1 : i % 4 == 1 ? 1 : i % 4 == 2 ? 2 : 6)
//! arg buffer int 8 expect(4)
//! arg buffer int 8 expect(0 + 7 * 1 + 10 * 1 + 1000)
#ifndef cl_khr_work_group_uniform_arithmetic
#error the macro is not defined
#endif
kernel void fold(global int *inclusive, global int *exclusive, global int *bits, global int *truths) {
  int i = get_global_id(0), one = get_local_id(0) + 1;
  inclusive[i] = work_group_scan_inclusive_mul(one);
  exclusive[i] = (int)work_group_scan_exclusive_mul((float)one);
  bits[i] = work_group_reduce_and(one) + work_group_reduce_xor((long)one);
  truths[i] = work_group_reduce_logical_and(one > 1) + 7 * work_group_reduce_logical_or(one > 3) +
              10 * work_group_reduce_logical_xor(one == 2) + (work_group_reduce_mul((ulong)one) == 24 ? 1000 : 0);
}
