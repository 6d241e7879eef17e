// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The OpenCL headers, once and complete.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_gl.h>
#include <CL/cl_icd.h>
