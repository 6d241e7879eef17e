// cl_khr_extended_async_copies and cl_khr_async_work_group_copy_fence: each group takes a box of 3 by 2 by 2 elements of
// six bytes out of planes of 5 by 4, and puts its lines side by side with a gap, which nobody touches.
//! kernel box
//! global 8
//! local 4
//! arg buffer ushort 180 fill(i)
//! arg buffer ushort 96 fill(9) expect(i % 12 < 9 ? ((i / 48 + i % 48 / 24) * 20 + 6 + i % 24 / 12 * 5 + i % 12 / 3) * 3 + i % 3 : 9)
#if !defined(cl_khr_extended_async_copies) || !defined(cl_khr_async_work_group_copy_fence)
#error a macro is not defined
#endif
kernel void box(global const ushort *in, global ushort *out) {
  local ushort tile[36];
  size_t group = get_group_id(0);
  event_t event = async_work_group_copy_3D3D(tile, 0, in, group * 20 + 6, 6, 3, 2, 2, 5, 20, 3, 6, 0);
  async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE);
  event = async_work_group_copy_2D2D(out, group * 16, tile, 0, 6, 3, 4, 3, 4, event);
  wait_group_events(1, &event);
}
