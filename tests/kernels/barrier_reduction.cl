// A tree in local memory: a barrier inside a uniform loop.
//! kernel reduce
//! global 1024
//! local 128
//! arg buffer int 1024 random(-1000, 1000)
//! arg buffer int 8 expect(sum(j, i * 128, (i + 1) * 128, a0[j]))
//! arg local int 128
kernel void reduce(global const int *in, global int *out, local int *scratch) {
  uint l = get_local_id(0);
  scratch[l] = in[get_global_id(0)];
  for (uint step = get_local_size(0) / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < step) scratch[l] += scratch[l + step];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) out[get_group_id(0)] = scratch[0];
}
