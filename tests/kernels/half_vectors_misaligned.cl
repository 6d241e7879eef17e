// vloada_half16 and vstorea_half16 of addresses aligned to one half only, as clients have them in arrays of short.
//! kernel copy
//! global 4
//! arg buffer half 65 fill(i * 0.5)
//! arg buffer half 65 expect(i == 0 ? 0 : i * 0.5)
kernel void copy(global const half *in, global half *out) {
  size_t i = get_global_id(0);
  volatile short own[33];
  private half *aside = (private half *)own + 1;
  vstorea_half16(vloada_half16(i, in + 1), 0, aside);
  vstorea_half16(vloada_half16(0, aside), i, out + 1);
}
