// An element is set to another one of the same array, and then one that each work-item chooses is changed.
//! kernel change
//! global 96
//! local 32
//! arg buffer int 96 fill(i * 5 % 3)
//! arg buffer int 288 expect(i / 3 + (i % 3 == 1 ? a0[i / 3] * 10 : i % 3 * 10) + (i / 3 % 3 == i % 3 ? 100 : 0))
kernel void change(global const int *in, global int *out) {
  int i = get_global_id(0);
  int elements[3] = {i, i + 10, i + 20};
  elements[1] = elements[in[i]];
  elements[i % 3] += 100;
  for (int j = 0; j < 3; ++j) out[i * 3 + j] = elements[j];
}
