// Shuffles take what another work-item has, whether it comes there or not, as on Intel's devices (OpenVINO's kernels
// count on it): where the sub-group has parted, within a question that all answer alike, and in a loop.
//! kernel apart
//! options -cl-std=CL3.0
//! global 64
//! local 64
//! arg buffer uint 64 random(0, 100000)
//! arg buffer uint 64 expect(i % 16 < 8 ? a0[i / 16 * 16 + 12] + 120 : a0[i / 16 * 16 + 3] + 31)
//! arg buffer float 64 expect(i % 16 < 8 ? a0[i / 16 * 16 + 15 - i % 16] * 0.5 : a0[i / 16 * 16 + i % 16 - 8] * 0.25)
//! arg buffer ulong 64 expect(sum(k, 0, 16, a0[(i / 16 * 16 + (k + (i % 16 < 8 ? 9 : 1)) % 16 + k * 16) % 64]))
//! arg value int 1
__attribute__((intel_reqd_sub_group_size(16))) kernel void apart(global uint *in, global uint *words,
                                                                 global float *floats, global ulong *longs, int yes) {
  uint lane = get_sub_group_local_id(), i = get_global_id(0), x = in[i] + lane * 10;
  words[i] = lane < 8 ? intel_sub_group_shuffle(x, 12) : intel_sub_group_shuffle(x + 1, 3);
  float half_of_it = in[i] * 0.5f, quarter = in[i] * 0.25f, f;
  if (lane < 8) {
    f = yes ? intel_sub_group_shuffle_xor(half_of_it, 15) : 0;
  } else {
    f = yes ? intel_sub_group_shuffle(quarter, lane - 8) : 0;
  }
  floats[i] = f;
  ulong sum = 0;
  for (uint k = 0; k < 16; ++k) {
    ulong number = in[(i + k * 16) % 64];
    sum += lane < 8 ? intel_sub_group_shuffle(number, (k + 9) % 16) : intel_sub_group_shuffle(number, (k + 1) % 16);
  }
  longs[i] = sum;
}
