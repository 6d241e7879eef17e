// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sub-group functions, called by every work-item of thread_machine, for subgroup_test.cpp. `take` says which work-items
// take the branch with the non-uniform function; the others call the same function in the other branch, with other
// values.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define ID get_local_linear_id()
#define UNIFORM(T, NAME)                                                                                               \
  void sg_##NAME##_##T(global T *in, global T *out) {                                                                  \
    out[3 * ID] = sub_group_reduce_##NAME(in[ID]);                                                                     \
    out[3 * ID + 1] = sub_group_scan_inclusive_##NAME(in[ID]);                                                         \
    out[3 * ID + 2] = sub_group_scan_exclusive_##NAME(in[ID]);                                                         \
  }
#define NON_UNIFORM(T, NAME)                                                                                           \
  void nu_##NAME##_##T(global T *in, global int *take, global T *out) {                                                \
    if (take[ID]) {                                                                                                    \
      out[3 * ID] = sub_group_non_uniform_reduce_##NAME(in[ID]);                                                       \
      out[3 * ID + 1] = sub_group_non_uniform_scan_inclusive_##NAME(in[ID]);                                           \
      out[3 * ID + 2] = sub_group_non_uniform_scan_exclusive_##NAME(in[ID]);                                           \
    } else {                                                                                                           \
      T other = in[ID] + (T)1;                                                                                         \
      out[3 * ID] = sub_group_non_uniform_reduce_##NAME(other);                                                        \
      out[3 * ID + 1] = sub_group_non_uniform_scan_inclusive_##NAME(other);                                            \
      out[3 * ID + 2] = sub_group_non_uniform_scan_exclusive_##NAME(other);                                            \
    }                                                                                                                  \
  }                                                                                                                    \
  void clustered_##NAME##_##T(global T *in, uint size, global T *out) {                                                \
    out[ID] = sub_group_clustered_reduce_##NAME(in[ID], size);                                                         \
  }
#define ARITHMETIC(T)                                                                                                  \
  UNIFORM(T, add)                                                                                                      \
  UNIFORM(T, min)                                                                                                      \
  UNIFORM(T, max)                                                                                                      \
  NON_UNIFORM(T, add)                                                                                                  \
  NON_UNIFORM(T, mul)                                                                                                  \
  NON_UNIFORM(T, min)                                                                                                  \
  NON_UNIFORM(T, max)                                                                                                  \
  void lanes_##T(global T *in, uint k, global T *out) {                                                                \
    T x = in[ID];                                                                                                      \
    out += 10 * ID;                                                                                                    \
    out[0] = sub_group_broadcast(x, k);                                                                                \
    out[1] = sub_group_broadcast_first(x);                                                                             \
    out[2] = sub_group_shuffle(x, (get_sub_group_local_id() * 7 + k) % 32);                                            \
    out[3] = sub_group_shuffle_xor(x, k);                                                                              \
    out[4] = sub_group_shuffle_up(x, k);                                                                               \
    out[5] = sub_group_shuffle_down(x, k);                                                                             \
    out[6] = sub_group_rotate(x, k);                                                                                   \
    out[7] = sub_group_clustered_rotate(x, k, 8);                                                                      \
    out[8] = sub_group_non_uniform_all_equal(x);                                                                       \
    out[9] = sub_group_non_uniform_broadcast((T##16)(x), k).s9;                                                        \
  }
#define BITS(T) NON_UNIFORM(T, and) NON_UNIFORM(T, or) NON_UNIFORM(T, xor)
ARITHMETIC(char)
ARITHMETIC(uchar)
ARITHMETIC(short)
ARITHMETIC(ushort)
ARITHMETIC(int)
ARITHMETIC(uint)
ARITHMETIC(long)
ARITHMETIC(ulong)
ARITHMETIC(half)
ARITHMETIC(float)
ARITHMETIC(double)
BITS(char)
BITS(ushort)
BITS(int)
BITS(ulong)
NON_UNIFORM(int, logical_and)
NON_UNIFORM(int, logical_or)
NON_UNIFORM(int, logical_xor)

void votes(global int *in, global int *take, global uint *out) {
  out += 24 * ID;
  out[0] = sub_group_all(in[ID]);
  out[1] = sub_group_any(in[ID]);
  if (take[ID]) {
    out[2] = sub_group_elect();
    out[3] = sub_group_non_uniform_all(in[ID]);
    out[4] = sub_group_non_uniform_any(in[ID]);
    out[5] = sub_group_non_uniform_all_equal(in[ID]);
    vstore4(sub_group_ballot(in[ID]), 0, out + 6);
    out[10] = sub_group_broadcast_first(in[ID]);
  }
  barrier(CLK_LOCAL_MEM_FENCE); // all together again
  uint4 ballot = sub_group_ballot(in[ID]);
  out[11] = sub_group_inverse_ballot(ballot);
  out[12] = sub_group_ballot_bit_extract(ballot, 5);
  out[13] = sub_group_ballot_bit_count(ballot);
  out[14] = sub_group_ballot_inclusive_scan(ballot);
  out[15] = sub_group_ballot_exclusive_scan(ballot);
  out[16] = sub_group_ballot_find_lsb(ballot);
  out[17] = sub_group_ballot_find_msb(ballot);
  out[18] = get_sub_group_eq_mask().x;
  out[19] = get_sub_group_ge_mask().x;
  out[20] = get_sub_group_gt_mask().x;
  out[21] = get_sub_group_le_mask().x;
  out[22] = get_sub_group_lt_mask().x;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_sub_group);
}
