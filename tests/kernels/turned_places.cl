// Places whose number has bits turned over alike for all work-items: those of one vector, and those of others; for all
// work-items and for some; of elements of all sizes, and two that change places, as a sorting network has it.
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
//! arg buffer ulong 512 fill(i) expect((i ^ 9) % 3 == 0 ? (i ^ 9) * 21 : i)
//! arg buffer ushort 512 fill(i) expect((i ^ 70) % 5 == 0 ? i ^ 70 : i)
//! arg buffer uint 512 fill(i * 7 % 512) expect(i < (i ^ 9) ? min(a8[i], a8[i ^ 9]) : max(a8[i], a8[i ^ 9]))
//! arg value uint 5
//! arg value uint 64
//! arg value uint 9
//! arg value uint 70
kernel void turn(global const uint *a, global uint *near, global uint *far, global uint *some, global uint *others,
                 global ushort *narrow, global ulong *longs, global ushort *shorts, global uint *exchanged, uint five,
                 uint many, uint nine, uint seventy) {
  const uint i = get_global_id(0);
  near[i] = a[i ^ five];
  far[i ^ many] = a[i];
  if (i % 3 == 0) some[i ^ nine] = a[i];
  if (i % 5 == 0) others[i] = a[i ^ seventy];
  narrow[i ^ 11] = i;
  if (i % 3 == 0) longs[i ^ nine] = a[i] * 3ul;
  if (i % 5 == 0) shorts[i ^ seventy] = i;
  const uint other = i ^ nine;
  if (other > i) {
    const uint one = exchanged[i], two = exchanged[other];
    if (one > two) {
      exchanged[i] = two;
      exchanged[other] = one;
    }
  }
}
