// A division of constants by zero, which Clang folds while it reads, loses nothing that follows and ends no loop early.
//! kernel divide
//! global 8
//! arg buffer int 8 expect(42 + i)
//! arg buffer int 32 expect(7)
kernel void divide(global int *out, global int4 *vectors) {
  int i = get_global_id(0);
  int quotient = (int)0u / (int)0u, rest = 5 % (int)0u;
  int4 lanes = (int4)(7, 7, 7, 1 / (int)0u);
  int steps = 0;
  for (int j = 0; j < 40 && (0 / (int)0u == rest || j >= 0); ++j) steps += quotient == quotient;
  if (1 / (int)0u != rest) steps += 0;
  out[i] = steps + i + 2;
  lanes.w = 7;
  vectors[i] = lanes;
}
