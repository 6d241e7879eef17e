// Groups of several rows, of which a sub-group has two: its work-items are those of 32 linear ids.
//! kernel rows
//! options -cl-std=CL3.0
//! global 48 32
//! local 16 16
//! arg buffer uint 1536 expect((i / 48 % 16 * 16 + i % 16) / 32 * 1024 + 496)
//! arg buffer uint 1536 expect((i / 48 % 16 * 16 + i % 16) ^ 16)
kernel void rows(global uint *sum, global uint *from) {
  size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
  uint l = get_local_id(1) * 16 + get_local_id(0);
  sum[i] = sub_group_reduce_add(l);
  from[i] = sub_group_shuffle(l, get_sub_group_local_id() ^ 16u);
}
