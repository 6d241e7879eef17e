// cl_khr_integer_dot_product: vectors and packed words, with and without saturation.
//! kernel dots
//! options -cl-std=CL3.0
//! global 1
//! arg buffer int 5 expect(i == 0 ? 1*5+2*6+3*7+4*8 : i == 1 ? -1*5+2*-6+3*7+4*8 : i == 2 ? 1*4+2*3+3*2+4*1 : i == 3 ? 2147483647 : 4*255*255)
#if !defined(cl_khr_integer_dot_product) || !defined(__opencl_c_integer_dot_product_input_4x8bit) ||                  \
    !defined(__opencl_c_integer_dot_product_input_4x8bit_packed)
#error the macros are not defined
#endif
kernel void dots(global int *out) {
  out[0] = dot((uchar4)(1, 2, 3, 4), (uchar4)(5, 6, 7, 8));
  out[1] = dot((char4)(-1, 2, 3, 4), (char4)(5, -6, 7, 8));
  out[2] = dot_4x8packed_uu_uint(0x04030201u, 0x01020304u);
  out[3] = dot_acc_sat((char4)(127), (char4)(127), 2147483000);
  out[4] = dot((uchar4)(255), (uchar4)(255));
}
