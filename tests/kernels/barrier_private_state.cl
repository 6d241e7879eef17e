// Values of each work-item that live across barriers: a scalar, a vector and an array with a computed index.
//! kernel state
//! global 32
//! local 32
//! arg buffer int 32 expect(i * 3 + ((i + 1) % 32) * 2 + (i % 4 + 10))
kernel void state(global int *out) {
  local int shared[32];
  int i = get_local_id(0);
  int scalar = i * 3;
  int2 pair = (int2)(i, i * 2);
  int table[4];
  for (int k = 0; k < 4; ++k) table[k] = k + 10;
  shared[i] = pair.y;
  barrier(CLK_LOCAL_MEM_FENCE);
  int next = shared[(i + 1) % 32];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = scalar + next + table[i & 3];
}
