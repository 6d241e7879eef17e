// Work-items fill a tile by their linear number, in steps of the group's size that do not divide it, and read it by
// rows and columns, below their own place only where there is one.
//! kernel fill
//! options -cl-std=CL3.0
//! global 48 16
//! local 12 8
//! arg buffer uint 768 expect((i % 48 % 12 + i / 48 % 8 * 18 >= 19 ? i % 48 % 12 + i / 48 % 8 * 18 - 19 : 7) + i % 48 % 12)
//! arg value uint 19
kernel void fill(global uint *out, uint back) {
  local uint tile[9][18];
  local int falling[256];
  uint i = get_local_id(0), j = get_local_id(1), linear = j * 12 + i;
  for (uint l = linear; l < 9 * 18; l += 96) tile[l / 18][l % 18] = l;
  for (int l = 255 - (int)linear; l >= 0; l -= 96) falling[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint place = j * 18 + i, before = 7;
  if (place >= back) before = tile[(place - back) / 18][(place - back) % 18];
  if (linear >= 64) before += falling[linear - 64] - (linear - 64);
  out[get_global_id(1) * 48 + get_global_id(0)] = before + i;
}
