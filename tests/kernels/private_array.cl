// Insertion sort in a private array: dynamic indices.
//! kernel median
//! global 100
//! arg buffer int 100 fill(i * 37 % 101)
//! arg buffer int 100 expect(max(min(a0[max(i-1,0)], a0[i]), min(max(a0[max(i-1,0)], a0[i]), a0[min(i+1,99)])))
kernel void median(global const int *in, global int *out) {
  int i = get_global_id(0), n = get_global_size(0);
  int v[3] = {in[max(i - 1, 0)], in[i], in[min(i + 1, n - 1)]};
  for (int a = 1; a < 3; ++a)
    for (int b = a; b > 0 && v[b - 1] > v[b]; --b) {
      int t = v[b];
      v[b] = v[b - 1];
      v[b - 1] = t;
    }
  out[i] = v[1];
}
