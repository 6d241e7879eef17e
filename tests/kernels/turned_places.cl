// Places whose number has bits turned over alike for all work-items: those of one vector, and those of others; for all
// work-items and for some.
//! kernel turn
//! options -cl-std=CL3.0
//! global 512
//! local 128
//! arg buffer uint 512 fill(i * 7)
//! arg buffer uint 512 expect((i ^ 5) * 7)
//! arg buffer uint 512 expect((i ^ 64) * 7)
//! arg buffer uint 512 fill(i) expect((i ^ 9) % 3 == 0 ? (i ^ 9) * 7 : i)
//! arg buffer uint 512 fill(i) expect(i % 5 == 0 ? (i ^ 70) * 7 : i)
//! arg buffer ushort 512 expect(i ^ 11)
//! arg value uint 5
//! arg value uint 64
//! arg value uint 9
//! arg value uint 70
kernel void turn(global const uint *a, global uint *near, global uint *far, global uint *some, global uint *others,
                 global ushort *narrow, uint five, uint many, uint nine, uint seventy) {
  const uint i = get_global_id(0);
  near[i] = a[i ^ five];
  far[i ^ many] = a[i];
  if (i % 3 == 0) some[i ^ nine] = a[i];
  if (i % 5 == 0) others[i] = a[i ^ seventy];
  narrow[i ^ 11] = i;
}
