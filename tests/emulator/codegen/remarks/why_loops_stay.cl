// What keeps a loop as it is, with its place in the source, for a user who asks.
// RUN: UNDERSTUDY_REMARKS=1 us-run --tier loop --set CACHE=no --compact %s 2>&1 | FileCheck %s
// RUN: us-run --tier loop --set CACHE=no --compact %s 2>&1 | FileCheck %s --check-prefix=SILENT
// CHECK:      understudy: kernel 'turns': {{.*}}:16:{{[0-9]+}}: the loop is not interchanged with the work-items: work-items leave it after different numbers of turns
// CHECK:      "status":"ok"
// SILENT-NOT: understudy:
//! kernel turns
//! global 64
//! local 64
//! arg buffer uint 64 fill(i + 1)
//! arg buffer uint 64 expect((i + 1) * (i + 2) / 2)
kernel void turns(global const uint *counts, global uint *sums) {
  const size_t id = get_global_id(0);
  uint sum = 0;
  // Each work-item has its own number of turns.
  for (uint i = 0; i < counts[id]; ++i)
    sum += counts[i];
  sums[id] = sum;
}
