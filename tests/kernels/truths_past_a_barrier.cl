// Four truth values that live past a barrier, and are looked at as one number behind it.
//! kernel truths
//! options -cl-std=CL3.0
//! global 48
//! local 16
//! arg buffer uint 48 expect(i % 16 + (i % 3 == 0 ? 3 : 0))
//! arg value uint 1
kernel void truths(global uint *out, uint n) {
  uint i = get_global_id(0), z = 0;
  int4 v = i % 3 == 0 ? (int4)(9, 9, (int)i - 99, 9) : (int4)(9, 8, 7, 6);
  for (uint turn = 0; turn < n + 1; ++turn) z += any(v < 3);
  z += work_group_scan_inclusive_max((uint)get_local_id(0));
  z += any(v < 3);
  out[i] = z;
}
