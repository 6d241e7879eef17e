// The last group is smaller; the enqueued size is what was asked for.
//! kernel sizes
//! options -cl-std=CL3.0
//! global 100
//! local 32
//! arg buffer int 100 expect((i < 96 ? 32 : 4) * 1000 + 32)
//! arg buffer int 4 expect(i < 3 ? 32 : 4)
kernel void sizes(global int *out, global int *counts) {
  local int count;
  if (get_local_id(0) == 0) count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&count);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = get_local_size(0) * 1000 + get_enqueued_local_size(0);
  if (get_local_id(0) == 0) counts[get_group_id(0)] = count;
}
