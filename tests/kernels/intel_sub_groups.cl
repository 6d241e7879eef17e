// cl_intel_subgroups, _short, _char, _long: shuffles of vectors and along two variables, and blocks of buffers: the
// n-th value of a work-item is that of sub_group_local_id + n * max_sub_group_size.
//! kernel move
//! options -cl-std=CL3.0
//! global 64
//! local 64
//! arg buffer uint 512 random(0, 100000)
//! arg buffer uint 512 expect(a0[i] + i % 32)
//! arg buffer int 64 expect(a0[i / 32 * 32 + (i + 5) % 32])
//! arg buffer int 64 expect((i % 32) < 3 ? a0[i + 29] + 1 : a0[i - 3])
//! arg buffer int 64 expect((i % 32) + 7 < 32 ? a0[i + 7] : a0[i - 25] + 1)
//! arg buffer int 64 expect(a0[i ^ 9] * 2)
//! arg buffer ulong 128 expect(a0[i] * 3)
//! arg buffer ushort 1024 expect(i / 512 + i % 32)
//! arg buffer uchar 1024 expect(i / 512 + i % 512 / 32)
//! arg buffer int 64 expect(32 * (i / 32 + 1))
kernel void move(global uint *in, global uint *blocks, global int *shuffled, global int *up, global int *down,
                 global int *crossed, global ulong *longs, global ushort *shorts, global uchar *chars,
                 global int *sums) {
  uint lane = get_sub_group_local_id(), group = get_sub_group_id(), i = get_global_id(0);
  uint8 eight = intel_sub_group_block_read8(in + group * 256);
  intel_sub_group_block_write4(blocks + group * 256, eight.lo + lane);
  intel_sub_group_block_write_ui2(blocks + group * 256 + 128, eight.s45 + lane);
  intel_sub_group_block_write(blocks + group * 256 + 192, eight.s6 + lane);
  intel_sub_group_block_write_ui(blocks + group * 256 + 224,
                                 intel_sub_group_block_read_ui(in + group * 256 + 224) + lane);
  int x = in[i];
  shuffled[i] = intel_sub_group_shuffle(x, (lane + 5) % 32);
  int3 two = (int3)(x, x + 1, x + 2);
  up[i] = intel_sub_group_shuffle_up(two.yzz, two, 3).x;
  down[i] = intel_sub_group_shuffle_down(two, two.yzz, 7).x;
  float2 both = intel_sub_group_shuffle_xor((float2)(x), 9);
  crossed[i] = both.x + both.y;
  ulong2 pair = (ulong2)(in[group * 64 + lane], in[group * 64 + 32 + lane]) * 3;
  intel_sub_group_block_write_ul2(longs + group * 64, pair);
  pair = intel_sub_group_block_read_ul2(longs + group * 64);
  if (pair.y != 3ul * in[group * 64 + 32 + lane]) longs[0] = 0;
  intel_sub_group_block_write_us16(shorts + group * 512, (ushort16)(group + lane));
  ushort16 back = intel_sub_group_block_read_us16(shorts + group * 512);
  intel_sub_group_block_write_uc16(chars + group * 512,
                                   convert_uchar16(back - (ushort)lane) +
                                       (uchar16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  sums[i] = intel_sub_group_reduce_add((short)(group + 1)) + intel_sub_group_scan_exclusive_max((uchar)0) +
            intel_sub_group_broadcast((ushort)0, 3);
}
