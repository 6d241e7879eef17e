// Blocks are where the first work-item of a sub-group says, whatever others say (OpenVINO's kernels count on it), in
// global memory, in local memory (cl_intel_subgroup_local_block_io), and of those that come there.
//! kernel addresses
//! options -cl-std=CL3.0
//! global 128
//! local 64
//! arg buffer uint 512 random(0, 100000)
//! arg buffer uint 128 expect(a0[i] + 1)
//! arg buffer ushort 256 expect((a0[i / 128 * 64 + i % 128 / 32 * 16 + i % 16] + i % 32 / 16) % 65536)
//! arg buffer uint 128 expect(i % 16 < 5 ? 0 : a0[i + 5])
__attribute__((intel_reqd_sub_group_size(16))) kernel void addresses(global uint *in, global uint *copied,
                                                                     global ushort *shorts, global uint *late) {
  uint lane = get_sub_group_local_id(), i = get_global_id(0), first = i & ~15u, local_first = get_local_id(0) & ~15u;
  local uint numbers[64];
  local ushort halves[128];
  intel_sub_group_block_write(numbers + local_first + lane, intel_sub_group_block_read(in + first + 3 * lane));
  copied[i] = intel_sub_group_block_read_ui(numbers + local_first + 7 * lane) + 1;
  intel_sub_group_block_write_us2(halves + 2 * local_first - lane, (ushort2)(in[i], in[i] + 1));
  intel_sub_group_block_write_us2(shorts + 2 * first + lane, intel_sub_group_block_read_us2(halves + 2 * local_first));
  late[i] = lane < 5 ? 0 : intel_sub_group_block_read(in + first + lane);
}
