// 60 work-items in three dimensions: two sub-groups, of 32 and of 28, that begin and end within rows.
//! kernel parts
//! options -cl-std=CL3.0
//! global 6 4 10
//! local 3 4 5
//! arg buffer uint 240 expect(i % 60 < 32 ? 496 : 1274)
//! arg buffer uint 240 expect(i % 60 < 32 ? 31 - i % 60 : 91 - i % 60)
kernel void parts(global uint *sum, global uint *other) {
  size_t group = get_group_id(2) * 2 + get_group_id(0), l = get_local_linear_id();
  sum[group * 60 + l] = sub_group_reduce_add((uint)l);
  local uint numbers[60];
  numbers[l] = l;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  uint first = get_sub_group_id() * get_max_sub_group_size(), last = first + get_sub_group_size() - 1;
  other[group * 60 + l] = numbers[first + last - l];
}
