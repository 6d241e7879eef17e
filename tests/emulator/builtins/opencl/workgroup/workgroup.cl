// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-item and work-group functions, called by every work-item of thread_machine, for workgroup_test.cpp.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define ID get_local_linear_id()
#define REDUCE(T, OPERATION)                                                                                           \
  void reduce_##OPERATION##_##T(global T *in, global T *out) { out[ID] = work_group_reduce_##OPERATION(in[ID]); }      \
  void inclusive_##OPERATION##_##T(global T *in, global T *out) {                                                      \
    out[ID] = work_group_scan_inclusive_##OPERATION(in[ID]);                                                           \
  }                                                                                                                    \
  void exclusive_##OPERATION##_##T(global T *in, global T *out) {                                                      \
    out[ID] = work_group_scan_exclusive_##OPERATION(in[ID]);                                                           \
  }
#define TYPE(T)                                                                                                        \
  REDUCE(T, add)                                                                                                       \
  REDUCE(T, min)                                                                                                       \
  REDUCE(T, max)                                                                                                       \
  void broadcast_##T(global T *in, ulong i, ulong j, ulong k, uint dimensions, global T *out) {                        \
    T x = in[ID];                                                                                                      \
    if (dimensions == 1)                                                                                               \
      out[ID] = work_group_broadcast(x, i);                                                                            \
    else if (dimensions == 2)                                                                                          \
      out[ID] = work_group_broadcast(x, i, j);                                                                         \
    else                                                                                                               \
      out[ID] = work_group_broadcast(x, i, j, k);                                                                      \
  }
TYPE(int)
TYPE(uint)
TYPE(long)
TYPE(ulong)
TYPE(half)
TYPE(float)
TYPE(double)

void votes(global int *in, global int *out) {
  out[2 * ID] = work_group_all(in[ID]);
  out[2 * ID + 1] = work_group_any(in[ID]);
}

// Several collectives in a row must not disturb each other.
void sequence(global int *in, global int *out) {
  int sum = work_group_reduce_add(in[ID]);
  int least = work_group_reduce_min(in[ID]);
  out[ID] = work_group_scan_inclusive_add(work_group_broadcast(sum - least, 0, 0, 0)) + sum;
}

// What each query gives for dimensions 0, 1, 2 and one that does not exist.
void queries(global ulong *out) {
  out += 48 * ID;
  for (uint d = 0; d < 4; ++d) {
    out[d] = get_global_id(d);
    out[4 + d] = get_local_id(d);
    out[8 + d] = get_group_id(d);
    out[12 + d] = get_global_offset(d);
    out[16 + d] = get_global_size(d);
    out[20 + d] = get_local_size(d);
    out[24 + d] = get_enqueued_local_size(d);
    out[28 + d] = get_num_groups(d);
  }
  out[32] = get_global_linear_id();
  out[33] = get_local_linear_id();
  out[34] = get_work_dim();
  out[35] = get_sub_group_size();
  out[36] = get_max_sub_group_size();
  out[37] = get_num_sub_groups();
  out[38] = get_enqueued_num_sub_groups();
  out[39] = get_sub_group_id();
  out[40] = get_sub_group_local_id();
}

#define COPY(T)                                                                                                        \
  void copy_##T(global T *in, local T *buffer, global T *out, ulong n, ulong stride) {                                 \
    event_t first = async_work_group_copy(buffer, (const global T *)in, n, 0);                                         \
    event_t same = async_work_group_copy(out, (const local T *)buffer, 0, first);                                      \
    wait_group_events(1, &same);                                                                                       \
    event_t back = async_work_group_strided_copy(out, (const local T *)buffer, n, stride, 0);                          \
    wait_group_events(1, &back);                                                                                       \
    if (ID < n) buffer[ID] = (T)0;                                                                                     \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    event_t again = async_work_group_strided_copy(buffer, (const global T *)out, n, stride, 0);                        \
    wait_group_events(1, &again);                                                                                      \
    prefetch(in, n);                                                                                                   \
  }
COPY(char)
COPY(int)
COPY(double)
COPY(float3)
COPY(long16)

void clocks(global ulong *out) {
  out[0] = clock_read_device();
  out[1] = clock_read_work_group();
  out[2] = clock_read_sub_group();
  out[3] = as_ulong(clock_read_hilo_device());
  out[4] = as_ulong(clock_read_hilo_work_group());
  out[5] = as_ulong(clock_read_hilo_sub_group());
}
