// cl_intel_subgroups: blocks of images, by bytes and rows, without format conversion. Beyond the image reads give its
// edge, and writes do nothing.
//! kernel copy
//! options -cl-std=CL3.0
//! global 32
//! local 32
//! arg image 2d rgba unsigned_int8 40 4 fill(i % 251)
//! arg image 2d rgba unsigned_int8 40 4 expect(i % 160 >= 16 && i % 160 < 144 && i / 160 < 2 ? (i - 16 + 160) % 251 : i % 160 >= 144 && i / 160 == 2 ? (i % 160 - 140) % 251 : 0)
//! arg buffer uint 32 expect(i < 8 ? (128 + i * 4 + 160 * 3) % 251 : (156 + 160 * 3) % 251)
//! arg buffer ushort 64 expect((i % 32 * 2 + 3 + 160 * (i / 32)) % 251)
kernel void copy(read_only image2d_t in, write_only image2d_t out, global uint *edge, global ushort *bytes) {
  // Two rows from the second on, to byte 16 of the first two.
  intel_sub_group_block_write2(out, (int2)(16, 0), intel_sub_group_block_read2(in, (int2)(0, 1)));
  // Four pixels of it are inside.
  intel_sub_group_block_write(out, (int2)(144, 2), intel_sub_group_block_read(in, (int2)(4, 0)));
  // The first byte of what lies at and behind the end of the last row.
  uint2 beyond = intel_sub_group_block_read2(in, (int2)(128, 3));
  edge[get_sub_group_local_id()] = beyond.x == beyond.y ? beyond.x & 255 : 1000;
  // Reads may begin at any byte.
  ushort2 rows = intel_sub_group_block_read_us2(in, (int2)(3, 0));
  bytes[get_sub_group_local_id()] = rows.x & 255;
  bytes[get_sub_group_local_id() + 32] = rows.y & 255;
}
