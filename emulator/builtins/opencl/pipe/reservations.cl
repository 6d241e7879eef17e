// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reserve_read_pipe, commit_read_pipe, the same for writing, and is_valid_reserve_id.
#include "emulator/builtins/opencl/pipe/ring.h"

us_reservation __reserve_read_pipe(us_pipe p, uint n, uint size, uint alignment) {
  return us_reservation_from(us_reserve(us_ring_of(p), n, size, US_TO_READ));
}
us_reservation __reserve_write_pipe(us_pipe p, uint n, uint size, uint alignment) {
  return us_reservation_from(us_reserve(us_ring_of(p), n, size, US_TO_WRITE));
}
void __commit_read_pipe(us_pipe p, us_reservation id, uint size, uint alignment) {
  us_commit(us_ring_of(p), (ulong)id, US_TO_READ);
}
void __commit_write_pipe(us_pipe p, us_reservation id, uint size, uint alignment) {
  us_commit(us_ring_of(p), (ulong)id, US_TO_WRITE);
}

// By its mangled name, because OpenCL C has no way from a reserve_id_t to its bits.
bool us_is_valid(us_reservation id) __asm("_Z19is_valid_reserve_id13ocl_reserveid");
bool us_is_valid(us_reservation id) { return us_is_reservation((ulong)id); }
