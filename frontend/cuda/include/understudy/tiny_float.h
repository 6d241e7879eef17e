// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of fewer than 8 bits (tiny_float.inc): a sign, an exponent and a mantissa.
#pragma once

extern "C++" {
struct us_tinyFormat {
  int mantissa, bias; ///< bits, and what exponents are counted from
};
/// The value of the bits without a sign.
__host__ __device__ inline double us_tinyValue(unsigned bits, us_tinyFormat format) {
  const unsigned exponent = bits >> format.mantissa, fraction = bits & ((1u << format.mantissa) - 1);
  const unsigned units = fraction | (exponent ? 1u << format.mantissa : 0);
  const int power = int(exponent ? exponent : 1) - format.bias - format.mantissa;
  return double(units) * __builtin_bit_cast(double, (unsigned long long)(power + 1023) << 52);
}
}
