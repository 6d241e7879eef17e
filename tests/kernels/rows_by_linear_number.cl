// Rows and columns of a group of one dimension, by the work-items' number: of 16 columns vectors are rows, of 8 they are
// two, and of 24 they are parts; a loop as long as the row's number, and a branch that rows take.
//! kernel rows
//! options -cl-std=CL3.0
//! global 480
//! local 96
//! arg buffer uint 480 expect(sum(k, 0, i % 96 / 16 + 1, k * 16 + i % 16) + (i % 96 / 8 % 3 == 1 ? i % 96 / 8 * 8 + i % 96 % 8 / 2 : 3) + i % 96 / 24 * 24 + (i % 96 % 24))
kernel void rows(global uint *out) {
  local uint t[96];
  uint l = get_local_id(0), y = l / 16, x = l % 16, s = 0;
  t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = 0; k <= y; ++k) s += t[k * 16 + x];
  if (l / 8 % 3 == 1) s += t[l / 8 * 8 + l % 8 / 2];
  else s += 3;
  out[get_global_id(0)] = s + t[l / 24 * 24] + t[l % 24];
}
