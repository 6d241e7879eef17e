//! kernel copies
//! global 64
//! local 16
//! arg buffer int 64 fill(i * 3)
//! arg buffer int 64 expect(a0[i / 16 * 16 + 15 - i % 16])
kernel void copies(global const int *in, global int *out) {
  local int tile[16], back[16];
  size_t first = get_group_id(0) * 16;
  event_t event = async_work_group_copy(tile, in + first, 16, 0);
  wait_group_events(1, &event);
  back[get_local_id(0)] = tile[15 - get_local_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  event = async_work_group_copy(out + first, back, 16, 0);
  wait_group_events(1, &event);
}
