// A value that only some of the work-items have crosses a barrier: the others have none to put in its place.
//! kernel some
//! global 64
//! local 64
//! arg buffer int 64 fill(i)
//! arg buffer int 64 expect(i % 2 == 0 && i < 40 ? 5 + 63 - i : 7 * i)
kernel void some(global int *in, global int *out) {
  local int l[64];
  int i = get_local_id(0), v;
  l[i] = i;
  bool d = (in[i] & 1) == 0 && in[i] < 40;
  if (d) { v = in[in[2] + 3]; }
  else { out[i] = i * 7; }
  barrier(CLK_LOCAL_MEM_FENCE);
  int s = l[63 - i];
  if (d) out[i] = v + s;
}
