// Small arrays of integers that are sorted as far as they are asked for, or farther, in the usual ways; what is read
// behind that has the order that the loop has left it in. Work-items begin with other permutations of the same numbers.
//! global 52
//! local 26
//! arg buffer int 52 fill(i % 13) expect(i % 13)
//! arg buffer int 364 expect(i % 7 < 5 ? i % 7 * 10 - 60 : 17 - i % 7 * 2)
//! arg buffer int 676 expect(i % 13 > 2 && i % 13 < 10 ? 12 - i % 13 : i % 13)
//! arg buffer int 260 expect(i % 5 == 0 ? 12 : i % 5 == 1 ? 6 : i % 5 == 2 ? 9 : i % 5 == 3 ? 8 : 1)
kernel void sort(global const int *in, global int *selected, global int *left, global int *others) {
  int i = get_global_id(0);
  char lowest[13];
  int greatest[13];
  uchar turned[13];
  for (int j = 0; j < 13; ++j) {
    int x = (in[i] + j * 5) % 13;
    lowest[j] = x * 10 - 60;
    greatest[j] = x * 2 - 5;
    turned[j] = 12 - j;
  }
  // The least numbers, where the element is kept beside its index.
  for (int s = 0; s < 5; ++s) {
    int least = s;
    char x = lowest[s];
    for (int j = s + 1; j < 13; ++j)
      if (lowest[j] < x) {
        least = j;
        x = lowest[j];
      }
    lowest[least] = lowest[s];
    lowest[s] = x;
  }
  // The greatest ones, exchanged if they are elsewhere; there is a turn for one alone.
  for (int s = 0; s < 13; ++s) {
    int most = s;
    for (int j = s + 1; j < 13; ++j)
      if (greatest[most] <= greatest[j]) most = j;
    if (most != s) {
      int x = greatest[most];
      greatest[most] = greatest[s];
      greatest[s] = x;
    }
  }
  for (int s = 0; s < 5; ++s) selected[i * 7 + s] = lowest[s];
  selected[i * 7 + 5] = greatest[6];
  selected[i * 7 + 6] = greatest[7];
  // What is behind the three least numbers is read.
  for (int s = 0; s < 3; ++s) {
    int least = s;
    for (int j = s + 1; j < 13; ++j)
      if (turned[j] < turned[least]) least = j;
    uchar x = turned[s];
    turned[s] = turned[least];
    turned[least] = x;
  }
  for (int j = 0; j < 13; ++j) left[i * 13 + j] = turned[j];
  // The middle of an array, of which a part is filled before each time it is sorted in part.
  ushort middle[15];
  uint sum = 0;
  for (int j = 0; j < 15; ++j) middle[j] = 1000 + j;
  for (int turn = 0; turn < 2; ++turn) {
    for (int j = 0; j < 4; ++j) middle[1 + j] = (in[i] * 3 + j) % 4 + turn;
    for (int s = 1; s < 4; ++s)
      for (int j = s + 1; j < 14; ++j)
        if (middle[s] > middle[j]) {
          ushort x = middle[j];
          middle[j] = middle[s];
          middle[s] = x;
        }
    sum += middle[1] + middle[2] * 2 + middle[3] + (middle[0] + middle[14] - 2014);
  }
  others[i * 5] = sum;
  // The greatest ones rise, in more and more turns than are needed.
  uint risen[10], all[10];
  for (int j = 0; j < 10; ++j) risen[j] = all[j] = (in[i] + j * 3) % 10 * 0x10000001u;
  for (int s = 0; s < 4; ++s)
    for (int j = 0; j + 1 < 10 - s; ++j)
      if (risen[j] > risen[j + 1]) {
        uint x = risen[j];
        risen[j] = risen[j + 1];
        risen[j + 1] = x;
      }
  for (int s = 0; s < 10; ++s)
    for (int j = 0; j < 9; ++j)
      if (all[j + 1] > all[j]) {
        uint x = all[j];
        all[j] = all[j + 1];
        all[j + 1] = x;
      }
  others[i * 5 + 1] = risen[6] >> 28;
  others[i * 5 + 2] = risen[9] >> 28;
  others[i * 5 + 3] = all[1] >> 28;
  others[i * 5 + 4] = all[8] >> 28;
}
