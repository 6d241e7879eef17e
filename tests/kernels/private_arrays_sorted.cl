// Small arrays that are sorted, each in one of the usual ways: all work-items have another permutation of the same numbers.
//! global 96
//! local 32
//! arg buffer int 96 fill(i * 5 % 9)
//! arg buffer int 864 expect(i % 9 * 3)
kernel void sort(global const int *in, global int *out) {
  int i = get_global_id(0);
  uchar selected[9];
  float inserted[9] = {0};
  struct {
    int key, payload;
  } exchanged[9];
  for (int j = 0; j < 9; ++j) {
    int x = (in[i] + j * (i % 2 ? 2 : 4)) % 9;
    selected[j] = x;
    int s = j;
    while (s > 0 && inserted[s - 1] > x) {
      inserted[s] = inserted[s - 1];
      --s;
    }
    inserted[s] = x;
    exchanged[j].key = x;
    exchanged[j].payload = 100 - x;
  }
  for (int s = 0; s < 9; ++s) {
    int least = s;
    for (int j = s + 1; j < 9; ++j)
      if (selected[j] < selected[least]) least = j;
    uchar t = selected[s];
    selected[s] = selected[least];
    selected[least] = t;
  }
  for (int n = 9; n > 1; --n)
    for (int j = 0; j + 1 < n; ++j)
      if (exchanged[j].key > exchanged[j + 1].key) {
        int key = exchanged[j].key, payload = exchanged[j].payload;
        exchanged[j] = exchanged[j + 1];
        exchanged[j + 1].key = key;
        exchanged[j + 1].payload = payload;
      }
  for (int j = 0; j < 9; ++j) out[i * 9 + j] = selected[j] + (int)inserted[j] + 100 - exchanged[j].payload;
}
