// A histogram in local memory.
//! kernel histogram
//! global 4096
//! local 256
//! arg buffer uchar 4096 fill(i * 7 % 16)
//! arg buffer uint 16 fill(0) expect(256)
kernel void histogram(global const uchar *in, global uint *out) {
  local uint bins[16];
  uint l = get_local_id(0);
  if (l < 16) bins[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&bins[in[get_global_id(0)]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16) atomic_add(&out[l], bins[l]);
}
