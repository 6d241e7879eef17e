// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices: what PTX's mma, wmma and wgmma multiply, as f32, s32 or f64 (docs/decisions/0071).
#include "emulator/builtins/opencl/ptx/matrix.h"

float16 us_fma_f32(float16 x, float16 y, float16 z) __asm("llvm.fma.v16f32");
double16 us_fma_f64(double16 x, double16 y, double16 z) __asm("llvm.fma.v16f64");
uint16 us_count_bits(uint16 x) __asm("llvm.ctpop.v16i32");

#define US_ADD_f32(x, y, s) us_fma_f32(x, (float16)(y), s)
#define US_ADD_f64(x, y, s) us_fma_f64(x, (double16)(y), s)
#define US_ADD_s32(x, y, s) ((s) + (x) * (y))
#define US_ADD_and(x, y, s) ((s) + us_count_bits((x) & (y)))
#define US_ADD_xor(x, y, s) ((s) + us_count_bits((x) ^ (y)))

US_MULTIPLY(matrix_f32, float, 1, US_ADD_f32)
US_MULTIPLY_TILE(matrix_f32, 1, US_ADD_f32)
US_MULTIPLY(matrix_f32, float, 2, US_ADD_f32)
US_MULTIPLY_TILE(matrix_f32, 2, US_ADD_f32)
US_MULTIPLY(matrix_f32, float, 4, US_ADD_f32)
US_MULTIPLY(matrix_f64, double, 1, US_ADD_f64)
US_MULTIPLY(matrix_s32, uint, 4, US_ADD_s32)
US_MULTIPLY(matrix_and, uint, 1, US_ADD_and)
US_MULTIPLY(matrix_xor, uint, 1, US_ADD_xor)

// A's words, of a tile's product: those of row r and row r + 8 as they are, or columns.
float us_ptx_matrix_rows(float low, float high, uint part) {
  if (us_matrix_is_wide()) return us_lanes_matrix_rows(low, high, part);
  return part ? high : low;
}
