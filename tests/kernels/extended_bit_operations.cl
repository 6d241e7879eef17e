// cl_khr_extended_bit_ops.
//! kernel bits
//! options -cl-std=CL3.0
//! global 1
//! arg buffer int 4 expect(i == 0 ? 0x12ab5678 : i == 1 ? -1 : i == 2 ? 15 : -2147483648)
#ifndef cl_khr_extended_bit_ops
#error the macro is not defined
#endif
kernel void bits(global int *out) {
  out[0] = bitfield_insert(0x12345678, 0xab, 16, 8);
  out[1] = bitfield_extract_signed(0xf00, 8, 4);
  out[2] = bitfield_extract_unsigned(0xf00, 8, 4);
  out[3] = bit_reverse(1);
}
