// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tests' main: says which device they run on, since a test that ran on another platform would prove nothing.
#include "tests/icd/opencl/opencl_test.h"

#include <cstdio>

int main(int argumentCount, char **arguments) {
  ::testing::InitGoogleTest(&argumentCount, arguments);
  for (cl_device_id device : us::test::ourDevices()) {
    char name[128] = "";
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, nullptr);
    std::printf("device: %s\n", name);
  }
  return RUN_ALL_TESTS();
}
