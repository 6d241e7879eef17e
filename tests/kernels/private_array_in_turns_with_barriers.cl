// A private array that is filled anew behind each barrier, at a place that is known before the first.
//! global 32
//! local 16
//! arg buffer int 32 fill(i * 7)
//! arg buffer int 32 expect((i % 5 ? i * 7 + 7 : i * 7 + i % 9) * 3)
//! arg value int 3
kernel void turns(global const int *in, global int *out, int n) {
  int i = get_global_id(0), l = get_local_id(0), sum = 0;
  local int counter;
  for (int r = 0; r < n; ++r) {
    if (n < 6) {
      if (l == 0) counter = 0;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    int v[9];
    for (int j = 0; j < 9; ++j) v[j] = in[i] + j;
    if (i % 5 == 0) v[7] = v[i % 9];
    sum += v[7];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[i] = sum;
}
