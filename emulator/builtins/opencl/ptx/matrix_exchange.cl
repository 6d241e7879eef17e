// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How threads of a warp give each other their parts of matrices: ldmatrix, stmatrix, movmatrix, and the registers of
// products.
#include "emulator/builtins/opencl/ptx/matrix.h"

// The caller's word of register 0; those of other registers are 32 words apart.
__local uint *us_ptx_matrix_words(void) { return US_SLOTS(uint) + us_sub_group_lane(); }
__local ulong *us_ptx_matrix_numbers(void) { return US_SLOTS(ulong) + us_sub_group_lane(); }
uint us_ptx_matrix_lane(void) { return us_sub_group_lane(); }
// The caller's row of 8 elements of 16 bits: lane 8 * m + r has row r of the m-th matrix.
__local uint *us_ptx_matrix_row(void) { return US_SLOTS(uint) + 4 * us_sub_group_lane(); }
US_CONVERGENT void us_ptx_matrix_meet(void) { us_callers(); }

// Matrices of 8 rows of 8 elements become their transposes.
US_ONCE us_once_transpose(__local ushort *elements, uint count) {
  for (uint number = 0; number < count; ++number, elements += 64) {
    ushort copy[64];
    for (uint i = 0; i < 64; ++i) copy[i] = elements[i];
    for (uint i = 0; i < 64; ++i) elements[i] = copy[i % 8 * 8 + i / 8];
  }
}
US_CONVERGENT void us_ptx_matrix_transpose(uint count) { US_BY_ONE(us_once_transpose(US_SLOTS(ushort), count)); }
