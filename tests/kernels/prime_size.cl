// A NULL local size on a prime global size, with 32-bit indices.
//! kernel square
//! global 10007
//! arg buffer int 10007 expect(i * i)
kernel void square(global int *out) {
  int i = get_global_id(0);
  out[i] = i * i;
}
