// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ends of a pipe in memory of the program, which SPIR-V has and OpenCL C does not.
#include "emulator/builtins/opencl/pipe/ring.h"

us_pipe __us_pipe_of_storage_ro(__global void *storage) { return (us_pipe)(ulong)storage; }
us_pipe __us_pipe_of_storage_wo(__global void *storage) { return (us_pipe)(ulong)storage; }
