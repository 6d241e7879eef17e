// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_kernel_clock: one monotonic clock for all scopes.
#include "emulator/builtins/opencl/support.h"

US_INLINE uint2 us_halves(ulong clock) { return (uint2)((uint)clock, (uint)(clock >> 32)); }
US_OVERLOAD ulong clock_read_device(void) { return us_clock(); }
US_OVERLOAD ulong clock_read_work_group(void) { return us_clock(); }
US_OVERLOAD ulong clock_read_sub_group(void) { return us_clock(); }
US_OVERLOAD uint2 clock_read_hilo_device(void) { return us_halves(us_clock()); }
US_OVERLOAD uint2 clock_read_hilo_work_group(void) { return us_halves(us_clock()); }
US_OVERLOAD uint2 clock_read_hilo_sub_group(void) { return us_halves(us_clock()); }
