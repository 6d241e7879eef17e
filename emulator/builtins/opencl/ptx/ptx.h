// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What translated PTX calls: functions that no other language sees, by C names (us_ptx_…). They are inlined like all
// others of the library.
#pragma once
#include "emulator/builtins/opencl/support.h"
