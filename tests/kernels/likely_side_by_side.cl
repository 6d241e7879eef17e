// Places that neighbors have side by side in most vectors, and in some not: at the ends of rows, where numbers go round,
// where floats skip one, and where indices are unsigned and begin below zero.
//! kernel likely
//! global 200
//! local 200
//! arg buffer int 256 fill(i * 3 + 1)
//! arg buffer int 200 expect(a0[min(max(i - 5, 0), 190)] + a0[min(i + 7, 199)])
//! arg buffer int 200 expect(a0[(i + 40) % 256] + a0[(i + 100) & 127])
//! arg buffer int 200 expect(a0[int(i * 1.01 + 0.5)] + a0[int(max(i - 2.5, 0))])
//! arg buffer int 200 expect(i < 3 ? -1 : a0[i - 3])
//! arg buffer int 200 expect(i < 4 ? a0[i + 196] : a0[i - 4])
//! arg buffer int 200 expect(a0[199 - i] + a0[max(99 - i, 0)])
//! arg buffer float 800 expect(float(a0[min(i / 4 + 1, 190)] + i % 4))
//! arg value int 190
kernel void likely(global const int *in, global int *limits, global int *rounds, global int *floats, global int *below,
                   global int *cyclic, global int *back, global float4 *vectors, int last) {
  int i = get_global_id(0);
  limits[i] = in[clamp(i - 5, 0, last)] + in[min(i + 7, last + 9)];
  rounds[i] = in[((uint)i + 40u) % 256u] + in[(i + 100) & 127];
  floats[i] = in[(int)(i * 1.01f + 0.5f)] + in[(int)fmax(i - 2.5f, 0.0f)];
  uint u = (uint)i - 3u;
  below[i] = u < 200u ? in[u] : -1;
  cyclic[i] = in[i < 4 ? i + 196 : i - 4];
  back[i] = in[last + 9 - i] + in[max(99 - i, 0)];
  vstore4((float4)(0, 1, 2, 3) + (float)in[min(i + 1, last)], min((uint)i, (uint)last + 20u), (global float *)vectors);
}
