// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the device does not offer: pipes return the API's own error. The
// handles given to these calls are checked first.
#include "tests/icd/opencl/opencl_test.h"

namespace us::test {
namespace {

class Unsupported : public OpenCl {
protected:
  cl_context notAContext() { return reinterpret_cast<cl_context>(queue); }
  cl_command_queue notAQueue() { return reinterpret_cast<cl_command_queue>(context); }
  cl_int error_ = 0;
};

TEST_F(Unsupported, clCreatePipe) {
  EXPECT_EQ(nullptr, clCreatePipe(context, 0, 4, 4, nullptr, &error_));
  EXPECT_CL(CL_INVALID_OPERATION, error_);
}
TEST_F(Unsupported, clGetPipeInfo) {
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clGetPipeInfo(makeBuffer(4), CL_PIPE_PACKET_SIZE, 0, nullptr, nullptr));
}

} // namespace
} // namespace us::test
