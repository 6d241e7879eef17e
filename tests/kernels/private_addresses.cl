// Private memory whose address goes through memory of its own and through numbers: each work-item finds its own there.
//! kernel escape
//! global 64
//! local 32
//! arg buffer uint 64 expect(i % 3 == 0 ? i + 1 : i * 4)
//! arg buffer uint 64 expect(i * 2 + 1)
//! arg value uint 3
kernel void escape(global uint *chosen, global uint *copied, uint n) {
  uint i = get_global_id(0);
  uint a[4] = {i * 4, i + 1, i * 2, 1};
  uint *places[4] = {a, a + 1, a + 2, a + 3};
  uint *place = places[i % n == 0 ? 1 : 0];
  ulong number = (ulong)place;
  chosen[i] = *(uint *)number;
  uint b[4];
  for (uint j = 0; j < 4; ++j) b[(i + j) & 3] = a[j];
  copied[i] = b[(i + 2) & 3] + b[(i + 3) & 3];
}
