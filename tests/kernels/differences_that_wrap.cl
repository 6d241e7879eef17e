// Places at distances that count up by two from zero and wrap round at 16: they are not evenly spaced.
//! kernel behind
//! global 64
//! local 16
//! arg buffer uint 64 fill(i * 3)
//! arg buffer uint 64 expect(i % 16 > i * 2 % 16 ? a0[i - i * 2 % 16] : 7)
kernel void behind(global const uint *in, global uint *out) {
  local uint t[16];
  uint lid = get_local_id(0), gid = get_group_id(0) * 16u + lid;
  uint distance = (lid + gid * 2654435761u) & 15u;
  t[lid] = in[gid];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[gid] = lid > distance ? t[lid - distance] : 7u;
}
